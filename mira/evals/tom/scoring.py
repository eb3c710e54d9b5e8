"""From replies to scores: by source, kind, order, condition; jointly; told against applied."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mira.errors import EpisodeError, PredictionError
from mira.evals.mira_bench.bootstrap import BootstrapPolicy, bootstrap_intervals
from mira.evals.mira_bench.tallies import Tallies
from mira.evals.tom.asking import item_sha8
from mira.evals.tom.gaps import gaps_of
from mira.evals.tom.records import ALL_SOURCES, RowGroup, TomRow, TomScores
from mira.evals.tom.replies import hear, judge
from mira.evals.tom.units import (
    Counted,
    Unit,
    alone,
    by_joint_group,
    units_of,
    up_to_order,
    with_controls,
)
from mira.replies.reading import ReadReply
from mira.schema.episode import TomItem
from mira.schema.evaluation import Prediction

KINDS = ("belief", "state", "action", "judgement", "control")
CONDITIONS = ("true_belief", "false_belief", "memory", "reality", "fact", "random_event")


class _Row(NamedTuple):
    group: RowGroup
    name: str
    counted: list[Counted]


def score_items(
    items: Sequence[TomItem],
    predictions: Iterable[Prediction],
    *,
    run: str,
    bootstrap: BootstrapPolicy | None = None,
    rng: np.random.Generator | None = None,
) -> TomScores:
    """Scores of replies to the items of a run.

    A reply that cannot be read is wrong and counted; a question that was never answered counts
    neither way, and the scores are not complete (decision 4). So are a group and a question in
    rotations of which one was never answered.

    Args:
        items: All questions of the run.
        predictions: At most one a question.
        run: Name of the run.
        bootstrap: How intervals are computed.
        rng: Source of the resamples; one of seed 0 when absent.

    Raises:
        EpisodeError: There are no items.
        PredictionError: A reply is to no item, to one that another reply is to, or to one that
            has changed since.
    """
    if not items:
        raise EpisodeError(run, "expected questions, found none in the run")
    said = hear_all(items, predictions)
    outcomes = {item.item_id: judge(item, said[item.item_id]) for item in items}
    units = units_of(items, outcomes)
    policy = bootstrap or BootstrapPolicy()
    generator = np.random.default_rng(0) if rng is None else rng
    by_source: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        by_source[unit.item.source].append(unit)
    rows: list[TomRow] = []
    if len(by_source) > 1:
        overall = [_Row("overall", "overall", alone(units))]
        rows += _scored(ALL_SOURCES, overall, policy, generator)
    for source, mine in by_source.items():
        rows += _scored(source, list(_rows(mine)), policy, generator)
    counts = Counter(outcome.value for outcome in outcomes.values())
    return TomScores(
        run=run,
        items_digest=digest_of(items),
        complete=not counts["unscored"],
        turns_options=any(item.rotation_of is not None for item in items),
        n=len(items),
        n_unparsable=counts["unparsable"],
        n_unscored=counts["unscored"],
        classes=dict(Counter(said[item.item_id].kind for item in items)),
        rows=tuple(rows),
        gaps=tuple(
            gap
            for source, mine in by_source.items()
            for gap in gaps_of(source, mine, policy=policy, rng=generator)
        ),
    )


def hear_all(items: Sequence[TomItem], predictions: Iterable[Prediction]) -> dict[str, ReadReply]:
    """What was said to each item, by its id.

    Raises:
        PredictionError: A reply is to no item, to one that another reply is to, or to one that
            has changed since.
    """
    known = {item.item_id: item for item in items}
    given: dict[str, Prediction] = {}
    for prediction in predictions:
        name = prediction.question_id
        if name not in known:
            raise PredictionError(name, "expected a question of this run, found none")
        if name in given:
            raise PredictionError(name, "expected one reply a question, found two")
        if prediction.question_sha8 not in (None, item_sha8(known[name])):
            raise PredictionError(
                name,
                "the question, its options or its answer changed since this reply was given",
                "ask again, or score on the run that was asked",
            )
        given[name] = prediction
    return {item.item_id: hear(item, given.get(item.item_id)) for item in items}


def digest_of(items: Iterable[TomItem]) -> str:
    """Digest of what is asked, whatever the order of the items."""
    asked = sorted(f"{item.item_id} {item_sha8(item)}" for item in items)
    return hashlib.sha256("\n".join(asked).encode()).hexdigest()


def _rows(units: Sequence[Unit]) -> Iterator[_Row]:
    """The rows of one source."""
    yield _Row("overall", "overall", alone(units))
    for kind in KINDS:
        yield _Row("kind", kind, alone(one for one in units if one.item.kind == kind))
    orders = sorted({one.item.order for one in units if one.item.order is not None})
    for order in orders:
        mine = alone(one for one in units if one.item.order == order)
        yield _Row("order", str(order), mine)
    if len(orders) > 1:
        for order in orders:
            yield _Row("order_jointly", str(order), up_to_order(units, order, orders))
    known = [f"{one}{kind}" for kind in ("", ", action", ", state") for one in CONDITIONS]
    told = {condition for one in units if (condition := _condition(one)) is not None}
    for condition in (*known, *sorted(told - set(known))):
        yield _Row("condition", condition, alone(u for u in units if _condition(u) == condition))
    yield _Row("with_controls", "false_belief", with_controls(units))
    for category in sorted({one.item.category for one in units if one.item.category}):
        mine = alone(one for one in units if one.item.category == category)
        yield _Row("category", category, mine)
    yield _Row("joint", "all of a group", by_joint_group(units))


def _condition(unit: Unit) -> str | None:
    """The condition, with what is asked where that is neither a belief nor a check."""
    item = unit.item
    if item.condition is None or item.kind in ("belief", "control"):
        return item.condition
    return f"{item.condition}, {item.kind}"


def _scored(
    source: str, rows: Sequence[_Row], policy: BootstrapPolicy, rng: np.random.Generator
) -> Iterator[TomRow]:
    rows = [row for row in rows if row.counted]
    tallies = tally_rows([row.counted for row in rows])
    each = np.eye(len(rows), dtype=bool)
    values = tallies.accuracies(np.ones((1, len(tallies.units))), each)[0]
    intervals = bootstrap_intervals(tallies, each, policy=policy, rng=rng, over="stories")
    for k, row in enumerate(rows):
        yield TomRow(
            source=source,
            group=row.group,
            name=row.name,
            value=_known(values[k]),
            # Which false beliefs count depends on the replies, so guessing has no share of them.
            chance=None if row.group == "with_controls" else _known(tallies.chance[k]),
            n_units=int(tallies.units[:, k].sum()),
            n=int(tallies.questions[:, k].sum()),
            n_unparsable=int(tallies.unparsable[:, k].sum()),
            n_unscored=int(tallies.unscored[:, k].sum()),
            interval=intervals[k],
        )


def tally_rows(rows: Sequence[Sequence[Counted]]) -> Tallies:
    """Counts by story and row; each row is a column of its own."""
    stories = sorted({counted[0].story for row in rows for counted in row})
    place = {story: number for number, story in enumerate(stories)}
    right, scored, asked, unparsable, unscored = np.zeros((5, len(stories), len(rows)))
    chances = []
    for column, row in enumerate(rows):
        for counted in row:
            cell = place[counted[0].story], column
            outcomes = Counter(outcome.value for unit in counted for outcome in unit.outcomes)
            is_heard = all(unit.is_heard for unit in counted)
            scored[cell] += is_heard
            right[cell] += is_heard and all(unit.is_right for unit in counted)
            asked[cell] += outcomes.total()
            unparsable[cell] += outcomes["unparsable"]
            unscored[cell] += outcomes["unscored"]
        chances.append(np.mean([math.prod(unit.chance for unit in of) for of in row]))
    names = tuple(str(column) for column in range(len(rows)))
    return Tallies(names, right, scored, asked, unparsable, unscored, np.array(chances))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
