"""Runs on disk, and what they were to answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from mira.errors import PredictionError, RecordError
from mira.evals.mira_bench.judging import judge_run
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mira_bench.questions import parse_questions
from mira.evals.mira_bench.runs import Run, read_manifest, read_run, run_paths, write_run
from mira.schema.episode import EpisodeRun
from mira.schema.evaluation import Decoding, Prediction, RunManifest
from mira.schema.record import Provenance
from mira.store.episodes import EpisodeStore

SAID = (Prediction(question_id="a", raw_text="yes"), Prediction(question_id="b", status="failed"))


def manifest(**more):
    return RunManifest(
        **{
            "model": "some/vlm",
            "decoding": Decoding(),
            "dataset_digest": "d",
            "prompt_version": "1",
            "code_version": "0",
            **more,
        }
    )


def test_a_run_reads_as_it_was_written_and_equal_runs_are_equal_bytes(tmp_path):
    for name in ("one", "two"):
        write_run(tmp_path / name, manifest(), SAID)
    found = read_run(tmp_path / "one", question_ids={"a", "b"})
    assert (found.name, found.manifest, found.predictions) == ("some/vlm", manifest(), SAID)
    for name in ("run.json", "replies.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_plain_file_is_a_run_of_which_nothing_is_known(tmp_path):
    write_run(tmp_path / "run", manifest(name="mine"), SAID)
    assert read_run(tmp_path / "run", question_ids="ab").name == "mine"
    found = read_run(tmp_path / "run" / "replies.jsonl", question_ids="ab")
    assert (found.name, found.manifest, found.predictions) == ("replies", None, SAID)


def test_a_folder_that_is_no_run_is_told(tmp_path):
    with pytest.raises(PredictionError, match="expected a run with run.json"):
        read_run(tmp_path, question_ids=())
    (tmp_path / "run.json").write_text('{"model": 1}', "utf-8")
    with pytest.raises(RecordError, match=r"run\.json"):
        read_run(tmp_path, question_ids=())


def test_what_a_run_was_to_answer_is_in_its_manifest_or_seen_in_its_replies(make):
    questions = parse_questions(make.release(4, protocols=("visual_bbox", "bbox_text")))
    some = [one for one in questions if one.protocol == "bbox_text" and one.split == "test"]
    said = tuple(
        Prediction(question_id=one.question_id, answer=one.answer.replace("_", " "))
        for one in some[:-1]
    )
    plain = judge_run(Run("plain", Path("p"), None, said), questions)
    told = judge_run(
        Run("told", Path("t"), manifest(protocol="bbox_text", split="test"), said), questions
    )
    assert (plain.protocol, plain.split) == ("bbox_text", "test")
    assert plain.asked == told.asked
    # Collision risk points at nothing, so it belongs to every protocol.
    assert {one.protocol for one in told.asked} == {"bbox_text", None}
    unscored = [name for name, of in told.outcomes.items() if of is Outcome.UNSCORED]
    assert len(unscored) == len(told.asked) - len(said)


def test_a_folder_of_runs_stands_for_them_and_what_lies_beside_is_passed_over(tmp_path):
    for name in ("a", "b"):
        (tmp_path / "out" / name).mkdir(parents=True)
        (tmp_path / "out" / name / "run.json").touch()
    (tmp_path / "out" / "inspect").mkdir()
    (tmp_path / "out" / "inspect" / "heard.jsonl").touch()
    both = (tmp_path / "out" / "a", tmp_path / "out" / "b")
    assert run_paths([tmp_path / "out"]) == both
    assert run_paths(sorted((tmp_path / "out").iterdir())) == both
    plain = tmp_path / "said.jsonl"
    assert run_paths([plain, tmp_path / "none", plain]) == (plain, tmp_path / "none")


def test_runs_of_episodes_are_passed_over_in_a_folder_of_runs_and_named_when_asked_for(tmp_path):
    made_by = Provenance(tool="a simulator", tool_version="1")
    played = tmp_path / "out" / "mirror"
    EpisodeStore.create(played, EpisodeRun(name="up", provenance=made_by))
    asked = tmp_path / "out" / "asked"
    asked.mkdir()
    (asked / "run.json").touch()
    assert run_paths([tmp_path / "out"]) == (asked,)
    with pytest.raises(PredictionError, match="mirror: expected replies .*, found a run of episod"):
        read_manifest(played)
