"""How long a question's pictures take to render, and whether memory stays flat.

    python benchmarks/render_questions.py [--pictures 1011] [--questions 14] [--folder DIR]

Synthetic pictures of 848x480 with depth, a mirror and a dozen instances lie on disk as PNG. Each is
asked about so many times: a question is RGB-DM (the picture and its depth in colours, the mirror
tinted on both) with a box and its label drawn on both. Questions come in the order of their
pictures, so what they share, from decoding on, is done once a picture. The first peer is written as
one would by hand with OpenCV: decode, 2nd and 98th percentile, `applyColorMap`, `addWeighted`,
`rectangle`, `putText`, all of it for every question. The second is as much as that, but keeps what
questions about one picture share. Pillow draws where OpenCV does for the third. Each runs in a
process of its own, with one thread; writing PNG is timed apart. Resident memory is told after an
eighth of the pictures and at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from mira.geometry.mask import rle_from_polygons
from mira.processes.memory import keep_freed_memory
from mira.render.pictures import ScenePictures
from mira.render.png import encode_png
from mira.render.question import render_question
from mira.render.scene import SceneRenderer
from mira.render.source import decode_color, decode_depth
from mira.render.style import RenderStyle
from mira.schema.qa import Mark

WIDTH, HEIGHT = 848, 480
INSTANCES = 12
KINDS = 16
"""Pictures that differ; the others are copies of them under names of their own."""
STYLE = RenderStyle()
Picture = np.ndarray[Any, Any]
Pair = tuple[Picture, Picture]
MIRROR = ((250.0, 60.0), (520.0, 80.0), (515.0, 330.0), (255.0, 350.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", type=int, default=1011)
    parser.add_argument("--questions", type=int, default=14, help="about each picture")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--only", choices=CONTENDERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        found = _measure(arguments.only, arguments.folder, arguments.pictures, arguments.questions)
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        _draw(Path(scratch))
        for name in CONTENDERS:
            _run(name, Path(scratch), arguments.pictures, arguments.questions)


def _run(name: str, folder: Path, pictures: int, questions: int) -> None:
    if name in SLOW:
        pictures = max(pictures // 10, 1)
    command = [sys.executable, __file__, "--only", name, "--folder", str(folder)]
    command += ["--pictures", str(pictures), "--questions", str(questions)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    print(
        f"{name:<28} {found['ms']:6.2f} CPU ms a picture, {2 * found['ms']:6.2f} a question; "
        f"PNG {found['png_ms']:5.1f} ms a picture; resident {found['early_mb']:.0f} to "
        f"{found['late_mb']:.0f} MB, peak {found['peak_mb']:.0f} MB ({pictures} pictures)",
        flush=True,
    )


def _measure(name: str, folder: Path, pictures: int, questions: int) -> dict[str, float]:
    cv2.setNumThreads(1)
    contender = CONTENDERS[name]()
    contender(folder / "0", 0)
    keep_freed_memory()
    cpu_s = 0.0
    early_mb = late_mb = _resident_mb()
    last: Pair | None = None
    for k in range(pictures):
        started = time.process_time()
        for question in range(questions):
            last = contender(folder / str(k % KINDS), 1 + (k + question) % INSTANCES)
        cpu_s += time.process_time() - started
        if k == pictures // 8:
            early_mb = _resident_mb()
    late_mb = _resident_mb()
    assert last is not None
    return {
        "ms": 1000 * cpu_s / (2 * pictures * questions),
        "png_ms": _png_ms(last),
        "early_mb": early_mb,
        "late_mb": late_mb,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
    }


def _png_ms(pair: Pair) -> float:
    started = time.process_time()
    for _ in range(10):
        for image_rgb in pair:
            encode_png(image_rgb)
    return 1000 * (time.process_time() - started) / 20


def _ours() -> Callable[[Path, int], Pair]:
    """Questions of one picture share a renderer; another picture takes another."""
    kept: dict[Path, SceneRenderer] = {}

    def render(folder: Path, instance_id: int) -> Pair:
        if folder not in kept:
            kept.clear()
            kept[folder] = SceneRenderer(_scene(folder), style=STYLE)
        rgb, depth = kept[folder].render(
            _marks(instance_id), protocol="visual_bbox", modality="rgb_dm"
        )
        return rgb.image_rgb, depth.image_rgb

    return render


def _ours_each_alone() -> Callable[[Path, int], Pair]:
    def render(folder: Path, instance_id: int) -> Pair:
        rgb, depth = render_question(
            _scene(folder),
            _marks(instance_id),
            protocol="visual_bbox",
            modality="rgb_dm",
            style=STYLE,
        )
        return rgb.image_rgb, depth.image_rgb

    return render


def _by_hand(*, share: bool, pillow: bool = False) -> Callable[[Path, int], Pair]:
    kept: dict[Path, Pair] = {}
    draw = _draw_with_pillow if pillow else _draw_with_opencv

    def render(folder: Path, instance_id: int) -> Pair:
        if folder not in kept or not share:
            kept.clear()
            kept[folder] = _overlaid_by_hand(folder)
        color, depth = kept[folder]
        return draw(color, instance_id), draw(depth, instance_id)

    return render


def _overlaid_by_hand(folder: Path) -> Pair:
    color = cv2.imread(str(folder / "color.png"))
    raw = cv2.imread(str(folder / "depth.png"), cv2.IMREAD_UNCHANGED)
    near, far = np.percentile(raw[raw > 0], (2, 98))
    levels = np.clip((raw - near) / (far - near) * 255, 0, 255).astype(np.uint8)
    depth = cv2.applyColorMap(levels, cv2.COLORMAP_JET)
    depth[raw == 0] = 0
    mask = np.zeros(raw.shape, dtype=np.uint8)
    cv2.fillPoly(mask, [np.array(MIRROR, dtype=np.int32)], 1)
    for image, tint in ((color, (90, 220, 0)), (depth, (255, 255, 255))):
        colored = np.full_like(image, tint)
        mixed = cv2.addWeighted(image, 0.7, colored, 0.3, 0)
        image[mask > 0] = mixed[mask > 0]
    return color, depth


def _draw_with_opencv(image_bgr: Picture, instance_id: int) -> Picture:
    drawn = image_bgr.copy()
    x1, y1, x2, y2 = _box(instance_id)
    cv2.rectangle(drawn, (x1, y1), (x2, y2), (56, 24, 222), 3)
    cv2.rectangle(drawn, (x1, y1 - 22), (x1 + 20, y1), (56, 24, 222), cv2.FILLED)
    cv2.putText(drawn, "X", (x1 + 3, y1 - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2)
    return cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB)


def _draw_with_pillow(image_bgr: Picture, instance_id: int) -> Picture:
    picture = Image.fromarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB))
    x1, y1, x2, y2 = _box(instance_id)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((x1, y1, x2, y2), outline=(222, 24, 56), width=3)
    pen.rectangle((x1, y1 - 22, x1 + 20, y1), fill=(222, 24, 56))
    pen.text((x1 + 6, y1 - 18), "X", fill=(255, 255, 255))
    return np.asarray(picture)


CONTENDERS: dict[str, Callable[[], Callable[[Path, int], Pair]]] = {
    "ours, by scene": _ours,
    "OpenCV, by scene": lambda: _by_hand(share=True),
    "OpenCV and Pillow, by scene": lambda: _by_hand(share=True, pillow=True),
    "ours, each alone": _ours_each_alone,
    "OpenCV, each alone": lambda: _by_hand(share=False),
}
SLOW = ("ours, each alone", "OpenCV, each alone")
"""Measured on a tenth of the pictures."""


def _scene(folder: Path) -> ScenePictures:
    size = {"width_px": WIDTH, "height_px": HEIGHT}
    return ScenePictures(
        color_rgb=decode_color((folder / "color.png").read_bytes()),
        depth=decode_depth((folder / "depth.png").read_bytes()),
        depth_unit_m=0.001,
        depth_kind="metric",
        surface_masks=(rle_from_polygons([MIRROR], **size),),
        instance_masks={k: rle_from_polygons([_ring(k)], **size) for k in range(INSTANCES + 1)},
    )


def _box(instance_id: int) -> tuple[int, int, int, int]:
    x, y = 30 + 130 * (instance_id % 6), 60 + 190 * (instance_id // 6)
    return x, y, x + 70, y + 110


def _ring(instance_id: int) -> tuple[tuple[float, float], ...]:
    x1, y1, x2, y2 = (float(side) for side in _box(instance_id % INSTANCES))
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


def _marks(instance_id: int) -> tuple[Mark, ...]:
    box = _box(instance_id % INSTANCES)
    return (Mark(label="X", instance_id=instance_id, role="slot", box_xyxy_px=box),)


def _draw(folder: Path) -> None:
    """Pictures with a sensor's grain and depth with holes, as they compress like real ones."""
    rng = np.random.default_rng(0)
    for k in range(KINDS):
        place = folder / str(k)
        place.mkdir()
        rough = rng.integers(0, 256, (12, 20, 3), dtype=np.uint8)
        smooth = cv2.resize(rough, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC).astype(np.int16)
        grain = rng.integers(-6, 7, smooth.shape, dtype=np.int16)
        cv2.imwrite(str(place / "color.png"), np.clip(smooth + grain, 0, 255).astype(np.uint8))
        far = cv2.resize(rng.uniform(800, 6000, (6, 10)), (WIDTH, HEIGHT))
        depth = (far + rng.normal(0, 8, far.shape)).astype(np.uint16)
        depth[rng.random(depth.shape) < 0.04] = 0
        cv2.imwrite(str(place / "depth.png"), depth)


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
