"""How fast two annotations of many pictures are compared, and how much memory it takes.

    python benchmarks/compare_annotations.py [--images 1000] [--growth] [--folder DIR]

Both passes are on disk, as the records of a workspace: 12 polygons of 60 vertices on pictures of
1280x720. Ours reads them and compares with pixel and with polygon areas, matching, labels and links
included. The peers read the same files with orjson and compute all IoUs of all pairs whose boxes
meet: pycocotools on run lengths, Shapely on polygons, OpenCV and supervision on masks of the whole
picture (on a tenth of the pictures, as they take long). Each runs in a process of its own, after a
few pictures that do not count; the best of three times counts. `--growth` adds the whole command,
`mira annotate compare`, for one, three and ten times as many pictures, and with two workers.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import shapely
from pycocotools import mask as coco

from annotate.agreement.annotators import FilePair, compare_files
from annotate.agreement.overlaps import Method
from annotate.agreement.policy import AgreementPolicy
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance
from mira.schema.record import FileRef
from mira.store.workspace import Workspace

SIZE = (1280, 720)
SHAPES, VERTICES = 12, 60
WARM_UP = 20
REPEATS = 3
Ring = list[list[float]]
Passes = tuple[list[Ring], list[Ring]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--growth", action="store_true", help="the whole command, up to 10 times")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--only", choices=CONTENDERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        print(json.dumps(_measure(arguments.only, arguments.folder, arguments.images)))
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        workspace = Workspace.create(Path(scratch) / "workspace")
        _draw(workspace, 0, arguments.images)
        for name in CONTENDERS:
            _run(name, workspace.root, arguments.images)
        if arguments.growth:
            _growth(workspace, arguments.images)


def _run(name: str, root: Path, count: int) -> None:
    if name == "supervision" and importlib.util.find_spec("supervision") is None:
        print("supervision     is not installed (pip install supervision)")
        return
    if name in SLOW:
        count = max(count // 10, 1)
    command = [sys.executable, __file__, "--only", name, "--folder", root, "--images", str(count)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    print(
        f"{name:<15} {count / found['cpu_s']:7.0f} images/CPU s, mean of the largest IoUs "
        f"{found['mean']:.4f}, peak {found['peak_mb']:.0f} MB",
        flush=True,
    )


def _measure(name: str, root: Path, count: int) -> dict[str, float]:
    """One contender, in a process of its own."""
    files = _files(root)[:count]
    CONTENDERS[name](files[:WARM_UP])
    spent = []
    for _ in range(1 if name in SLOW else REPEATS):
        start = time.process_time()
        mean = CONTENDERS[name](files)
        spent.append(time.process_time() - start)
    peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1e3
    return {"cpu_s": min(spent), "mean": mean, "peak_mb": peak}


def _growth(workspace: Workspace, least: int) -> None:
    drawn, note = least, workspace.root.parent / "peak"
    for factor in (1, 3, 10):
        _draw(workspace, drawn, factor * least)
        drawn = factor * least
        for workers in (1, 2):
            words = ["annotate", "compare", "a", "b", "--workspace", str(workspace.root)]
            words += ["--method", "pixel", "--no-boundaries", "--workers", str(workers)]
            start = time.perf_counter()
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            child = subprocess.Popen(_measured(words, note), **quiet)
            _, status, used = os.wait4(child.pid, 0)
            assert status == 0, status
            wall = time.perf_counter() - start
            print(
                f"mira annotate compare, {drawn:6,} images, {workers} worker(s): "
                f"{wall:6.2f} s, {used.ru_utime + used.ru_stime:6.2f} CPU s, "
                f"peak of the main process {int(note.read_text()) / 1e3:.0f} MB",
                flush=True,
            )


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


# Two passes on disk


def _draw(workspace: Workspace, first: int, last: int) -> None:
    angles = np.linspace(0, 2 * np.pi, VERTICES, endpoint=False)
    for image in range(first, last):
        rng = np.random.default_rng(image)
        rings = []
        for _ in range(SHAPES):
            radius = rng.uniform(20, 90) * (1 + 0.25 * np.sin(3 * angles + rng.uniform(0, 6)))
            x = rng.uniform(100, SIZE[0] - 100) + radius * np.cos(angles)
            y = rng.uniform(100, SIZE[1] - 100) + radius * np.sin(angles)
            rings.append(np.stack((x, y), axis=1))
        for name in "ab":
            drawn = rings if name == "a" else [r + rng.normal(0, 1.5, r.shape) for r in rings[::-1]]
            path = workspace.root / "annotations" / f"{image:06}" / name / "r0001.json"
            path.parent.mkdir(parents=True)
            path.write_bytes(_record(f"{image:06}", drawn, name))


def _files(root: Path) -> list[FilePair]:
    workspace = Workspace.open(root)
    first, second = (workspace.annotation_files(name) for name in "ab")
    return [FilePair(first[name], second[name]) for name in first]


def _record(image_id: str, rings: list[Any], name: str) -> bytes:
    instances = tuple(
        Instance(
            instance_id=number,
            visibility="direct",
            polygons_px=(tuple(map(tuple, ring.round(3).tolist())),),
        )
        for number, ring in enumerate(rings, start=1)
    )
    return ImageAnnotation(
        image_id=image_id,
        annotator=name,
        revision=1,
        width_px=SIZE[0],
        height_px=SIZE[1],
        instances=instances,
        source=AnnotationSource(
            format="drawn", file=FileRef(path="a.json", sha256="0", size_bytes=1)
        ),
    ).to_json(indent=False)


# Ours


def _ours(files: list[FilePair], method: Method) -> float:
    found = compare_files(files, method=method, policy=AgreementPolicy())
    return sum(pair.iou for image in found for pair in image.pairs) / len(files) / SHAPES


# Peers


def _peer(files: list[FilePair], ious: Callable[[Passes], Any]) -> float:
    return float(np.mean([ious(passes).max(axis=1).mean() for passes in _read(files)]))


def _read(files: list[FilePair]) -> Iterator[Passes]:
    for pair in files:
        first, second = (
            [
                instance["polygons_px"][0]
                for instance in orjson.loads(path.read_bytes())["instances"]
            ]
            for path in pair
        )
        yield first, second


def _coco(passes: Passes) -> Any:
    first, second = (
        coco.frPyObjects([list(itertools.chain.from_iterable(r)) for r in rings], SIZE[1], SIZE[0])
        for rings in passes
    )
    return coco.iou(first, second, [0] * SHAPES)


def _shapely(passes: Passes) -> Any:
    first, second = (shapely.make_valid(shapely.polygons(np.array(rings))) for rings in passes)
    a, b = shapely.STRtree(second).query(first)
    shared = shapely.area(shapely.intersection(first[a], second[b]))
    table = np.zeros((SHAPES, SHAPES))
    table[a, b] = shared / (shapely.area(first)[a] + shapely.area(second)[b] - shared)
    return table


def _full_masks(rings: list[Ring]) -> Any:
    masks = np.zeros((len(rings), SIZE[1], SIZE[0]), np.uint8)
    for mask, ring in zip(masks, rings, strict=True):
        cv2.fillPoly(mask, [np.round(ring).astype(np.int32)], 1)
    return masks.astype(bool)


def _masks(passes: Passes) -> Any:
    first, second = (_full_masks(rings) for rings in passes)
    shared = np.array([[(a & b).sum() for b in second] for a in first], float)
    areas = [masks.sum(axis=(1, 2)) for masks in (first, second)]
    return shared / (areas[0][:, None] + areas[1] - shared)


def _supervision(passes: Passes) -> Any:
    from supervision.detection.utils.iou_and_nms import mask_iou_batch

    first, second = (_full_masks(rings) for rings in passes)
    return mask_iou_batch(first, second)


CONTENDERS: dict[str, Callable[[list[FilePair]], float]] = {
    "ours, pixels": lambda files: _ours(files, "pixel"),
    "ours, polygons": lambda files: _ours(files, "polygon"),
    "pycocotools": lambda files: _peer(files, _coco),
    "Shapely": lambda files: _peer(files, _shapely),
    "OpenCV masks": lambda files: _peer(files, _masks),
    "supervision": lambda files: _peer(files, _supervision),
}
SLOW = ("OpenCV masks", "supervision")


if __name__ == "__main__":
    main()
