"""Scores are what one counts by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.errors import EpisodeError, PredictionError
from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.evals.tom.baselines import baseline_replies
from mira.evals.tom.circulating import circulate
from mira.evals.tom.records import TomRow, TomScores
from mira.evals.tom.scoring import score_items
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction
from mira.schema.qa import Option

QUICK = BootstrapPolicy(resamples=50)
Make = Callable[..., TomItem]


def score(items: list[TomItem], said: dict[str, str | None]) -> TomScores:
    """Scores of answers by item id; None is a call that failed, and what is not there missing."""
    predictions = [
        Prediction(question_id=name, answer=answer, status="parsed" if answer else "failed")
        for name, answer in said.items()
    ]
    return score_items(items, predictions, run="ours", bootstrap=QUICK)


def row(scores: TomScores, group: str, name: str) -> TomRow:
    return next(one for one in scores.rows if (one.group, one.name) == (group, name))


def numbers(found: TomRow) -> tuple[float | None, int, int, int, int]:
    return found.value, found.n_units, found.n, found.n_unparsable, found.n_unscored


@st.composite
def answered(draw: st.DrawFn) -> tuple[list[TomItem], dict[str, str | None]]:
    """Items in stories and groups, some turned, and what somebody says to them."""
    items: list[TomItem] = []
    for number in range(draw(st.integers(1, 12))):
        items.append(
            TomItem(
                item_id=f"q{number}",
                story=f"story {draw(st.integers(0, 3))}",
                question=f"question {number}",
                options=tuple(Option(label=label, value=label * 2) for label in "ABC"),
                answer=draw(st.sampled_from("ABC")),
                order=draw(st.sampled_from([None, 0, 1, 2])),
                kind=draw(st.sampled_from(["belief", "action", "judgement", "control"])),
                condition=draw(st.sampled_from([None, "true_belief", "false_belief"])),
                joint_group=draw(st.sampled_from([None, "g", "h"])),
                source=draw(st.sampled_from(["ours", "theirs"])),
            )
        )
    if draw(st.booleans()):
        items = list(circulate(items))
    answers = st.sampled_from(["A", "B", "C", "what?", None, "missing"])
    said = {one.item_id: draw(answers) for one in items}
    return items, {name: answer for name, answer in said.items() if answer != "missing"}


def by_hand(
    items: list[TomItem], said: dict[str, str | None], key: Callable[[TomItem], Any]
) -> Iterator[tuple[Any, tuple[float | None, int]]]:
    """Share right and how many were heard, of questions with the same key, rotations as one."""
    questions: dict[tuple[Any, str], list[TomItem]] = defaultdict(list)
    for item in items:
        questions[key(item), item.rotation_of or item.item_id].append(item)
    heard: dict[Any, list[bool]] = defaultdict(list)
    for (name, _), turned in questions.items():
        heard[name]  # A key of which nothing was heard has a row too.
        if all(said.get(one.item_id) for one in turned):
            heard[name].append(all(said[one.item_id] == one.answer for one in turned))
    for name, right in heard.items():
        yield name, (sum(right) / len(right) if right else None, len(right))


@settings(max_examples=40)
@given(answered())
def test_rows_are_what_one_counts_by_hand(
    drawn: tuple[list[TomItem], dict[str, str | None]],
) -> None:
    items, said = drawn
    scores = score(items, said)
    rows = {(one.source, one.group, one.name): (one.value, one.n_units) for one in scores.rows}
    for group, key in (
        ("overall", lambda item: (item.source, "overall")),
        ("kind", lambda item: (item.source, item.kind)),
        ("order", lambda item: (item.source, str(item.order))),
    ):
        expected = dict(by_hand(items, said, key))
        expected.pop(("ours", "None"), None), expected.pop(("theirs", "None"), None)
        found = {
            (source, name): value
            for (source, of, name), value in rows.items()
            if of == group and source != "all"
        }
        assert found == {name: pytest.approx(value) for name, value in expected.items()}
    unheard = [one for one in items if not said.get(one.item_id)]
    assert (scores.complete, scores.n_unscored) == (not unheard, len(unheard))
    assert scores.n_unparsable == sum(answer == "what?" for answer in said.values())


@settings(max_examples=20)
@given(answered())
def test_the_order_of_items_and_replies_makes_no_difference_to_a_value(
    drawn: tuple[list[TomItem], dict[str, str | None]],
) -> None:
    items, said = drawn
    one = score(items, said)
    two = score(items[::-1], dict(reversed(said.items())))
    assert {(r.source, r.group, r.name): numbers(r) for r in one.rows} == {
        (r.source, r.group, r.name): numbers(r) for r in two.rows
    }
    assert one.items_digest == two.items_digest


def test_a_question_never_answered_counts_neither_way_and_takes_its_group_along(
    make_item: Make,
) -> None:
    items = [make_item(name, options="a|b", joint_group="g", question=name) for name in "xyz"]
    scores = score(items, {"x": "A", "y": "what?", "z": None})
    assert numbers(row(scores, "overall", "overall")) == (0.5, 2, 3, 1, 1)
    assert numbers(row(scores, "joint", "all of a group")) == (None, 0, 3, 1, 1)
    assert not scores.complete


def test_a_question_in_rotations_is_right_when_all_of_them_are(make_item: Make) -> None:
    items = list(circulate([make_item("x", options="a|b|c")]))
    all_right = {one.item_id: one.answer for one in items}
    assert row(score(items, dict(all_right)), "overall", "overall").value == 1
    always_first = {one.item_id: "A" for one in items}
    found = row(score(items, dict(always_first)), "overall", "overall")
    assert numbers(found) == (0, 1, 3, 0, 0)
    assert found.chance == pytest.approx(1 / 27)


def test_an_order_counts_with_all_lower_ones_of_its_story(make_item: Make) -> None:
    items = [
        make_item(f"{story}{order}", options="a|b", order=order, story=story, question=f"{order}?")
        for story in ("s", "t")
        for order in (0, 1, 2)
    ]
    said = dict.fromkeys(("s0", "s1", "s2", "t0", "t2"), "A") | {"t1": "B"}
    scores = score(items, dict(said))
    assert [row(scores, "order", str(k)).value for k in range(3)] == [1, 0.5, 1]
    assert [row(scores, "order_jointly", str(k)).value for k in range(3)] == [1, 0.5, 0.5]


def test_false_beliefs_of_stories_that_were_not_understood_are_set_apart(make_item: Make) -> None:
    items = []
    for story in ("s", "t"):
        items += [
            make_item(f"{story}m", options="a|b", kind="control", condition="memory", story=story),
            make_item(f"{story}f", options="a|c", condition="false_belief", story=story),
        ]
    scores = score(items, {"sm": "A", "sf": "B", "tm": "B", "tf": "A"})
    assert row(scores, "condition", "false_belief").value == 0.5
    found = row(scores, "with_controls", "false_belief")
    assert (found.value, found.n_units, found.chance) == (0, 1, None)


def test_the_gap_is_told_minus_applied_on_the_same_stories(make_item: Make) -> None:
    items, said = [], {}
    for number in range(20):
        story = f"story {number}"
        items += [
            make_item(f"b{number}", options="a|b", story=story, kind="belief"),
            make_item(f"a{number}", options="a|b", story=story, kind="action"),
        ]
        said |= {f"b{number}": "A", f"a{number}": "A" if number < 5 else "B"}
    items.append(make_item("lone", options="a|b", story="another", kind="action"))
    (gap,) = score(items, dict(said) | {"lone": "A"}).gaps
    assert (gap.applied, gap.n_pairs, gap.explicit, gap.used) == ("action", 20, 1, 0.25)
    assert gap.difference == 0.75
    assert (gap.explicit_alone, gap.used_alone) == (15, 0)
    assert gap.p_mcnemar == pytest.approx(2 * 0.5**15)
    assert gap.interval is not None
    assert gap.interval.low <= 0.75 <= gap.interval.high


def test_intervals_resample_stories_and_not_questions(make_item: Make) -> None:
    items, said = [], {}
    for story in range(10):
        for number in range(10):
            name = f"{story}-{number}"
            items.append(make_item(name, options="a|b", question=name, story_id=f"s{story}"))
            said[name] = "A" if story % 2 else "B"
    interval = row(score(items, dict(said)), "overall", "overall").interval
    assert interval is not None
    assert "over stories" in interval.method
    # Ten independent stories, not a hundred independent questions.
    assert interval.high - interval.low > 0.4


def test_one_story_has_no_interval(make_item: Make) -> None:
    items = [make_item("x", options="a|b"), make_item("y", options="a|b", question="other?")]
    assert row(score(items, {"x": "A", "y": "B"}), "overall", "overall").interval is None


def test_replies_to_another_question_are_refused(make_item: Make) -> None:
    items = [make_item("x", options="a|b")]
    with pytest.raises(PredictionError, match="expected a question of this run"):
        score(items, {"z": "A"})
    twice = [Prediction(question_id="x", answer="A")] * 2
    with pytest.raises(PredictionError, match="found two"):
        score_items(items, twice, run="ours")
    old = Prediction(question_id="x", answer="A", question_sha8="00000000")
    with pytest.raises(PredictionError, match="changed since"):
        score_items(items, [old], run="ours")
    with pytest.raises(EpisodeError, match="found none"):
        score([], {})


def test_baselines_score_what_they_say_they_are(make_item: Make) -> None:
    items = [
        make_item(f"q{k}", options="a|bbb|cc", answer="AAB"[k % 3], question=f"{k}?")
        for k in range(300)
    ]
    values = {}
    for name in ("oracle", "random", "majority", "first", "longest"):
        replies = baseline_replies(items, name, rng=np.random.default_rng(1))
        scores = score_items(items, replies, run="ours", bootstrap=QUICK)
        values[name] = row(scores, "overall", "overall").value
    assert values["oracle"] == 1
    assert values["random"] == pytest.approx(1 / 3, abs=0.1)
    assert values["majority"] == values["first"] == pytest.approx(2 / 3)
    assert values["longest"] == pytest.approx(1 / 3)


def test_who_guesses_says_nothing_where_nothing_is_offered(make_item: Make) -> None:
    items = [make_item("x"), make_item("y", options="a|b")]
    for name in ("random", "first", "longest"):
        replies = list(baseline_replies(items, name, rng=np.random.default_rng(1)))
        assert [one.status for one in replies] == ["failed", "parsed"]
    for name in ("oracle", "majority"):
        replies = list(baseline_replies(items, name, rng=np.random.default_rng(1)))
        assert [one.answer for one in replies] == ["red_tub", "A"]
