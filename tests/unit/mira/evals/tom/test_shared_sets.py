"""The published sets themselves, where they lie beside the checkout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mira.evals.tom.baselines import baseline_replies
from mira.evals.tom.importing import import_set
from mira.evals.tom.runs import read_items
from mira.evals.tom.scoring import score_items

SETS = Path(__file__).parents[6] / "shared" / "data" / "tom"
FOUND = {
    "tomi": (17_982, {}),
    "hitom": (462, {"contradictory": 276, "repeated": 462}),
    "tombench": (920, {}),
    "simpletom": (42, {"repeated": 2}),
    "bigtom": (5_256, {"right-equals-wrong": 744}),
    "mmtom": (599, {"repeated": 1}),
    "mumatom": (900, {}),
}


def source(name: str) -> Path:
    if not (SETS / name).is_dir():
        pytest.skip("the published sets are not on this machine")
    return SETS / name


@pytest.mark.parametrize(
    "name",
    [pytest.param("tomi", marks=pytest.mark.slow), *(name for name in FOUND if name != "tomi")],
)
def test_a_published_set_imports_and_its_oracle_has_all_of_it_right(
    name: str, tmp_path: Path
) -> None:
    found = import_set(source(name), tmp_path / "run")
    assert (found.items, found.reasons) == FOUND[name]
    items = read_items(tmp_path / "run").items[:600]
    said = baseline_replies(items, "oracle", rng=np.random.default_rng(0))
    scores = score_items(items, said, run=name)
    assert {row.value for row in scores.rows} == {1}


def test_copies_of_a_hitom_question_contradict_each_other_from_the_second_order_on(
    tmp_path: Path,
) -> None:
    folder = source("hitom")
    import_set(folder, tmp_path / "run")
    kept = [item.order for item in read_items(tmp_path / "run").items]
    assert [kept.count(order) for order in range(5)] == [120, 120, 85, 72, 65]
