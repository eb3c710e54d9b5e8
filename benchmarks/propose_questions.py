"""Time and memory of `mira qa propose` and `mira qa generate` at the published size and beyond.

    python benchmarks/propose_questions.py [--times 1 3] [--folder DIR]

1,011 pictures of 848x480 a time: a wall with a mirror over a floor, four things before it and four
reflections, with a stereo camera's noise. All is proposed from depth, then sampled to the size of
MIRA-Bench. Each part runs in a process of its own; CPU seconds are those of one core. The peer is
what any program on these pictures has to do first: decode depth, and take points and a least
squares plane of the mirror's surroundings and the median of every outline, with NumPy and OpenCV.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.capture import CameraIntrinsics, Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.atomic import file_ref
from mira.store.workspace import Workspace

WIDTH, HEIGHT, FOCAL, EYE_M = 848, 480, 615.0, 1.4
IMAGES, POOL = 1011, 32
CAMERA = CameraIntrinsics(
    width_px=WIDTH, height_px=HEIGHT, fx_px=FOCAL, fy_px=FOCAL, cx_px=423.5, cy_px=239.5
)
SOURCE = AnnotationSource(format="drawn", file=FileRef(path="a.json", sha256="0", size_bytes=1))
Place = tuple[float, float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, nargs="+", default=[1])
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        _peer(Workspace.open(arguments.peer))
        return
    for times in arguments.times:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
            workspace = Workspace.create(Path(scratch) / "workspace")
            _draw(workspace, IMAGES * times)
            root = str(workspace.root)
            note = Path(scratch) / "peak"
            _run(times, "by hand", [sys.executable, __file__, "--peer", root])
            propose = _measured(["qa", "propose", "-w", root], note)
            _run(times, "mira qa propose", propose, note)
            sizes = ",".join(f"{name}={size * times}" for name, size in _sizes().items())
            words = ["qa", "generate", "-w", root, "--close-calls", "--sample", sizes]
            _run(times, "mira qa generate", _measured(words, note), note)
            summary = workspace.qa_summary()
            assert summary is not None
            print(f"{times:>3}x {summary.items:,} items, {summary.questions:,} questions")


def _sizes() -> dict[str, int]:
    from qa_gen.selecting import PAPER_SIZE

    return dict(PAPER_SIZE)


def _run(times: int, title: str, command: list[str], note: Path | None = None) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen(command, **quiet)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, status
    spent = used.ru_utime + used.ru_stime
    a_picture = 1000 * spent / (IMAGES * times)
    peak = f", peak {int(note.read_text()) / 1e3:.0f} MB" if note is not None else ""
    print(f"{times:>3}x {title:<18} {spent:7.1f} CPU s, {a_picture:6.1f} ms a picture{peak}")


def _measured(words: list[str], note: Path) -> list[str]:
    """A command line of `mira` that leaves its own peak memory in a file.

    What the system tells of a child includes its parent's before the child began.
    """
    code = (
        "import atexit, re\n"
        "from pathlib import Path\n"
        "peak = lambda: re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1]\n"
        f"atexit.register(lambda: Path({str(note)!r}).write_text(peak()))\n"
        "from mira.cli.main import run\n"
        "run()\n"
    )
    return [sys.executable, "-c", code, *words]


# Pictures


def _draw(workspace: Workspace, count: int) -> None:
    pool = [_scene(np.random.default_rng(seed)) for seed in range(min(POOL, count))]
    folder = workspace.root.parent / "pictures"
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "color.jpg"), np.full((HEIGHT, WIDTH, 3), 120, np.uint8))
    for k, (depth_m, _) in enumerate(pool):
        cv2.imwrite(str(folder / f"{k}.png"), (1000 * depth_m).astype(np.uint16))
    for k in range(count):
        _, things = pool[k % len(pool)]
        files = {"color.jpg": folder / "color.jpg", "depth.png": folder / f"{k % len(pool)}.png"}
        refs = {n: file_ref(p, relative_to=folder) for n, p in files.items()}
        image_id, scene_id = f"i{k:06}", f"s{k // 2:06}"
        workspace.put_scene(Scene(scene_id=scene_id))
        view = View(
            scene_id=scene_id,
            image_id=image_id,
            width_px=WIDTH,
            height_px=HEIGHT,
            color=refs["color.jpg"],
            depth_aligned=refs["depth.png"].model_copy(update={"path": "depth.png"}),
            depth_unit_m=0.001,
            depth_kind="metric",
            intrinsics=CAMERA,
            provenance=Provenance(tool="benchmark", tool_version="1"),
        )
        workspace.put_view(view, files)
        workspace.put_annotation(_annotation(image_id, things))


def _scene(rng: np.random.Generator) -> tuple[NDArray[np.float64], dict[int, tuple[Place, float]]]:
    """Depth with noise, and each thing's place and half width; images have ten times the id."""
    wall_m = rng.uniform(2.0, 2.6)
    depth = np.full((HEIGHT, WIDTH), wall_m)
    depth[90:330, 250:800] = 2 * wall_m - 0.3
    rows = np.arange(HEIGHT)[:, None] - CAMERA.cy_px
    with np.errstate(divide="ignore"):
        depth = np.where(rows > 0, np.minimum(depth, EYE_M * FOCAL / rows), depth)
    things: dict[int, tuple[Place, float]] = {}
    for k in range(1, 5):
        place = (0.45 * k - 0.7, rng.uniform(0.05, 0.15), rng.uniform(1.2, 1.6))
        half = rng.uniform(0.04, 0.09)
        things[k], things[10 * k] = (place, half), ((*place[:2], 2 * wall_m - place[2]), half)
    for (x, y, z), half in sorted(things.values(), key=lambda thing: -thing[0][2]):
        (left, top), _, (right, bottom), _ = _ring((x, y, z), half)
        depth[round(top) : round(bottom), round(left) : round(right)] = z
    return depth + 0.0033 * depth**2 * rng.normal(0, 1, depth.shape), things


def _ring(place: Place, half: float) -> Ring:
    x, y, z = place
    u, v = CAMERA.cx_px + 0.5 + FOCAL * x / z, CAMERA.cy_px + 0.5 + FOCAL * y / z
    r = FOCAL * half / z
    left, right = max(u - r, 0.0), min(u + r, float(WIDTH))
    return ((left, v - r), (right, v - r), (right, v + r), (left, v + r))


def _annotation(image_id: str, things: dict[int, tuple[Place, float]]) -> ImageAnnotation:
    mirror: Ring = ((250.0, 90.0), (800.0, 90.0), (800.0, 330.0), (250.0, 330.0))
    return ImageAnnotation(
        image_id=image_id,
        annotator="drawn",
        revision=1,
        width_px=WIDTH,
        height_px=HEIGHT,
        surfaces=(Surface(surface_id=99, surface_type="planar_mirror", polygons_px=(mirror,)),),
        instances=tuple(
            Instance(
                instance_id=k,
                visibility="direct" if k < 10 else "reflected",
                seen_in=() if k < 10 else (99,),
                polygons_px=(_ring(place, half),),
                description=f"thing {k % 9}",
            )
            for k, (place, half) in things.items()
        ),
        links=tuple(
            Correspondence(
                reflected_id=k, real_id=k // 10, reflection_of_id=k // 10, counterpart="in_frame"
            )
            for k in things
            if k >= 10
        ),
        source=SOURCE,
    )


# By hand


def _peer(workspace: Workspace) -> None:
    for view in workspace.views():
        assert view.depth_aligned is not None
        data = workspace.read_picture(view, view.depth_aligned)
        depth = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) / 1000.0
        annotation = workspace.annotation(view.image_id, "drawn")
        assert annotation is not None
        ring = _mask(annotation.surfaces[0].polygons_px[0])
        around = cv2.dilate(ring, np.ones((61, 61), np.uint8)) - ring
        v, u = np.nonzero(around)
        z = depth[v, u]
        points = np.stack((z * (u - CAMERA.cx_px) / FOCAL, z * (v - CAMERA.cy_px) / FOCAL, z), 1)
        np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
        for instance in annotation.instances:
            np.median(depth[_mask(instance.polygons_px[0]) > 0])


def _mask(ring: Ring) -> NDArray[np.uint8]:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillPoly(mask, [np.round(ring).astype(np.int32)], 1)
    return mask


if __name__ == "__main__":
    main()
