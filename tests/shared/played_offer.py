"""The mirror test as people are offered it, drawn by a painter that takes no time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from small_painter import SmallPainter

from annotate.playing.offer import Offer
from annotate.playing.sitting import Sitting
from mira.cli.eval_mirror_browser import reach_offer
from mira.schema.step import ReachAction
from mira.sim.reach.agents import make_agent
from mira.sim.reach.painting import RememberingPainter
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.prompting.wording import packaged_wording
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.series import ReachSetup, reach_slots

SCENES = ("tienkung-gripper-ring", "nova_carter-gripper-ring")
SETUP = ReachSetup("human", None, ReachPolicy(), packaged_wording())
PAINTER = RememberingPainter(SmallPainter(), kept=200)


def make_offer(*, scenes: tuple[str, ...] = SCENES, levels: Any = (3, 1), **more: Any) -> Offer:
    """Two scenes at two levels, unless other ones are wanted."""
    slots = reach_slots(scenes=scenes, levels=levels)
    return reach_offer(slots, SETUP._replace(**more), PAINTER)


def shortest_way(play: ReachPlay) -> list[ReachAction]:
    """Moves from the start of an episode to its mark."""
    oracle = make_agent("oracle", rng=np.random.default_rng(0))
    moves = []
    while not play.is_over:
        moves.append(oracle.choose(play.game))
        play.take_turn(moves[-1])
    return moves


def way_of(sitting: Sitting, place: int) -> list[ReachAction]:
    """The same for an episode of somebody's course."""
    play = sitting.course.planned[place].open()
    assert isinstance(play, ReachPlay)
    return shortest_way(play)


def play_on(sitting: Sitting, *, episodes: int = 1) -> None:
    """Play the shortest way, from the start of the episode that is asked now."""
    for _ in range(episodes):
        turn = sitting.turn()
        assert turn is not None
        assert turn.heard == 0
        for heard, move in enumerate(way_of(sitting, turn.place)):
            sitting.reply(turn.place, heard, move)


def files_of(root: Path) -> dict[str, bytes]:
    """What lies in a run, without what is kept of how it was played."""
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    names = {path: path.relative_to(root).as_posix() for path in paths}
    return {name: path.read_bytes() for path, name in names.items() if "played/" not in name}
