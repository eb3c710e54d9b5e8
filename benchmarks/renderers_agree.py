"""How far the ray tracer and the reflected cameras agree, by kind of place.

    python benchmarks/renderers_agree.py [--scenes 50] [--seed 0] [--folder DIR]

The rooms' truth comes from rays (Embree). Here MuJoCo rasterises the same triangles once more, from
the camera and from its mirror images in every flat surface, and both are compared at every pixel:
first surface, item and way it is seen, straight on and by glass, and z. With a folder, the worst
picture of each place is written there as both renderers see it, with the differences marked.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

from mira.sim.engine import engine_info
from mira.sim.rooms.crosscheck.agreement import (
    Agreement,
    compare_views,
    disagreement_picture,
    worst_of,
)
from mira.sim.rooms.places.registry import PLACES, place_of_scene
from mira.sim.rooms.policy import PLACE_NAMES, RoomPolicy
from mira.sim.rooms.scene import simulate_scene
from mira.sim.rooms.tracing.rays import embree_version


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scenes", type=int, default=50, help="number of scenes, two views each")
    parser.add_argument("--seed", type=int, default=0, help="seed of the series")
    parser.add_argument("--folder", type=Path, help="where to put the worst pictures")
    arguments = parser.parse_args()
    policy = RoomPolicy(places=tuple(place for place in PLACE_NAMES if place in PLACES))
    engine = engine_info()
    print(f"Embree {embree_version()}, MuJoCo {engine.version}, {engine.renderer}")
    print("| place | views | pixels alike, % | worst view, % | z p99, mm | worst, mm | CPU s |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    found: dict[str, list[Agreement]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    for index in range(arguments.scenes):
        place = place_of_scene(index, policy.places)
        scene = simulate_scene(seed=arguments.seed, index=index, policy=policy)
        start = time.process_time()
        found[place] += compare_views(scene, policy)
        seconds[place] += time.process_time() - start
    for place, agreements in found.items():
        print(_row(place, agreements, seconds[place]))
        if arguments.folder is not None:
            arguments.folder.mkdir(parents=True, exist_ok=True)
            picture = disagreement_picture(worst_of(agreements))
            (arguments.folder / f"{place}.png").write_bytes(picture)
    everything = [agreement for agreements in found.values() for agreement in agreements]
    print(_row("all", everything, sum(seconds.values())))


def _row(place: str, agreements: list[Agreement], seconds: float) -> str:
    alike = sum(agreement.n_same for agreement in agreements)
    pixels = sum(agreement.n_pixels for agreement in agreements)
    depths = sorted(1000 * agreement.depth_p99_m for agreement in agreements)
    worst = 100 * worst_of(agreements).share
    return (
        f"| {place} | {len(agreements)} | {100 * alike / pixels:.4f} | {worst:.4f}"
        f" | {depths[len(depths) // 2]:.4f} | {depths[-1]:.4f}"
        f" | {seconds / len(agreements):.1f} |"
    )


if __name__ == "__main__":
    main()
