"""How fast scripts play the mirror test, and what becomes of the time.

    python benchmarks/mirror_scripts.py [--policy random] [--folder DIR]

All 264 episodes without pictures: played in memory, written, written so that they survive a power
cut as those of models are, and read back and scored.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from mira.evals.mirror.runs import read_players, score_players
from mira.sim.reach.agents import AGENT_NAMES, AgentName, make_agent
from mira.sim.reach.play import ReachPlay
from mira.sim.reach.prompting.wording import packaged_wording
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.series import ReachSetup, reach_slots


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--policy", choices=AGENT_NAMES, default="random")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    arguments = parser.parse_args()
    setup = ReachSetup(arguments.policy, None, ReachPolicy(), packaged_wording())
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        start = time.perf_counter()
        plays = _play(setup, arguments.policy)
        start = _tell("played in memory", start)
        for name, durable in (("written", False), ("written to survive a power cut", True)):
            store = setup.open(Path(scratch) / str(durable))
            for play in plays:
                play.write(store, durable=durable)
            start = _tell(name, start)
        players = read_players([store.root])
        start = _tell("read back, sums checked", start)
        score_players(players)
        _tell("scored, with intervals", start)


def _play(setup: ReachSetup, name: AgentName) -> list[ReachPlay]:
    agent = make_agent(name, rng=np.random.default_rng(0))
    plays = [setup.play(slot, None) for slot in reach_slots()]
    for play in plays:
        while not play.is_over:
            play.take_turn(agent.choose(play.game))
    return plays


def _tell(what: str, start: float) -> float:
    now = time.perf_counter()
    print(f"{what:32} {now - start:6.2f} s", flush=True)
    return now


if __name__ == "__main__":
    main()
