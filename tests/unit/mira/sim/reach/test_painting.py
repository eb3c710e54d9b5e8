"""Painters around painters."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mira.errors import SimulationError
from mira.sim.reach.painting import OneThreadPainter


def test_one_thread_draws_for_all_and_it_is_none_of_theirs(painter: Any, scene: Any) -> None:
    threads: set[int] = set()

    class Watching:
        def draw(self, *asked: Any) -> Any:
            threads.add(threading.get_ident())
            return painter.draw(*asked)

        def close(self) -> None:
            threads.add(threading.get_ident())
            painter.close()

    def make() -> Any:
        threads.add(threading.get_ident())
        return Watching()

    drawing = OneThreadPainter(make)
    x, y, z = scene.body.hand_m
    with ThreadPoolExecutor(4) as asking:
        shown = list(asking.map(lambda k: drawing.draw(scene, (x, y, z + 0.1 * k)), range(8)))
    assert len({picture[0, 0].tobytes() for picture in shown}) == 8
    drawing.close()
    assert painter.is_closed
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_what_cannot_be_made_is_said_and_no_thread_stays() -> None:
    before = threading.active_count()

    def fail() -> Any:
        raise SimulationError("GL", "is not there")

    with pytest.raises(SimulationError, match="GL: is not there"):
        OneThreadPainter(fail)
    assert threading.active_count() == before
