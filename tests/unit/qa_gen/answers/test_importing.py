"""Files of answers: what is taken, what is refused, and what geometry says to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mira.errors import MiraError
from mira.schema.proposal import ImageProposals, Proposal
from mira.schema.qa import AxesAnswer, Derivation, QAPolicy, YesNoAnswer
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace
from qa_gen.answers.importing import AnswerImport, import_answers
from qa_gen.choosing import item_id

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def take(tmp_path: Path, workspace: Workspace) -> Callable[..., AnswerImport]:
    def taken(text: str | bytes, *, name: str = "answers.csv", **options: Any) -> AnswerImport:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        given = {"by": "anna", "now": NOW, "bounds": QAPolicy(), **options}
        return import_answers(path, workspace, **given)

    return taken


HEADER = "image_id,template_id,X,Y,X1,X2,direction,answer,text,note\n"


def test_answers_of_every_kind_are_taken(take, workspace) -> None:
    report = take(
        HEADER
        + 'picture,mr_001,11,2,,,,"left, Aligned, same depth",,\n'
        + 'picture,mr_003,,,11,12,,"right,above,front",,unsure of the height\n'
        + "picture,ct_001,1,,,,front,3,,\n"
        + "picture,mpac_001,,1,,,,other side distinct,a label on its back,\n"
        + "picture,ac_001,13,,,,,yes,,\n"
        + "picture,ac_002,1,,,,,Turn around,,\n"
        + "picture,ac_004,,,,,backward,no,,\n"
    )

    assert (report.rows, report.added, report.faults, report.is_kept) == (7, 7, (), True)
    answers = list(ProposalShelf(workspace).answers.of("anna"))
    assert answers[0].answer == AxesAnswer(
        horizontal="left", vertical="aligned", depth="same_depth"
    )
    assert answers[0].item_id == item_id("mr_001", "picture", (11, 2), None)
    assert answers[1].note == "unsure of the height"
    assert (answers[3].answer.value, answers[3].answer.text) == (
        "other_side_distinct",
        "a label on its back",
    )
    assert answers[5].answer.value == "turn_around"
    assert answers[0].source.path == "answers.csv"
    assert answers[0].at == NOW


def test_json_lines_say_the_same(take, workspace) -> None:
    rows = [
        {"image_id": "picture", "template_id": "mr_001", "slots": {"X": 11, "Y": 2}}
        | {"horizontal": "left", "vertical": "above", "depth": "behind", "by": "ben"},
        {"item_id": item_id("ct_001", "picture", (1,), "left"), "answer": 0}
        | {"at": "2026-04-01T10:00:00Z"},
    ]

    report = take("\n".join(map(json.dumps, rows)) + "\n\n", name="answers.jsonl")

    assert report.added == 2
    shelf = ProposalShelf(workspace)
    assert shelf.answers.people() == ("anna", "ben")
    (count,) = shelf.answers.of("anna")
    assert (count.direction, count.answer.value, count.at.month) == ("left", 0, 4)


def test_the_same_file_again_changes_nothing_and_another_answer_counts(take, workspace) -> None:
    row = HEADER + "picture,ac_001,13,,,,,{},,\n"
    take(row.format("yes"))
    path = workspace.root / "answers" / "anna.jsonl"
    before = path.read_bytes()

    again = take(row.format("yes"))
    assert (again.added, again.unchanged) == (0, 1)
    assert path.read_bytes() == before

    take(row.format("no"))
    newest = ProposalShelf(workspace).newest_answers()
    assert [people["anna"].answer for people in newest.values()] == [YesNoAnswer(value="no")]
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("elsewhere,ac_001,1,,,,,yes,,", "image_id: expected an annotated picture"),
        ("picture,ac_009,1,,,,,yes,,", "template_id: expected one of the taxonomy"),
        ("picture,ac_001,,,,,,yes,,", "X: expected a whole number, found nothing"),
        ("picture,ac_001,one,,,,,yes,,", "X: expected a whole number, found 'one'"),
        ("picture,ac_001,99,,,,,yes,,", "ac_001: expected instances it can be asked of"),
        ('picture,mr_001,1,2,,,,"left,above,front",,', "mr_001: expected instances"),
        ('picture,mr_001,11,1,,,,"left,above,front",,', "mr_001: expected instances"),
        ("picture,ac_001,1,,,,,not sure,,", "answer: expected yes or no, found 'not_sure'"),
        ("picture,ac_001,1,,,,left,yes,,", "direction: expected none for ac_001"),
        ("picture,ct_001,1,,,,,2,,", "direction: expected left or"),
        ("picture,ct_001,1,,,,left,-2,,", "answer: expected a whole number, found '-2'"),
        ("picture,ct_001,1,,,,left,²,,", "answer: expected a whole number"),
        ("picture,mr_001,11,2,,,,left,,", "answer: expected horizontal, vertical, depth"),
        ('picture,mr_001,11,2,,,,"left,up,front",,', "answer: "),
        ("picture,ac_002,1,,,,,jump,,", "answer: expected move_left or"),
        ("picture,vc_001,99,,,,,yes,,", "vc_001: expected instances it can be asked of"),
        ("picture,mc_003,1,2,,,,yes,,", "mc_003: expected instances it can be asked of"),
        ("picture,mc_001,13,,,,,1,,", "mc_001: expected instances it can be asked of"),
        ("picture,mc_001,11,,,,,12,,", "answer: expected instance 1 or 2 or 3, found 12"),
        ("picture,mc_001,11,,,,,A,,", "answer: expected a whole number, found 'A'"),
        ("picture,ac_001,1,,,,,yes,,,more", "(too many)"),
    ],
)
def test_a_row_at_fault_is_named_by_line_and_field_and_nothing_is_taken(
    take, workspace, row: str, fault: str
) -> None:
    text = HEADER + "picture,ac_001,13,,,,,yes,,\n" + row + "\n"

    report = take(text)

    (found,) = report.faults
    assert "answers.csv:3: " in found
    assert fault in found
    assert not report.is_kept
    assert not (workspace.root / "answers").exists()
    assert take(text, partial=True).is_kept
    assert len(list(ProposalShelf(workspace).answers.of("anna"))) == 1


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("answers.xlsx", "", "expected the ending .csv or .jsonl"),
        ("answers.csv", "", "expected a first line with a column `answer`"),
        ("answers.csv", "a,b\n1,2\n", "found a, b"),
        ("answers.csv", "answer,answer\n", "found 'answer' again"),
        ("answers.csv", b"answer\n\xff\n", "expected UTF-8"),
        ("answers.jsonl", "[1]\n", "answers.jsonl:1: expected one JSON object a line, found list"),
        ("answers.jsonl", "{\n", "answers.jsonl:1: expected one JSON object a line"),
        ("answers.jsonl", "[" * 100_000, "expected one JSON object a line"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line(take, name: str, text: Any, fault: str) -> None:
    with pytest.raises(MiraError, match=None) as refusal:
        take(text, name=name)
    assert fault in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_nobody_answers(take) -> None:
    report = take(HEADER + "picture,ac_001,13,,,,,yes,,\n", by=None)

    assert "by: expected who answered" in report.faults[0]


def test_what_geometry_proposed_otherwise_is_listed(take, workspace, draw) -> None:
    key = item_id("ac_001", "picture", (13,), None)
    proposal = Proposal(
        item_id=key,
        template_id="ac_001",
        image_id="picture",
        slots={"X": 13},
        answer=YesNoAnswer(value="no"),
        reason="it hangs 3 m high",
        derivation=Derivation(rule="r", annotator="ann", annotation_sha256="0"),
    )
    ProposalShelf(workspace).put_proposals(
        ImageProposals(image_id="picture", annotator="ann", made_from="0", proposals=(proposal,))
    )

    report = take(HEADER + "picture,ac_001,13,,,,,yes,,\n")

    (one,) = report.disagreements
    assert (one.by, one.answered, one.proposed, one.reason) == (
        "anna",
        "yes",
        "no",
        "it hangs 3 m high",
    )
    assert take(HEADER + "picture,ac_001,13,,,,,no,,\n").agreeing == 1


def test_answers_to_perception_are_held_against_labels(take, workspace) -> None:
    report = take(
        HEADER
        + "picture,vc_003,11,,,,,yes,,\n"
        + "picture,vc_002,,3,,,,no,,\n"
        + "picture,mc_001,11,,,,,1,,\n"
        + "picture,mc_003,13,2,,,,no,,\n"
    )

    assert (report.added, report.agreeing, report.faults) == (4, 3, ())
    (one,) = report.disagreements
    assert (one.answered, one.proposed, one.close_call) == ("no", "yes", False)
    assert "instance 3, so it is seen only directly" in one.reason
    assert (
        take(
            '{"image_id": "picture", "template_id": "mc_001", "X": 11, "answer": 1}\n'
            '{"image_id": "picture", "template_id": "mc_002", "Y": 2, "answer": "12"}\n',
            name="answers.jsonl",
        ).agreeing
        == 2
    )
