"""What trials of the treasure game cost: playing, writing, drawing.

    python benchmarks/treasure_game.py [--trials 200] [--folder DIR]

CPU seconds of one core, without imports. `played` is the game with its agents alone; `written` adds
records, sums and the commit of each episode, as `mira eval mosaic run` does it (`durable`: as for
models, surviving a power cut, where waiting for the disk shows in the wall time); `drawn` makes
first-person pictures, PNG included.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mira.sim.treasure.pictures.views import make_camera, picture
from mira.sim.treasure.series import Casting, TreasureSetup
from mira.sim.treasure.trials import Trial, plan_trials

PAIRS = (("honest", "attentive"), ("random", "random"), ("belief_action", "belief_action"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trials", type=int, default=200, help="trials in all")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    arguments = parser.parse_args()
    trials = plan_trials(0, count=max(1, arguments.trials // 4))
    print(f"{'agents':<34} {'what':<24} {'number':>7} {'CPU s':>7} {'wall s':>7}")
    for pair in PAIRS:
        setup = _setup(*pair)
        _tell(pair, "played", len(trials), partial(_play, setup, trials))
        for durable in (False, True):
            with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
                how = "written, durable" if durable else "written"
                work = partial(_write, setup, trials, Path(scratch), durable)
                _tell(pair, how, len(trials), work)
    few = trials[: max(1, len(trials) // 20)]
    for visual in ("rendered", "rendered_face"):
        picture.cache_clear()
        work = partial(_draw, _setup("random", "random"), few, visual)
        _tell(("random", "random"), f"drawn, {visual}", 20 * len(few), work)


def _setup(subject: str, participant: str) -> TreasureSetup:
    return TreasureSetup(
        {"subject": Casting(subject, True), "participant": Casting(participant, True)}
    )


def _play(setup: TreasureSetup, trials: tuple[Trial, ...]) -> None:
    for trial in trials:
        setup.play(trial)


def _write(setup: TreasureSetup, trials: tuple[Trial, ...], folder: Path, durable: bool) -> None:
    store = setup.open(folder / "run")
    for trial in trials:
        setup.play(trial).write(store, durable=durable)


def _draw(setup: TreasureSetup, trials: tuple[Trial, ...], visual: str) -> None:
    for trial in trials:
        setup.play(trial, make_camera(visual))


def _tell(pair: tuple[str, str], what: str, number: int, work: Callable[[], None]) -> None:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"{' and '.join(pair):<34} {what:<24} {number:>7} {cpu:>7.2f} {wall:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
