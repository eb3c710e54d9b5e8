"""What is heard of a prediction."""

from __future__ import annotations

import pytest

from mira.evals.mira_bench.outcomes import Outcome, hear, judge
from mira.evals.mira_bench.questions import parse_question
from mira.schema.evaluation import Prediction

CUT = "Let me look at the mirror and"


@pytest.fixture(scope="session")
def question(make):
    return parse_question(make.row("q", "mc_003", answer="yes", options=("yes", "no")))


def heard(question, **said):
    read = hear(question, Prediction(question_id="q", **said))
    return read.answer, read.kind


@pytest.mark.parametrize(
    ("said", "answer", "kind", "outcome"),
    [
        ({"answer": "Yes"}, "yes", "parsed", "RIGHT"),
        ({"answer": "maybe"}, None, "unparsable", "UNPARSABLE"),
        ({"answer": "no", "status": "repaired"}, "no", "repaired", "WRONG"),
        ({"raw_text": '{"final_answer": "yes",}'}, "yes", "repaired", "RIGHT"),
        ({"raw_text": CUT}, None, "unparsable", "UNPARSABLE"),
        ({"raw_text": CUT, "status": "truncated"}, None, "truncated", "UNPARSABLE"),
        ({"raw_text": CUT, "repair_text": "yes"}, "yes", "repaired", "RIGHT"),
        ({"raw_text": "no", "repair_text": "yes"}, "no", "parsed", "WRONG"),
        ({"raw_text": CUT, "repair_text": CUT}, None, "unparsable", "UNPARSABLE"),
        ({"status": "refused"}, None, "refused", "UNPARSABLE"),
        ({"status": "abstained", "raw_text": "yes"}, None, "abstained", "UNPARSABLE"),
        ({"status": "failed"}, None, "failed", "UNSCORED"),
    ],
)
def test_a_prediction_is_heard_by_what_it_holds(question, said, answer, kind, outcome):
    assert heard(question, **said) == (answer, kind)
    assert judge(question, Prediction(question_id="q", **said)) is Outcome[outcome]


def test_nothing_at_all_is_never_heard(question):
    assert hear(question, None).kind == "failed"
    assert judge(question, None) is Outcome.UNSCORED


def test_a_confidence_that_is_told_apart_wins_over_that_of_the_reply(question):
    reply = '{"final_answer": "yes", "confidence": 0.25}'
    assert hear(question, Prediction(question_id="q", raw_text=reply)).confidence == 0.25
    told = Prediction(question_id="q", raw_text=reply, confidence=0.75)
    assert hear(question, told).confidence == 0.75
