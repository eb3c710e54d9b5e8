"""How fast mirror rooms are made, and whether memory stays flat.

    python benchmarks/mirror_rooms.py [--count 48] [--workers 2] [--folder DIR]

Makes rooms of all kinds at 848x480, two views each, with all truth, twice: in this process, where
CPU seconds and the resident memory after each eighth of the scenes are taken, and in `--workers`
processes, where the wall clock is. The peer is MuJoCo's rasteriser: what the pixels' centres of the
same views show and how far it is, by reflected cameras, no colour, nothing outlined or written; our
rays are timed at the same task.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from mira.sim.rooms.crosscheck.reflected_cameras import open_crosscheck
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import simulate_scene
from mira.sim.rooms.tracing.renderer import RoomRenderer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=48)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        _alone(Path(scratch) / "alone", arguments.count)
        _together(Path(scratch) / "together", arguments.count, arguments.workers)
    _truth_alone(min(arguments.count, 16))


def _alone(folder: Path, count: int) -> None:
    marks: list[str] = []

    def note(done: int, _: int) -> None:
        if done % max(count // 8, 1) == 0:
            marks.append(f"{_resident_mb():,.0f}")

    start = time.process_time()
    make_rooms(folder, count=count, seed=3, policy=RoomPolicy(), progress=note)
    spent = time.process_time() - start
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"one process:  {spent / count:.2f} CPU s a scene, {size / count / 1e6:.2f} MB a scene")
    print(f"              resident MB after each eighth: {' '.join(marks)}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    minutes = spent / count * 1000 / 2 / 60
    print(f"              peak {peak:,.0f} MB; 1,000 scenes on two cores: {minutes:.1f} min")


def _together(folder: Path, count: int, workers: int) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    make_rooms(folder, count=count, seed=3, policy=RoomPolicy(), workers=workers)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{workers} processes:  {wall / count:.2f} s a scene by the clock, "
        f"{spent / count:.2f} CPU s; 1,000 scenes: {wall / count / 0.06:.1f} min"
    )


def _truth_alone(count: int) -> None:
    policy, ours, peer, views = RoomPolicy(), 0.0, 0.0, 0
    for index in range(count):
        scene = simulate_scene(seed=3, index=index, policy=policy)
        start = time.process_time()
        renderer = RoomRenderer(scene.plan, policy)
        for view in scene.views:
            renderer.sights(view.viewpoint, policy.camera)
        middle = time.process_time()
        with open_crosscheck(scene.plan, policy) as cameras:
            for view in scene.views:
                cameras.view(view.viewpoint)
        ours, peer = ours + middle - start, peer + time.process_time() - middle
        views += len(scene.views)
    print(
        f"ids and depth alone, CPU s a view, set-up counted: rays {ours / views:.2f}, "
        f"MuJoCo {peer / views:.2f}"
    )


def _resident_mb() -> float:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize() / 1e6


if __name__ == "__main__":
    main()
