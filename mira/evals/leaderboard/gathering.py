"""Runs of many releases, with the settings that a board is made for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from mira.errors import MiraError, PredictionError, ReleaseError
from mira.evals.mira_bench.judging import JudgedRun, judge_run
from mira.evals.mira_bench.predictions import numbered_lines
from mira.evals.mira_bench.questions import QUESTION_COLUMNS, Question, parse_questions
from mira.evals.mira_bench.runs import read_manifest, read_run, run_paths
from mira.evals.mira_bench.settings import settings_of
from mira.release.question_sets import read_questions, set_digest
from mira.schema.evaluation import RunManifest


@dataclass(frozen=True)
class OpenRelease:
    """A release that is at hand.

    Attributes:
        folder: Where it lies.
        digest: Its logical digest.
        questions: All of them.
    """

    folder: Path
    digest: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Contender:
    """A run, judged where its release is at hand.

    Attributes:
        path: Its folder or file.
        name: What it is called.
        manifest: What decided it; None for a plain file.
        judged: What became of its questions; None where its release is not at hand.
    """

    path: Path
    name: str
    manifest: RunManifest | None
    judged: JudgedRun | None

    def settings(self, release_digest: str) -> dict[str, str]:
        """All that decided it, in words; nothing where it is not judged."""
        if self.judged is None:
            return {}
        return settings_of(self.judged, release_digest=release_digest)


class Releases:
    """Releases by digest, each opened once.

    Args:
        named: The one that was asked for.
    """

    def __init__(self, named: Path | None) -> None:
        self._named = named
        self._digests: dict[Path, str | None] = {}
        self._open: dict[str, OpenRelease] = {}

    def of(self, path: Path, manifest: RunManifest) -> OpenRelease | None:
        """The release that a run was asked about; None where it is not at hand.

        Raises:
            ReleaseError: It cannot be scored.
        """
        places = [self._named, manifest.release and (path / manifest.release).resolve()]
        for place in places:
            if place and self._digest(Path(place)) == manifest.dataset_digest:
                return self._opened(Path(place), manifest.dataset_digest)
        return None

    def _opened(self, folder: Path, digest: str) -> OpenRelease:
        if digest not in self._open:
            questions = parse_questions(read_questions(folder, columns=QUESTION_COLUMNS))
            self._open[digest] = OpenRelease(folder, digest, questions)
        return self._open[digest]

    def _digest(self, folder: Path) -> str | None:
        """Digest of a release; None where there is none that can be read."""
        if folder not in self._digests:
            try:
                self._digests[folder] = set_digest(folder)
            except MiraError:
                self._digests[folder] = None
        return self._digests[folder]


def gather(paths: Sequence[Path], releases: Releases) -> list[Contender]:
    """Run folders, each judged on its own release.

    Args:
        paths: Run folders, and folders of these.
        releases: Where releases are looked for.

    Raises:
        PredictionError: One is no run, or cannot be read.
        ReleaseError: A release cannot be scored.
    """
    return [_contender(path, releases) for path in run_paths(paths)]


def gather_plain(path: Path, release: OpenRelease, *, board: JudgedRun) -> Contender:
    """A file of predictions, judged on the questions of a board."""
    run = read_run(path, question_ids={one.question_id for one in release.questions})
    judged = judge_run(run, release.questions, protocol=board.protocol, split=board.split)
    return Contender(path, run.name, run.manifest, judged)


def people_of(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Files of predictions of people, and all other paths.

    A file is a person's where its lines say who answered (`by`), as the desk writes them.
    """
    people = [path for path in paths if path.is_file() and _has_author(path)]
    return people, [path for path in paths if path not in people]


def _contender(path: Path, releases: Releases) -> Contender:
    manifest = read_manifest(path)
    if manifest is None:
        if not path.is_file():
            raise PredictionError(path, "expected a run or a file of predictions, found none")
        return Contender(path, path.stem, None, None)
    name = manifest.name or manifest.model
    release = releases.of(path, manifest)
    if release is None:
        return Contender(path, name, manifest, None)
    run = read_run(path, question_ids={one.question_id for one in release.questions})
    return Contender(path, name, manifest, judge_run(run, release.questions))


def _has_author(path: Path) -> bool:
    for _, line in numbered_lines(path):
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError:
            return False
        return isinstance(fields, dict) and "asked_sha8" in fields and bool(fields.get("by"))
    return False


def ways_of(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Of each line of a person's file: question, who, protocol, modality.

    Raises:
        PredictionError: A line does not tell.
    """
    for number, line in numbered_lines(path):
        try:
            fields = orjson.loads(line)
            names = ("question_id", "by", "protocol", "modality")
            question_id, by, protocol, modality = (str(fields[name]) for name in names)
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise PredictionError(
                f"{path}:{number}", "expected a reply of a person, with by, protocol and modality"
            ) from None
        yield question_id, by, protocol, modality


def require_release(release: OpenRelease | None) -> OpenRelease:
    """The release of a board.

    Raises:
        ReleaseError: It is not at hand.
    """
    if release is None:
        raise ReleaseError(
            "release", "expected that of the runs, found none with their digest", "use --release"
        )
    return release
