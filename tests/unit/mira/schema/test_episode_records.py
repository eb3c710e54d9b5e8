"""Episodes and questions that could not have happened are refused by field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mira.schema.episode import (
    Episode,
    EpisodeAgent,
    EpisodeMoment,
    MosaicDetails,
    ReachDetails,
    TomDetails,
    TomItem,
)
from mira.schema.qa import Option
from mira.schema.record import RootRecord

SMALL = st.floats(-1, 1)
TEXT = st.text(max_size=8)


def reach(**changes: Any) -> ReachDetails:
    fields = {
        "level": 0,
        "body": "male_0",
        "hand": "h",
        "mark": "m",
        "setting": "human",
        "threshold_m": 0.10001,
        "step_m": 0.1,
        "d0_m": 1.2,
        "prompt": "Reach.",
    }
    return ReachDetails.model_validate(fields | changes)


def mosaic(**changes: Any) -> MosaicDetails:
    fields = {
        "mode": "cooperative",
        "tom_order": 0,
        "boxes_cells": ((2, 0), (-2, 0)),
        "reward_box": 1,
        "choice": 1,
        "participant_score": 1,
        "subject_score": 1,
    }
    return MosaicDetails.model_validate(fields | changes)


NO_CHOICE = mosaic(choice=None, participant_score=None, subject_score=None)
WRONG_CHOICE = mosaic(choice=0, participant_score=-1, subject_score=-1)
STORY = TomDetails(source="Hi-ToM", story_id="1")


def episode(details: Any, success: bool | None, termination: str, **changes: Any) -> Episode:
    fields = {
        "episode_id": "e",
        "task": "t-v0",
        "seed": 3,
        "agents": (EpisodeAgent(role="agent", name="random"),),
        "model": None,
        "num_steps": 4,
        "max_steps": 10,
        "details": details,
    }
    return Episode(**{**fields, "success": success, "termination": termination} | changes)


def item(**changes: Any) -> TomItem:
    fields = {
        "item_id": "i",
        "story": "s",
        "question": "q",
        "options": (Option(label="A", value="1"), Option(label="B", value="2")),
        "answer": "A",
        "order": 1,
        "kind": "belief",
        "source": "Hi-ToM",
    }
    return TomItem(**fields | changes)


@st.composite
def trials(draw: st.DrawFn) -> Episode:
    reward, choice = draw(st.integers(0, 1)), draw(st.sampled_from([-1, 0, 1, None]))
    score = {None: None, -1: 0, reward: 1, 1 - reward: -1}[choice]
    mode = draw(st.sampled_from(["cooperative", "competitive"]))
    details = mosaic(
        mode=mode,
        reward_box=reward,
        choice=choice,
        participant_score=score,
        subject_score=-score if score and mode == "competitive" else score,
        boxes_cells=draw(st.tuples(*[st.tuples(SMALL, SMALL)] * 2)),
    )
    aborted = choice is None
    return episode(
        details, None if aborted else choice == reward, "aborted" if aborted else "completed"
    )


REACHES = st.builds(
    lambda level, extra, ending: episode(
        reach(level=level, d0_m=0.10001 + extra),
        {"success": True, "max_steps": False, "aborted": None}[ending],
        ending,
    ),
    st.integers(0, 3),
    st.floats(1e-3, 9),
    st.sampled_from(["success", "max_steps", "aborted"]),
)
STORIES = st.builds(
    lambda story, success, seed: episode(
        TomDetails(source="s", story_id=story), success, "completed", seed=seed, max_steps=None
    ),
    TEXT,
    st.booleans(),
    st.none() | st.integers(-(2**53), 2**53),
)
MOMENTS = st.builds(
    EpisodeMoment, episode_id=TEXT, step=st.integers(0, 99), role=st.just("participant")
)
ITEMS = st.builds(
    item, story=TEXT, answer=st.sampled_from("AB"), order=st.none() | st.integers(0, 9)
)
PROBES = st.builds(item, story=st.none(), moment=MOMENTS, options=st.just(()), answer=TEXT)


@given(st.one_of(trials(), REACHES, STORIES, ITEMS, PROBES))
def test_record_survives_dump_and_load(record: RootRecord) -> None:
    assert type(record).from_json(record.to_json(), where="record.json") == record


@pytest.mark.parametrize("level", [-1, 4])
def test_levels_go_from_0_to_3(level: int) -> None:
    with pytest.raises(ValidationError, match="level"):
        reach(level=level)


@pytest.mark.parametrize("d0_m", [0.10001, 0.05])
def test_episode_that_starts_at_its_goal_is_refused(d0_m: float) -> None:
    with pytest.raises(ValidationError, match=f"d0_m: expected more than .*, found {d0_m:g}"):
        reach(d0_m=d0_m)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"choice": 0}, "participant_score"),
        ({"choice": -1}, "participant_score"),
        ({"choice": None}, "participant_score"),
        ({"mode": "competitive"}, "subject_score"),
        ({"choice": -1, "participant_score": 0}, "subject_score"),
        ({"tom_order": 2}, "tom_order"),
        ({"reward_box": -1}, "reward_box"),
    ],
)
def test_scores_follow_from_choice_and_mode(changes: Any, field: str) -> None:
    with pytest.raises(ValidationError, match=rf"\b{field}(: expected|\n)"):
        mosaic(**changes)


def test_subject_loses_what_the_participant_wins_when_they_compete() -> None:
    assert mosaic(mode="competitive", subject_score=-1).subject_score == -1


def test_family_is_that_of_the_details() -> None:
    assert episode(reach(), True, "success").family == "mirror_reach"
    assert episode(WRONG_CHOICE, False, "completed").family == "mosaic"
    assert episode(STORY, True, "completed").family == "tom"


@pytest.mark.parametrize(
    ("details", "success", "termination", "field"),
    [
        (reach(), False, "success", "success"),
        (reach(), True, "max_steps", "success"),
        (reach(), False, "aborted", "success"),
        (reach(), True, "completed", "termination"),
        (mosaic(), False, "completed", "success"),
        (WRONG_CHOICE, True, "completed", "success"),
        (mosaic(), True, "success", "termination"),
        (mosaic(), None, "aborted", r"details\.choice"),
        (NO_CHOICE, None, "completed", r"details\.choice"),
        (STORY, None, "completed", "success"),
        (STORY, True, "max_steps", "termination"),
    ],
)
def test_ending_agrees_with_success(
    details: Any, success: bool | None, termination: str, field: str
) -> None:
    with pytest.raises(ValidationError, match=rf"error, {field}: expected"):
        episode(details, success, termination)


def test_episode_within_its_budget_has_each_role_once() -> None:
    with pytest.raises(ValidationError, match="num_steps: expected at most max_steps = 3, found 4"):
        episode(reach(), True, "success", max_steps=3)
    twins = (EpisodeAgent(role="agent", name="a"), EpisodeAgent(role="agent", name="b"))
    with pytest.raises(ValidationError, match="agents: expected each role once, found agent 2"):
        episode(reach(), True, "success", agents=twins)


def test_unknown_family_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"details\n.*'family'"):
        episode({"family": "chess"}, True, "success")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"story": None}, "story"),
        ({"moment": EpisodeMoment(episode_id="e", step=3, role="subject")}, "story"),
        ({"answer": "C"}, "answer"),
        ({"options": (Option(label="A", value="1"), Option(label="A", value="2"))}, "options"),
        ({"order": -1}, "order"),
    ],
)
def test_question_without_one_answer_is_refused(changes: Any, field: str) -> None:
    with pytest.raises(ValidationError, match=rf"\b{field}(: expected|\n)"):
        item(**changes)


def test_options_that_say_the_same_are_for_the_importer_to_report() -> None:
    same = (Option(label="A", value="yes"), Option(label="B", value="yes"))
    assert item(options=same).options == same
