"""How fast two annotations of many pictures are compared, and how much memory it takes.

    python benchmarks/compare_annotations.py [--images 1000] [--folder DIR]

Both passes are on disk: 12 polygons of 60 vertices on pictures of 1280x720. Ours reads them as
records of a workspace, checked field by field, and compares with pixel and with polygon areas,
matching included. The peers read the same polygons with orjson and compute all IoUs of all pairs
whose boxes meet: pycocotools on run lengths, Shapely on polygons, OpenCV and supervision on masks
of the whole picture (on a tenth of the pictures, as they take long).
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import resource
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

from annotate.agreement.comparing import compare_shapes
from annotate.agreement.overlaps import Method
from annotate.agreement.policy import AgreementPolicy
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance
from mira.schema.record import FileRef
from mira.store.drawn_shapes import DrawnShapes, parse_drawn_shapes

SIZE = (1280, 720)
SHAPES, VERTICES = 12, 60
Ring = list[list[float]]
Passes = tuple[list[Ring], list[Ring]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder, count = Path(scratch), arguments.images
        _draw(folder, count)
        for method in ("pixel", "polygon"):
            _time(f"ours, {method}", lambda m=method: _ours(folder, count, m), count)
        few = max(count // 10, 1)
        _time("pycocotools", lambda: _peer(folder, count, _coco), count)
        _time("Shapely", lambda: _peer(folder, count, _shapely), count)
        _time("OpenCV masks", lambda: _peer(folder, few, _masks), few)
        if importlib.util.find_spec("supervision") is not None:
            _time("supervision", lambda: _peer(folder, few, _supervision), few)
        else:
            print("supervision    is not installed (pip install supervision)")


def _time(name: str, run: Callable[[], float], count: int) -> None:
    start = time.process_time()
    mean = run()
    spent = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{name:<14} {count / spent:7.0f} images/CPU s, mean of the largest IoUs {mean:.4f}, "
        f"peak so far {peak:.0f} MB"
    )


# Two passes on disk


def _draw(folder: Path, count: int) -> None:
    rng = np.random.default_rng(0)
    angles = np.linspace(0, 2 * np.pi, VERTICES, endpoint=False)
    for image in range(count):
        rings = []
        for _ in range(SHAPES):
            radius = rng.uniform(20, 90) * (1 + 0.25 * np.sin(3 * angles + rng.uniform(0, 6)))
            x = rng.uniform(100, SIZE[0] - 100) + radius * np.cos(angles)
            y = rng.uniform(100, SIZE[1] - 100) + radius * np.sin(angles)
            rings.append(np.stack((x, y), axis=1))
        for name in "ab":
            drawn = rings if name == "a" else [r + rng.normal(0, 1.5, r.shape) for r in rings[::-1]]
            (folder / f"{image}{name}.json").write_bytes(_record(drawn, name))


def _record(rings: list[Any], name: str) -> bytes:
    instances = tuple(
        Instance(
            instance_id=number,
            visibility="direct",
            polygons_px=(tuple(map(tuple, ring.round(3).tolist())),),
        )
        for number, ring in enumerate(rings, start=1)
    )
    return ImageAnnotation(
        image_id="image",
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


def _ours(folder: Path, count: int, method: Method) -> float:
    def drawings() -> Iterator[tuple[DrawnShapes, DrawnShapes]]:
        for image in range(count):
            paths = (folder / f"{image}{name}.json" for name in "ab")
            first, second = (parse_drawn_shapes(p.read_bytes(), where=str(p)) for p in paths)
            yield first, second

    total = 0.0
    for found in compare_shapes(drawings(), method=method, policy=AgreementPolicy()):
        total += sum(pair.iou for pair in found.pairs)
    return total / count / SHAPES


# Peers


def _peer(folder: Path, count: int, ious: Callable[[Passes], Any]) -> float:
    largest = [ious(passes).max(axis=1).mean() for passes in _read(folder, count)]
    return float(np.mean(largest))


def _read(folder: Path, count: int) -> Iterator[Passes]:
    for image in range(count):
        first, second = (
            [
                instance["polygons_px"][0]
                for instance in orjson.loads((folder / f"{image}{name}.json").read_bytes())[
                    "instances"
                ]
            ]
            for name in "ab"
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


if __name__ == "__main__":
    main()
