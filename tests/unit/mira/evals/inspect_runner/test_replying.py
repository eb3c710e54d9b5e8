from __future__ import annotations

import pytest

from mira.evals.inspect_runner.replying import Reply, needs_repair, prediction_of
from mira.evals.mira_bench.outcomes import hear
from mira.evals.mira_bench.questions import Question
from mira.replies.bare_answers import Choice

QUESTION = Question(
    question_id="q",
    item_id="q",
    scene_id="s",
    split=None,
    template_id="mc_003",
    subtask="mc",
    protocol="visual_bbox",
    format="yes_no",
    choices=(Choice("yes", "yes", "yes"), Choice("no", "no", "no")),
    answer="yes",
    joint_group=None,
    count_max=None,
    sha8="01234567",
)
RIGHT, VAGUE, CUT = '{"final_answer": "yes"}', "One or the other.", '{"final_answer": '


@pytest.mark.parametrize(
    ("text", "needed"), [(RIGHT, False), ("yes", False), (VAGUE, True), (CUT, True), (" ", False)]
)
def test_whoever_said_something_but_no_answer_is_asked_again(text: str, needed: bool) -> None:
    assert needs_repair(QUESTION, Reply(text, "whole")) is needed


@pytest.mark.parametrize(
    ("first", "again", "status", "answer"),
    [
        (Reply(RIGHT, "whole"), None, "parsed", "yes"),
        (Reply("{'final_answer': 'yes'}", "whole"), None, "repaired", "yes"),
        (Reply(VAGUE, "whole"), Reply(RIGHT, "whole"), "repaired", "yes"),
        (Reply(VAGUE, "whole"), Reply(VAGUE, "whole"), "unparsable", None),
        (Reply(RIGHT, "cut"), None, "truncated", "yes"),
        (Reply(CUT, "cut"), Reply(RIGHT, "whole"), "truncated", "yes"),
        (Reply("", "cut"), None, "truncated", None),
        (Reply("", "withheld"), None, "refused", None),
        (Reply("I'm sorry, but I can't help with that.", "whole"), None, "refused", None),
        (Reply(RIGHT, "withheld"), None, "parsed", "yes"),
    ],
)
def test_scores_hear_in_a_prediction_what_was_said(
    first: Reply, again: Reply | None, status: str, answer: str | None
) -> None:
    prediction = prediction_of(QUESTION, first, again)
    assert prediction.status == status
    assert prediction.raw_text == first.text
    assert prediction.question_sha8 == QUESTION.sha8
    assert hear(QUESTION, prediction).answer == answer
