"""The scorer that goes along says of any replies what `mira eval score` says."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.harnesses.bundling import bundle_scorer
from export.harnesses.lmms_eval import write_lmms_eval
from export.harnesses.options import TaskOptions
from export.harnesses.shipped import mira_scoring
from mira.evals.mira_bench.questions import Question
from mira.evals.mira_bench.release import score_release
from mira.release.asking import axis_words
from mira.replies.bare_answers import Choice
from mira.replies.reading import read_reply

WRONG = {"yes": "no", "no": "yes", "A": "B", "0": "1", "2": "3"}


def replies_of(folder: Path, kind: str) -> dict[str, str | None]:
    """Replies of a kind to the questions of a folder."""
    scoring = mira_scoring.read_scoring(folder)
    said: dict[str, str | None] = {}
    for k, one in enumerate(scoring["questions"]):
        answer = one["answer"]
        forms = {
            "oracle": answer,
            "json": json.dumps({"why": "so", "final_answer": answer}),
            "wrong": WRONG.get(answer, "A" if one["choices"] else "right,above,front"),
            "unparsable": f"I think it is {answer}.",
            "failed": None,
        }
        mixed = ("oracle", "wrong", "json", "oracle", "unparsable", "json", "failed")
        said[one["id"]] = forms[mixed[k % 7] if kind == "mixed" else kind]
    return said


def compared(folder: Path, release: Path, said: dict[str, str | None]) -> dict:
    """Rows of both scorers, which must be equal; gives ours by name."""
    path = folder.parent / "replies.jsonl"
    path.write_text("".join(mira_scoring.prediction_line(*one) for one in said.items()), "utf-8")
    expected = score_release(release, path, protocol="bbox_text", split="test").table
    table = mira_scoring.score_replies(mira_scoring.read_scoring(folder), said)
    assert table["complete"] == expected.complete
    assert [row["name"] for row in table["rows"]] == [row.name for row in expected.rows]
    for row, other in zip(table["rows"], expected.rows, strict=True):
        assert row["value"] == pytest.approx(other.value, abs=1e-12)
        assert [row["n"], row["n_unparsable"], row["n_unscored"]] == [
            *(other.n, other.n_unparsable, other.n_unscored)
        ]
    return {row["name"]: row for row in table["rows"]}


@pytest.fixture
def folder(full_release, tmp_path):
    write_lmms_eval(full_release, tmp_path / "tasks", options=TaskOptions(protocol="bbox_text"))
    return tmp_path / "tasks"


@pytest.mark.parametrize("kind", ["oracle", "json"])
def test_right_replies_are_all_right(folder, full_release, kind):
    rows = compared(folder, full_release, replies_of(folder, kind))
    assert set(rows) >= {"vc", "mc", "mr", "ct", "mpac", "re", "as", "cr", "overall"}
    assert {row["value"] for row in rows.values()} == {1.0}


@pytest.mark.parametrize("kind", ["wrong", "unparsable", "failed", "mixed"])
def test_other_replies_score_as_mira_scores_them(folder, full_release, kind):
    rows = compared(folder, full_release, replies_of(folder, kind))
    assert (rows["overall"]["value"] == 0) == (kind in ("wrong", "unparsable")) or kind == "failed"
    assert (rows["overall"]["value"] is None) == (kind == "failed")


def test_one_wrong_answer_of_three_makes_a_visibility_group_wrong(folder, full_release):
    said = replies_of(folder, "oracle")
    groups = {one["joint_group"] for one in mira_scoring.read_scoring(folder)["questions"]}
    one = next(name for name in said if name.startswith("vc_002"))
    said[one] = WRONG[str(said[one])]
    rows = compared(folder, full_release, said)
    assert rows["vc"]["value"] == pytest.approx(1 - 1 / (len(groups) - 1))
    said[one] = None
    assert compared(folder, full_release, said)["vc"] == {
        **rows["vc"],
        "value": 1.0,
        "n_unscored": 1,
    }


def test_questions_that_nobody_asked_are_unscored(folder, full_release):
    said = replies_of(folder, "mixed")
    some = {name: said[name] for k, name in enumerate(said) if k % 3}
    rows = compared(folder, full_release, some)
    assert rows["overall"]["n_unscored"] >= len(said) - len(some) > 0
    alone = {name: said[name] for name in said if name.startswith("vc")}
    rows = compared(folder, full_release, alone)
    assert rows["vc"]["value"] is not None
    assert rows["mc"]["value"] is None
    assert rows["mc"]["n_unscored"] == rows["mc"]["n"] > 0


CHOICES = (("A", "move_left", "move left"), ("B", "none", "none"), ("C", "b", "B. none"))
WORDS = (("yes", "yes", "yes"), ("no", "no", "no"), ("not sure", "not_sure", "not sure"))
FORMATS = {
    "yes_no": WORDS,
    "single_choice": CHOICES,
    "single_choice_plus_text": CHOICES,
    "spatial_3d_axes": (),
    "count": (),
}
PIECES = (
    *("A", "b", "C", "yes", "No", "not sure", "not_sure", "move left", "none", "left", "Upper"),
    *("aligned", "same depth", "same-depth", "behind", "back", "of", "3", "007", "3.0", "-1", "٣"),
    *(" ", ".", ")", ":", ",", ", ", ";", "/", "-", "\n", "\t", "_", "{", "}", '"', "ß", "İ"),
    *(
        '{"final_answer": ',
        '"final_answer": "A"',
        "[",
        "]",
        "true",
        "null",
        "NaN",
        "1e2",
        "\\ud800",
    ),
)
BARE = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
VALUES = st.one_of(
    *(BARE, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans()),
    *(st.none(), st.lists(BARE, max_size=4), st.lists(st.integers(), min_size=1, max_size=2)),
)
REPLIES = st.one_of(
    *(BARE, st.text(max_size=12)),
    VALUES.map(lambda value: json.dumps({"final_answer": value})),
    VALUES.map(lambda value: json.dumps({"final_answer": value}, ensure_ascii=False) + " "),
)


@cache
def _question(kind: str) -> Question:
    choices = tuple(Choice(*choice) for choice in FORMATS[kind])
    names = dict.fromkeys(("item_id", "scene_id", "template_id", "subtask", "answer", "sha8"), "x")
    others = dict.fromkeys(("split", "protocol", "joint_group", "count_max"))
    return Question(question_id="q", format=kind, choices=choices, **names, **others)


@given(text=REPLIES, kind=st.sampled_from(sorted(FORMATS)))
def test_every_reply_is_read_as_mira_reads_it(text, kind):
    choices = [dict(zip(("label", "value", "text"), one, strict=True)) for one in FORMATS[kind]]
    found = mira_scoring.answer_of_reply(text, {"format": kind, "choices": choices}, axis_words())
    assert found == read_reply(text, _question(kind).form).answer


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("spatial_3d_axes", "left, above"),
        ("spatial_3d_axes", "left, right, above, front"),
        ("single_choice", "A or B"),
        ("single_choice_plus_text", "A. B"),
        ("yes_no", "yes, no"),
        ("count", "2 or 3"),
        ("count", '{"final_answer": true}'),
        ("count", "{" * 5000),
        ("single_choice", '{"final_answer": "A"} {"final_answer": "B"}'),
        ("single_choice", '{"final_answer": "A", "final_answer": "B"}'),
    ],
)
def test_nothing_is_guessed_or_filled_in(kind, text):
    choices = [dict(zip(("label", "value", "text"), one, strict=True)) for one in FORMATS[kind]]
    question = {"format": kind, "choices": choices}
    assert mira_scoring.answer_of_reply(text, question, axis_words()) is None
    assert read_reply(text, _question(kind).form).answer is None


def test_no_name_of_the_scorer_hides_another_of_the_modules_it_is_made_of():
    defined: list[str] = []
    for node in ast.parse(bundle_scorer()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.append(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defined += [target.id for target in targets if isinstance(target, ast.Name)]
    assert len(defined) > 40
    assert sorted(defined) == sorted(set(defined))


def test_the_scorer_needs_python_alone(folder):
    code = (folder / "mira_scoring.py").read_text("utf-8")
    imported = set(re.findall(r"^\s*(?:from|import) ([a-z_]+)", code, re.MULTILINE))
    assert imported <= {*sys.stdlib_module_names, "__future__"}
    script = (
        "import mira_scoring as s, pathlib; scoring = s.read_scoring(pathlib.Path());"
        "print(s.flat_scores(s.score_replies(scoring, {}))['n_unscored'])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) == len(mira_scoring.read_scoring(folder)["questions"])
