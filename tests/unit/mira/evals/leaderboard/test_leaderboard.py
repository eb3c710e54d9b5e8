"""Who is ranked, who is not and why, and what people are worth; on runs one can work out."""

from __future__ import annotations

import json
import os
import re

import cv2
import numpy as np
import pytest

from mira.errors import PredictionError
from mira.evals.leaderboard.making import make_leaderboard
from mira.evals.leaderboard.page import leaderboard_page, write_leaderboard
from mira.evals.leaderboard.records import BoardPair, LeaderboardPolicy
from mira.evals.leaderboard.standing import ranks_of
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.mira_bench.comparing import compare_runs, holm
from mira.evals.mira_bench.judging import judge_runs
from mira.evals.mira_bench.runs import write_run
from mira.evals.papers.tables import read_table
from mira.release.question_sets import set_digest
from mira.schema.evaluation import Decoding, Prediction, RunManifest

N = 24
POLICY = LeaderboardPolicy(bootstrap=BootstrapPolicy(resamples=100))


def make_release(folder, *, scale=1):
    """Questions on pictures of their own, all with the answer left."""
    folder.mkdir()
    cv2.imwrite(str(folder / "p.png"), np.full((8, 8, 3), 10 * scale, np.uint8))
    lines = [
        {
            "question_id": f"q{k}",
            "question": "Left or right?",
            "image": "p.png",
            "options": ["left", "right"],
            "answer": "left",
            "scene": f"s{k}",
        }
        for k in range(N)
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return folder


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A folder with two releases."""
    folder = tmp_path_factory.mktemp("board")
    make_release(folder / "release")
    make_release(folder / "other", scale=2)
    return folder


@pytest.fixture
def make(root, tmp_path):
    """Writes a run that has the first so many right."""

    def _make(called, right, *, release="release", heard=N, **manifest):
        path = tmp_path / called.replace("/", "-")
        told = RunManifest(
            **{
                "model": called,
                "decoding": Decoding(),
                "dataset_digest": set_digest(root / release),
                "prompt_version": "1",
                "protocol": "visual_bbox",
                "modality": "rgb",
                "code_version": "0",
                "release": os.path.relpath(root / release, path),
                **manifest,
            }
        )
        said = [
            Prediction(question_id=f"q{k}", answer="A" if k < right else "B") for k in range(heard)
        ]
        write_run(path, told, said)
        return path

    return _make


def board(paths, **more):
    return make_leaderboard(paths, policy=POLICY, **more)


def test_models_that_the_test_does_not_separate_share_a_rank(make):
    paths = [make("good", 22), make("fair", 21), make("bad", 2)]
    found = board(paths)
    told = {one.key: (one.rank, one.score("overall").value) for one in found.entries}
    assert told == {"good": (1, 22 / N), "fair": (1, 21 / N), "bad": (3, 2 / N)}
    assert [one.key for one in found.entries] == ["good", "fair", "bad"]
    # The p of each pair is that of the comparison of two runs, corrected for three.
    judged = dict(zip(("good", "fair", "bad"), judge_runs(paths).runs, strict=True))
    ps = {
        f"{one.first} {one.second}": compare_runs(
            judged[one.first],
            judged[one.second],
            release_digest=found.release_digest,
            rng=np.random.default_rng(0),
        )
        .rows[-1]
        .p_scenes
        for one in found.pairs
    }
    assert {f"{one.first} {one.second}": one.p_holm for one in found.pairs} == holm(ps)


def test_a_rank_is_one_more_than_the_models_that_are_clearly_better():
    def pair(first, second, difference, p):
        return BoardPair(first=first, second=second, difference=difference, interval=None, p_holm=p)

    pairs = [pair("a", "b", -0.1, 0.2), pair("a", "c", -0.3, 0.01), pair("b", "c", -0.2, 0.04)]
    assert ranks_of("abc", pairs, alpha=0.05) == {"a": 1, "b": 1, "c": 3}
    assert ranks_of("abc", pairs, alpha=0.02) == {"a": 1, "b": 1, "c": 2}
    assert ranks_of("abc", pairs[::-1], alpha=0.05) == {"a": 1, "b": 1, "c": 3}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"release": "other"}, r"other data: release \w{12}, here \w{12}"),
        ({"prompt_version": "2"}, "other prompt: version 2, here 1"),
        ({"decoding": Decoding(temperature=0.7)}, "other decoding: temperature 0.7, here 0.0"),
        ({"decoding": Decoding(max_tokens=9)}, "other decoding: longest reply 9, here 2048"),
        ({"decoding": Decoding(parameters={"top_p": 0.9})}, "other decoding: top_p 0.9, here none"),
        ({"limit": 10}, "other number of questions: at most 10, here all"),
        ({"modality": "rgb_d"}, "other pictures: rgb_d, here rgb"),
        ({"protocol": "bbox_text"}, "other protocol: bbox_text, here visual_bbox"),
        ({"style": {"line_px": 8.0}}, "other style of markers: thickness=8, here default"),
        ({"heard": 20}, "incomplete: 4 of 24 questions have no reply"),
        ({"dataset_digest": "e" * 64}, r"other data: release e{12}, here \w+; it is not at hand"),
    ],
)
def test_what_keeps_a_run_from_being_compared_is_said_and_it_has_no_rank(make, change, reason):
    found = board([make("one", 20), make("two", 18), make("odd", 24, **change)])
    odd = next(one for one in found.entries if one.key == "odd")
    assert (odd.kind, odd.rank) == ("apart", None)
    assert len(odd.reasons) == 1
    assert re.fullmatch(reason, odd.reasons[0])
    assert {one.first for one in found.pairs} | {one.second for one in found.pairs} == {
        "one",
        "two",
    }
    assert odd.reasons[0].split(",")[0] in leaderboard_page(found).replace("&#39;", "'")


def test_another_version_of_the_program_is_no_reason(make):
    found = board([make("one", 20), make("two", 18, code_version="9")])
    assert [one.kind for one in found.entries] == ["ranked", "ranked"]


def test_a_board_goes_by_what_most_models_were_asked_or_by_the_run_that_is_named(make):
    paths = [make("a", 1, prompt_version="2"), make("b", 2), make("c", 3)]
    assert [one.key for one in board(paths).entries if one.rank] == ["c", "b"]
    liked = board(paths, like=paths[0])
    assert [one.key for one in liked.entries if one.rank] == ["a"]
    assert liked.settings["prompt"] == "2"
    with pytest.raises(PredictionError, match="expected one of the runs"):
        board(paths[1:], like=paths[0])


def test_plain_files_are_not_ranked_and_references_stand_beside(make, tmp_path):
    lines = [json.dumps({"question_id": f"q{k}", "answer": "A"}) for k in range(N)]
    (tmp_path / "plain.jsonl").write_text("\n".join(lines), "utf-8")
    found = board(
        [make("one", 20), tmp_path / "plain.jsonl"], references=[tmp_path / "plain.jsonl"]
    )
    assert [(one.kind, one.reasons) for one in found.entries] == [
        ("ranked", ()),
        ("apart", ("a plain file: nobody knows how it was asked",)),
        ("reference", ()),
    ]
    with pytest.raises(PredictionError, match="expected a run or a file of predictions"):
        board([make("two", 20), tmp_path / "nosuch"])
    with pytest.raises(PredictionError, match=r"expected one with run\.json"):
        board([tmp_path / "plain.jsonl"])


def test_people_are_counted_and_each_reply_of_theirs_weighs_the_same(make, tmp_path):
    def reply(k, answer, by):
        return json.dumps(
            {
                "question_id": f"q{k}",
                "answer": answer,
                "by": by,
                "asked_sha8": "0" * 8,
                "protocol": "visual_bbox",
                "modality": "rgb_dm",
            }
        )

    anna = [reply(k, "A", "anna") for k in range(6)]
    berta = [reply(k, "A" if k < 5 else "B", "berta") for k in range(4, 8)]
    for name, lines in (("anna", anna), ("berta", berta)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    found = board([make("one", 20), tmp_path / "anna.jsonl", tmp_path / "berta.jsonl"])
    people = found.entries[1]
    assert (people.kind, people.rank, people.n_people, people.n_replies) == ("people", None, 2, 10)
    assert people.score("overall").value == pytest.approx(7 / 10)
    assert people.n_questions - people.n_unscored == 8
    assert "10 replies to 8 of 24 questions" in leaderboard_page(found)


def test_published_rows_are_those_in_print_and_held_against_nothing(make):
    found = board([make("one", 20), make("two", 3)], with_published=True)
    printed = {row["row"]: row for row in read_table("mira_accuracy") if row["table"] == "1"}
    shown = {one.model: one for one in found.entries if one.kind == "published"}
    assert shown.keys() == printed.keys()
    for name, one in shown.items():
        assert one.rank is None
        assert one.score("overall").value == pytest.approx(float(printed[name]["overall"]) / 100)
        assert one.score("level:spatial").value == pytest.approx(
            float(printed[name]["spatial"]) / 100
        )
        assert one.reasons == ("published (MIRA-Bench, table 1), not comparable: other data",)
    assert len(found.pairs) == 1


def test_the_page_stands_alone_and_runs_nothing_of_what_it_shows(make, tmp_path):
    hostile = '<script>alert(1)</script>"&'
    paths = [make("plain", 20), make("x", 5, name=hostile, model=hostile)]
    found = board(paths)
    for name in ("one.html", "two.html"):
        write_leaderboard(found, tmp_path / name)
    page = (tmp_path / "one.html").read_text("utf-8")
    assert (tmp_path / "two.html").read_text("utf-8") == page
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=[\"']?(?!#)", page)
    assert "&lt;script&gt;" in page


def test_a_release_is_digested_once_however_many_runs_are_on_it(root, make, monkeypatch):
    digested = []

    def counted(folder):
        digested.append(folder.resolve())
        return set_digest(folder)

    paths = [make("a", 20), make("b", 10), make("c", 5)]
    monkeypatch.setattr("mira.evals.leaderboard.gathering.set_digest", counted)
    make_leaderboard(paths, policy=POLICY)
    assert digested == [(root / "release").resolve()]
