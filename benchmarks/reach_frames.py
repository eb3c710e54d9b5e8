"""What a picture of the mirror test costs, and whether memory stays flat.

    python benchmarks/reach_frames.py [--frames 1000] [--size 1024]

Draws all scenes one after another, the hand on a random walk, as episodes do. CPU seconds are those
of all threads. `--truth` adds where the mirror shows the mark. Encoding as PNG is timed apart.
"""

from __future__ import annotations

import argparse
import io
import resource
import time
from pathlib import Path

import numpy as np
from PIL import Image

from mira.sim.reach.look.painter import Painter
from mira.sim.reach.rules import ACTIONS, ReachGame, ReachPolicy
from mira.sim.reach.scenes import reach_scenes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--truth", action="store_true")
    arguments = parser.parse_args()
    scenes = reach_scenes()
    each = -(-arguments.frames // len(scenes))
    rng = np.random.default_rng(0)
    spent = {"first picture of a scene": 0.0, "each further picture": 0.0, "truth": 0.0, "PNG": 0.0}
    marks: list[str] = []
    begun = time.perf_counter()
    with Painter(size_px=arguments.size) as painter:
        for number, scene in enumerate(scenes):
            game = ReachGame(scene.body, ReachPolicy())
            for turn in range(each):
                start = time.process_time()
                picture = painter.draw(scene, game.hand_m)
                drawn = time.process_time()
                spent[list(spent)[min(turn, 1)]] += drawn - start
                if arguments.truth:
                    painter.mark_px(scene, game.hand_m)
                known = time.process_time()
                Image.fromarray(picture).save(io.BytesIO(), "PNG", compress_level=1)
                spent["truth"] += known - drawn
                spent["PNG"] += time.process_time() - known
                game.take_turn(ACTIONS[rng.integers(len(ACTIONS))])
            if number % 8 == 7:
                marks.append(f"{_resident_mb():,.0f}")
    wall = time.perf_counter() - begun
    frames = each * len(scenes)
    counts = (len(scenes), frames - len(scenes), frames, frames)
    for (what, seconds), count in zip(spent.items(), counts, strict=True):
        print(f"{what + ':':28} {seconds / max(count, 1):.3f} CPU s")
    print(f"{frames} pictures by the clock: {wall / frames:.3f} s each")
    print(f"resident MB after every eighth scene: {' '.join(marks)}")
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:,.0f} MB")


def _resident_mb() -> float:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize() / 1e6


if __name__ == "__main__":
    main()
