"""The page of MOSAIC trials in a browser: one trial at a time, by list, keys and filters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mosaic_trials import make_mosaic_trial

from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.report.writing import write_mosaic_report
from mira.evals.mosaic.sources import group_trials, with_keys

pytestmark = pytest.mark.slow
PREFERS_LIGHT = {"preference_boxes": [(-0.5, 0.5)] * 10}


@pytest.fixture
def page(chromium: Any, hostile: str, tmp_path: Path) -> Iterator[Any]:
    """The page of six trials, the last of which was decided against what was believed."""
    trials = [
        make_mosaic_trial(
            trial_id=f"t{k}",
            tom_order=k % 2,
            choice=-1 if k == 4 else 0,
            subject={"utterance": [hostile if r in (3, 6, 9) else None for r in range(1, 11)]},
            participant=PREFERS_LIGHT if k == 5 else None,
        )
        for k in range(6)
    ]
    groups = with_keys(group_trials(trials, name=hostile, licence=None))
    write_mosaic_report(groups, tmp_path / "out", policy=MosaicPolicy(), seed=0)
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto((tmp_path / "out" / "trials.html").as_uri())
    yield opened
    assert opened.title() == "Trials of MOSAIC"
    context.close()
    assert complaints == []


def shown(page: Any) -> list[str]:
    """Ids of the trials that are to be seen."""
    titles = page.locator("article.trial h2:visible").all()
    return [title.inner_text().split()[0] for title in titles]


def test_keys_step_from_trial_to_trial_and_stop_at_the_ends(page: Any) -> None:
    # Coop-ToM0 first, then Coop-ToM1.
    order = ["t0", "t2", "t4", "t1", "t3", "t5"]
    assert shown(page) == ["t0"]
    for wanted in (*order[1:], "t5"):
        page.keyboard.press("ArrowRight")
        assert shown(page) == [wanted]
    for wanted in (*order[-2::-1], "t0"):
        page.keyboard.press("ArrowLeft")
        assert shown(page) == [wanted]


def test_filters_leave_what_fits_and_keys_keep_to_it(page: Any) -> None:
    page.select_option("[data-filter=tags]", "reasoning-action-dissociation")
    assert page.inner_text(".count") == "1 of 6"
    page.locator("article h2:visible").click()
    page.keyboard.press("ArrowRight")
    assert shown(page) == ["t5"]
    page.select_option("[data-filter=tags]", "")
    page.select_option("[data-filter=outcome]", "neutral")
    page.locator(".index a:visible").click()
    assert shown(page) == ["t4"]


def test_the_page_fits_a_telephone(page: Any) -> None:
    page.set_viewport_size({"width": 420, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 420
