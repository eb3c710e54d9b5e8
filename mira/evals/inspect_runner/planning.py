"""Questions that are to be asked, each with its modality once, whatever the runs it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mira.errors import ReleaseError
from mira.evals.inspect_runner.options import AskingOptions, RunPart, parts_of
from mira.evals.inspect_runner.wording import ReplyWording
from mira.evals.mira_bench.questions import QUESTION_COLUMNS, Question, parse_question
from mira.release.question_sets import read_questions, read_scenes, set_digest, split_names
from mira.release.reader import Row
from mira.render.style_settings import NamedStyle
from mira.schema.qa import Modality, Protocol
from mira.taxonomy.catalogue import taxonomy

_COLUMNS = (*QUESTION_COLUMNS, "image_id", "question", "marks")
_UNPOINTED: Protocol = "bbox_text"
"""How a question that points at nothing is drawn: with nothing on its picture."""


@dataclass(frozen=True)
class Asked:
    """A question in a modality: what one sample asks.

    Attributes:
        row: Its row of `qa`.
        question: The same, as scores have it.
        modality: Which pictures go along.
        style: Looks of markers.
    """

    row: Row
    question: Question
    modality: Modality
    style: NamedStyle

    @property
    def key(self) -> str:
        """Names it within a folder of runs."""
        named = f"{self.question.question_id}@{self.modality}"
        return f"{named}@{self.style.name}" if self.style.name else named

    def repair_text(self) -> str:
        """What a model is told whose reply gives no answer."""
        return ReplyWording.read().repair(self.row)

    @property
    def protocol(self) -> Protocol:
        """How it is drawn."""
        drawn: Protocol = self.row["protocol"] or _UNPOINTED
        return drawn


@dataclass(frozen=True)
class Plan:
    """All that is to be asked.

    Attributes:
        release: The folder.
        digest: Its logical digest.
        parts: The runs, with the keys of their questions in the order of the release.
        asked: Questions by key.
        without_depth: Questions left out because their picture has no depth.
    """

    release: Path
    digest: str
    parts: tuple[tuple[RunPart, tuple[str, ...]], ...]
    asked: dict[str, Asked]
    without_depth: int


def plan_asking(release: Path, out: Path, options: AskingOptions) -> Plan:
    """Choose the questions of all runs.

    Args:
        release: The folder.
        out: Where runs are written.
        options: What is asked.

    Raises:
        ReleaseError: The folder is no release, has no such split or question, or a picture lacks
            the depth that is to be shown.
    """
    digest = set_digest(release)
    _require_split(release, options.split)
    wanted = None if options.protocols is None else (*options.protocols, None)
    # Of five protocols one is asked most of the time; the rows of all would fill the memory.
    released = [
        (row, question)
        for row in read_questions(release, columns=_COLUMNS, split=options.split)
        for question in (parse_question(row),)
        if wanted is None or question.protocol in wanted
    ]
    depth = {
        row["image_id"]: row["depth_sha256"] is not None
        for row in read_scenes(release, columns=["image_id", "depth_sha256"], split=options.split)
    }
    asked: dict[str, Asked] = {}
    parts, left_out = [], set()
    for part in parts_of(out, options):
        every = [
            Asked(row, question, part.modality, part.style)
            for row, question in released
            if part.protocol is None or question.protocol in (part.protocol, None)
        ]
        shown = [one for one in every if _shows(release, one, depth)]
        left_out |= {one.key for one in every} - {one.key for one in shown}
        _require_some(release, part, every=every, shown=shown, options=options)
        chosen = {one.key: one for one in shown[: options.limit]}
        asked |= chosen
        parts.append((part, tuple(chosen)))
    return Plan(release, digest, tuple(parts), asked, len(left_out))


def by_picture(asked: dict[str, Asked]) -> dict[str, list[Asked]]:
    """Questions by picture, in their order."""
    pictures: dict[str, list[Asked]] = {}
    for one in asked.values():
        pictures.setdefault(one.row["image_id"], []).append(one)
    return pictures


def scenes_of(plan: Plan, wanted: set[str], *, split: str | None) -> Iterator[Row]:
    """Rows of `scenes` of the pictures that are wanted, one in memory at a time."""
    left = set(wanted)
    for row in read_scenes(plan.release, split=split):
        if row["image_id"] in left:
            left.remove(row["image_id"])
            yield row
        if not left:
            return


def _shows(release: Path, one: Asked, depth: dict[str, bool]) -> bool:
    image_id = one.row["image_id"]
    if image_id not in depth:
        problem = (
            f"{one.question.question_id} is about picture {image_id!r}, which it does not hold"
        )
        raise ReleaseError(release, problem, "see: mira export verify")
    return depth[image_id] or not taxonomy().modality(one.modality).depth


def _require_some(
    release: Path, part: RunPart, *, every: list[Asked], shown: list[Asked], options: AskingOptions
) -> None:
    if not every:
        asked = f"protocol {part.protocol}" if part.protocol else "any protocol"
        raise ReleaseError(release, f"has no question in {asked}, split {options.split or 'any'}")
    if len(shown) < len(every) and (options.missing_depth == "refuse" or not shown):
        raise ReleaseError(
            release,
            f"expected depth for modality {part.modality!r}, found {len(every) - len(shown)} of "
            f"{len(every)} questions about a picture without",
            "choose rgb or rgb_m, or leave them out: --missing-depth skip",
        )


def _require_split(release: Path, split: str | None) -> None:
    known = split_names(release)
    if split is not None and split not in known:
        raise ReleaseError(
            release, f"expected one of its splits ({', '.join(known)}), found {split!r}"
        )
