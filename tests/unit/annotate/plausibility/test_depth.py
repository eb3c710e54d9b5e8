"""A wall with a mirror, and things before it, as a stereo camera measures them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import orjson
import pytest
from numpy.typing import NDArray

from annotate.checking import check_file
from annotate.plausibility.depth import doubt_depth
from annotate.plausibility.doubts import Doubt
from annotate.plausibility.policy import PlausibilityPolicy
from mira.geometry.scene_geometry import estimate_scene_geometry
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.capture import CameraIntrinsics
from mira.schema.record import FileRef

WIDTH, HEIGHT, FOCAL = 640, 480, 500.0
WALL_M, ROOM_M, HALF_M = 2.0, 3.4, 0.06
MIRROR: Ring = ((120.0, 60.0), (560.0, 60.0), (560.0, 300.0), (120.0, 300.0))
THINGS = {1: (-0.45, 0.35, 1.2), 2: (0.0, 0.3, 1.0), 3: (0.5, 0.38, 1.45)}
"""Where each thing is: x, y, z; its reflection has ten times its id and the same x and y."""
POLICY = PlausibilityPolicy()
CAMERA = CameraIntrinsics(
    width_px=WIDTH,
    height_px=HEIGHT,
    fx_px=FOCAL,
    fy_px=FOCAL,
    cx_px=WIDTH / 2 - 0.5,
    cy_px=HEIGHT / 2 - 0.5,
)
SOURCE = AnnotationSource(format="test", file=FileRef(path="a.json", sha256="0" * 64, size_bytes=1))


def _ring(x: float, y: float, z: float) -> Ring:
    u, v, half = WIDTH / 2 + FOCAL * x / z, HEIGHT / 2 + FOCAL * y / z, FOCAL * HALF_M / z
    return ((u - half, v - half), (u + half, v - half), (u + half, v + half), (u - half, v + half))


def _places() -> dict[int, tuple[float, float, float]]:
    # The camera is above the things and sees their images through the mirror's lower half.
    images = {10 * k: (x, y, 2 * WALL_M - z) for k, (x, y, z) in THINGS.items()}
    return THINGS | images


@pytest.fixture
def depth_m() -> NDArray[np.float32]:
    depth = np.full((HEIGHT, WIDTH), WALL_M, np.float32)
    (left, top), _, (right, bottom), _ = MIRROR
    depth[int(top) : int(bottom), int(left) : int(right)] = 2 * WALL_M - 0.2
    places = sorted(_places().items(), key=lambda item: -item[1][2])
    for _, (x, y, z) in places:
        (a, b), _, (c, d), _ = _ring(x, y, z)
        depth[round(b) : round(d), round(a) : round(c)] = z
    noise = np.random.default_rng(2).normal(0, 1, depth.shape)
    return (depth + 0.001 * depth**2 * noise).astype(np.float32)


def _annotation(links: dict[int, int], *, as_direct: tuple[int, ...] = ()) -> ImageAnnotation:
    def instance(number: int, ring: Ring) -> Instance:
        reflected = number >= 10 and number not in as_direct
        return Instance(
            instance_id=number,
            visibility="reflected" if reflected else "direct",
            seen_in=(100,) if reflected else (),
            polygons_px=(ring,),
        )

    return ImageAnnotation(
        image_id="image",
        annotator="a",
        revision=1,
        width_px=WIDTH,
        height_px=HEIGHT,
        surfaces=(Surface(surface_id=100, surface_type="planar_mirror", polygons_px=(MIRROR,)),),
        instances=tuple(instance(k, _ring(*place)) for k, place in _places().items()),
        links=tuple(
            Correspondence(
                reflected_id=one, real_id=other, reflection_of_id=other, counterpart="in_frame"
            )
            for one, other in links.items()
            if one not in as_direct
        ),
        source=SOURCE,
    )


def _doubts(annotation: ImageAnnotation, depth_m: NDArray[np.float32]) -> list[Doubt]:
    geometry = estimate_scene_geometry(
        annotation,
        depth_m=depth_m,
        camera=CAMERA,
        depth_kind="metric",
        policy=POLICY.geometry,
        rng=np.random.default_rng(0),
    )
    return list(doubt_depth(annotation, geometry, POLICY))


RIGHT = {10: 1, 20: 2, 30: 3}


def test_right_links_are_not_doubted(depth_m: NDArray[np.float32]) -> None:
    assert _doubts(_annotation(RIGHT), depth_m) == []


def test_swapped_links_are(depth_m: NDArray[np.float32]) -> None:
    doubts = _doubts(_annotation({10: 3, 20: 2, 30: 1}), depth_m)

    assert {(d.code, d.owner_id) for d in doubts} == {("link-apart", 10), ("link-apart", 30)}
    assert "is the link right?" in doubts[0].message


def test_a_reflection_labelled_direct_is_measured_behind_the_mirror(
    depth_m: NDArray[np.float32],
) -> None:
    (doubt,) = _doubts(_annotation(RIGHT, as_direct=(20,)), depth_m)

    assert (doubt.code, doubt.owner_id) == ("direct-behind-mirror", 20)
    assert "100% of it lies in surface 100, and it is measured 0.97 m" in doubt.message


def test_depth_of_the_glass_itself_is_noted(depth_m: NDArray[np.float32]) -> None:
    (left, top), _, (right, bottom), _ = MIRROR
    depth_m[int(top) : int(bottom), int(left) : int(right)] = WALL_M

    codes = {doubt.code for doubt in _doubts(_annotation(RIGHT), depth_m)}

    assert codes == {"depth-of-surface"}


@pytest.mark.parametrize("swapped", [False, True])
def test_a_check_reads_the_depth_beside_the_picture(
    tmp_path: Path, depth_m: NDArray[np.float32], swapped: bool
) -> None:
    links = {10: 3, 20: 2, 30: 1} if swapped else RIGHT
    shapes = [{"label": "surface", "points": MIRROR, "group_id": 100, "shape_type": "polygon"}]
    for number, place in _places().items():
        shape = {"points": _ring(*place), "group_id": number, "shape_type": "polygon"}
        shape["label"] = "object" if number < 10 else "object_reflection"
        if number >= 10:
            shape["attributes"] = {"in_mirror": "100", "reflection_of": str(links[number])}
            shape["attributes"]["counterpart"] = "in_frame"
        shapes.append(shape)
    shapes[0]["attributes"] = {"surface_type": "planar_mirror"}
    document = {"version": "4.2.1", "shapes": shapes, "imagePath": "a.png", "checked": True}
    document |= {"imageHeight": HEIGHT, "imageWidth": WIDTH, "imageData": None}
    (tmp_path / "a.json").write_bytes(orjson.dumps(document))
    cv2.imwrite(str(tmp_path / "a.png"), np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    cv2.imwrite(str(tmp_path / "a_depth.png"), (depth_m * 1000).astype(np.uint16))
    camera = {"width": WIDTH, "height": HEIGHT, "fx": FOCAL, "fy": FOCAL}
    camera |= {"cx": CAMERA.cx_px, "cy": CAMERA.cy_px, "depth_unit_m": 0.001}
    (tmp_path / "camera.json").write_bytes(orjson.dumps(camera))

    check = check_file(tmp_path / "a.json", intrinsics=tmp_path / "camera.json")

    codes = [finding.code for finding in check.findings if finding.severity == "warning"]
    assert codes.count("link-apart") == (2 if swapped else 0), check.findings
