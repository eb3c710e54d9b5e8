"""Questions of a release: known pictures, true marks, one right answer, reviewed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from pydantic import ValidationError

from export.verify.answers import answer_fault
from export.verify.findings import finding
from export.verify.marks import check_marks
from export.verify.options import check_options
from export.verify.pictures import PictureFacts
from export.verify.rows import QUESTION_COLUMNS, QuestionRow
from mira.release.reader import read_questions
from mira.schema.finding import Finding, Severity
from mira.schema.record import describe_fault
from mira.taxonomy.catalogue import taxonomy


def check_questions(
    release: Path, pictures: Mapping[str, PictureFacts], *, open_matters: Severity
) -> Iterator[Finding]:
    """Go once through the table `qa`.

    Args:
        release: The folder.
        pictures: Facts of every picture, by id.
        open_matters: How grave what is open is.
    """
    across = _AcrossQuestions(release, open_matters)
    for row in read_questions(release, columns=QUESTION_COLUMNS):
        try:
            question = QuestionRow.model_validate(row)
        except ValidationError as error:
            where = str(row["question_id"])
            yield finding("row-malformed", release, where, describe_fault(error))
            continue
        yield from across.add(question)
        yield from _check_question(release, question, pictures.get(question.image_id))
    yield from across.finish()


def _check_question(
    release: Path, question: QuestionRow, picture: PictureFacts | None
) -> Iterator[Finding]:
    where = question.question_id
    try:
        template = taxonomy().template(question.template_id)
    except KeyError:
        yield finding("template-unknown", release, where, question.template_id)
        return
    yield from check_options(release, question, template)
    if picture is None:
        yield finding("picture-unknown", release, where, f"no picture {question.image_id!r}")
        return
    if (question.scene_id, question.split) != (picture.scene_id, picture.split):
        yield finding(
            "scene-split",
            release,
            where,
            f"expected scene {picture.scene_id!r} in split {picture.split!r} as its picture, "
            f"found {question.scene_id!r} in {question.split!r}",
        )
    missing = [m.instance_id for m in question.marks if m.instance_id not in picture.boxes]
    if missing:
        yield finding("instance-unknown", release, where, f"no instance {missing}")
        return
    yield from check_marks(release, question, template, picture)
    if fault := answer_fault(question, picture.sightings):
        yield finding("answer-not-derived", release, where, fault)


class _AcrossQuestions:
    """What only several questions together show; keeps a few bytes a question."""

    def __init__(self, release: Path, open_matters: Severity) -> None:
        self._release, self._open_matters = release, open_matters
        self._seen: set[bytes] = set()
        self._splits: dict[str, str] = {}
        self._groups: dict[str, list[str]] = {}
        self._rejected: set[str] = set()
        self._unsettled = 0

    def add(self, question: QuestionRow) -> Iterator[Finding]:
        """Take in one question."""
        where = question.question_id
        key = blake2b(where.encode(), digest_size=12).digest()
        if key in self._seen:
            yield finding("duplicate-id", self._release, where, "two questions have this id")
        self._seen.add(key)
        split = self._splits.setdefault(question.scene_id, question.split)
        if split != question.split:
            message = f"{question.scene_id!r} is in two splits"
            yield finding("scene-split", self._release, where, message)
        if question.review == "rejected" and question.item_id not in self._rejected:
            self._rejected.add(question.item_id)
            message = "review rejected it, so it is no part of a release"
            yield finding("rejected-item", self._release, question.item_id, message)
        self._unsettled += question.review not in ("accepted", "rejected")
        if question.joint_group:
            answers = self._groups.setdefault(question.joint_group, [])
            answers.append(question.answer)
            if len(answers) == 3 and answers.count("yes") == 1:
                # Whole; one too many would begin it anew and be found.
                del self._groups[question.joint_group]

    def finish(self) -> Iterator[Finding]:
        """What is left when all are in."""
        for group, answers in self._groups.items():
            yield finding(
                "joint-group",
                self._release,
                group,
                f"expected three questions with one yes, found {answers}",
            )
        if self._unsettled:
            yield finding(
                "unreviewed",
                self._release,
                "qa.review",
                f"{self._unsettled} of {len(self._seen)} questions are not settled by review",
                severity=self._open_matters,
            )
