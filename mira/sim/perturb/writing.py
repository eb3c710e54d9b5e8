"""A tree of annotation files with an annotator's errors, and the log of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from mira.errors import AnnotationFormatError, SimulationError
from mira.schema.record import Record
from mira.sim.perturb.chance import Chance
from mira.sim.perturb.perturbing import perturb_document
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.records import FilePerturbation
from mira.sim.perturb.sources import Source, find_sources, read_document
from mira.store.atomic import os_faults, replace_folder
from mira.store.names import require_name

LOG_NAME = "perturbation.jsonl"
Progress = Callable[[int, int], None]


class PerturbReport(Record):
    """What was written."""

    out: str
    """The folder."""
    log: str
    """`perturbation.jsonl` in it: a `FilePerturbation` a line."""
    files: int
    """Files that were written."""
    instances: int
    """Surfaces and instances of the source."""
    changes: dict[str, int]
    """Errors by kind."""
    mean_iou: float | None
    """Mean agreement of regions before and after; absent where there are none."""
    faults: tuple[str, ...]
    """Files that could not be used and are left out, one line each."""


def write_perturbed(
    source: Path,
    out: Path,
    *,
    noise: AnnotatorNoise,
    seed: int,
    annotator: str,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> PerturbReport:
    """Write annotation files anew with errors, in the tree they are in, and a log of each error.

    The errors of a file depend on the seed, the annotator's name, its path below the source and
    its content alone. The output is there whole or not at all.

    Args:
        source: An annotation file, a folder of them, or a capture session.
        out: The folder to make.
        noise: Rates and sizes of errors.
        seed: At least 0.
        annotator: Code name of the simulated annotator.
        overwrite: Whether an earlier output in its place makes way.
        progress: Told of every file that is done.

    Raises:
        MiraError: There is no annotation, none can be used, or `out` cannot be written.
    """
    require_name(annotator)
    if not noise.errs:
        problem = "expected at least one kind of error, found all rates 0"
        raise SimulationError("noise", problem, "such as --vertex-px 2")
    found = find_sources(source)
    _require_writable(out, source, overwrite=overwrite)
    with replace_folder(out) as partial, os_faults(out):
        run = _Run(found, partial, noise, seed, annotator)
        for done, name in enumerate(found.names, start=1):
            run.take(name)
            if progress is not None:
                progress(done, len(found.names))
        run.finish()
    return run.report(out)


class _Run:
    """One run under way."""

    def __init__(
        self, source: Source, folder: Path, noise: AnnotatorNoise, seed: int, annotator: str
    ) -> None:
        self._source = source
        self._folder = folder
        self._noise = noise
        self._seed = seed
        self._annotator = annotator
        self._lines: list[bytes] = []
        self._faults: list[AnnotationFormatError] = []
        self._changes: Counter[str] = Counter()
        self._ious: list[float] = []
        self._instances = 0

    def take(self, name: str) -> None:
        try:
            document = read_document(self._source.root / name)
        except AnnotationFormatError as error:
            self._faults.append(error)
            return
        chance = Chance(seed=self._seed, annotator=self._annotator, path=name)
        perturbed, records = perturb_document(document, noise=self._noise, chance=chance)
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_dump(perturbed))
        told = FilePerturbation(
            path=name,
            seed=self._seed,
            annotator=self._annotator,
            noise=self._noise,
            instances=records,
        )
        self._lines.append(told.to_json(indent=False))
        for record in records:
            self._changes.update(record.changes)
            self._instances += "invented" not in record.changes
            if record.iou is not None:
                self._ious.append(record.iou)

    def finish(self) -> None:
        """Write the log; refused where no file could be used."""
        if not self._lines:
            raise self._faults[0]
        (self._folder / LOG_NAME).write_bytes(b"".join(self._lines))

    def report(self, out: Path) -> PerturbReport:
        return PerturbReport(
            out=str(out),
            log=str(out / LOG_NAME),
            files=len(self._lines),
            instances=self._instances,
            changes=dict(sorted(self._changes.items())),
            mean_iou=round(sum(self._ious) / len(self._ious), 4) if self._ious else None,
            faults=tuple(map(str, self._faults)),
        )


def _require_writable(out: Path, source: Path, *, overwrite: bool) -> None:
    target, origin = out.resolve(), source.resolve()
    if target == origin or target in origin.parents:
        raise SimulationError(out, "expected another folder than the source's, found that one")
    if origin.is_dir() and origin in target.parents:
        raise SimulationError(out, "expected a folder outside the source, found one in it")
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if not (out / LOG_NAME).is_file():
        problem = f"expected a new folder or an earlier output, found one without {LOG_NAME}"
        raise SimulationError(out, problem, "write to another folder")
    if not overwrite:
        problem = "expected no earlier output, found one"
        raise SimulationError(out, problem, "--overwrite, or another --out")


def _dump(document: Any) -> bytes:
    try:
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        # Whole numbers beyond 64 bits.
        return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"
