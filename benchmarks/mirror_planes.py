"""How near estimated mirror planes and reflected things are to the truth of simulated rooms.

    python benchmarks/mirror_planes.py [--count 40] [--seed 11] [--noise 0.05 0.1 0.2]

Makes rooms of all kinds for each level of the depth sensor's noise (pixels of disparity), two views
each, and puts what `estimate_scene_geometry` says beside what is true: normals and places of
planes, what confidence is worth, where reflected things really are, why something is refused. The
peer is what one would write by hand: least squares through all readings next to the outline.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotate.importing import import_annotations
from mira.geometry.camera import deproject_pixels, deproject_rays
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.measured_scene import SceneGeometry
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.plane import (
    Plane,
    angle_between_deg,
    intersect_rays,
    plane_at,
    signed_distances_m,
)
from mira.geometry.scene_geometry import estimate_scene_geometry
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.schema.truth import TrueInstance, TrueScene, TrueSurface, TrueView
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.policy import DepthSensorPolicy, RoomPolicy
from mira.store.workspace import Workspace

GOOD_DEG, GOOD_M = 3.0, 0.03


class Measured(NamedTuple):
    """One flat mirror against the truth."""

    noise: float
    place: str
    far_m: float
    share: float
    source: str
    confidence: float
    off_deg: float
    off_m: float
    offset_off_m: float
    by_hand_deg: float
    by_hand_m: float

    @property
    def good(self) -> bool:
        """Whether normal and place are as near as confidence promises."""
        return self.off_deg <= GOOD_DEG and self.off_m <= GOOD_M


class Placed(NamedTuple):
    """One reflected thing against the truth."""

    mirrors: int
    off_m: float
    doubt_m: float


class Seen(NamedTuple):
    """One picture with all that is known and said of it."""

    view: View
    annotation: ImageAnnotation
    scene: TrueScene
    truth: TrueView
    depth_m: NDArray[np.float32]
    said: SceneGeometry


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--noise", type=float, nargs="+", default=[0.05, 0.1, 0.2])
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    arguments = parser.parse_args()
    planes: list[Measured] = []
    things: list[Placed] = []
    refused: Counter[str] = Counter()
    spent: list[tuple[float, int]] = []
    for noise in arguments.noise:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
            sensor = DepthSensorPolicy(disparity_noise_px=noise)
            make_rooms(
                Path(scratch) / "rooms",
                count=arguments.count,
                seed=arguments.seed,
                policy=RoomPolicy(depth=sensor),
            )
            for seen in _pictures(Path(scratch), spent):
                planes += _planes(seen, noise)
                things += _things(seen)
                refused.update(_refusals(seen.said))
    _show(planes, things, refused)
    cpu, instances = np.array(spent).T
    print(
        f"\nCPU ms a picture: median {np.median(cpu) * 1e3:.0f}, most {cpu.max() * 1e3:.0f}; "
        f"instances a picture: median {np.median(instances):.0f}, most {instances.max():.0f}"
    )


def _pictures(folder: Path, spent: list[tuple[float, int]]) -> Iterator[Seen]:
    workspace = Workspace.create(folder / "workspace")
    rooms = folder / "rooms"
    import_annotations(rooms, workspace, scenes=None, annotator="simulator", progress=None)
    for view in workspace.views():
        annotation = workspace.annotation(view.image_id, "simulator")
        if annotation is None or view.depth_aligned is None or view.depth_unit_m is None:
            continue
        raw = np.frombuffer(workspace.read_picture(view, view.depth_aligned), np.uint8)
        steps = np.asarray(cv2.imdecode(raw, cv2.IMREAD_UNCHANGED))
        depth_m = steps.astype(np.float32) * np.float32(view.depth_unit_m)
        start = time.process_time()
        said = estimate_scene_geometry(
            annotation,
            depth_m=depth_m,
            camera=view.intrinsics,
            depth_kind=view.depth_kind,
            policy=MirrorGeometryPolicy(),
            rng=np.random.default_rng(0),
        )
        spent.append((time.process_time() - start, len(annotation.instances)))
        truth = rooms / "truth" / view.scene_id
        name = view.image_id.removeprefix(view.scene_id).lstrip("_")
        scene, true_view = truth / "scene.json", truth / f"{name}.json"
        yield Seen(
            view,
            annotation,
            TrueScene.from_json(scene.read_bytes(), where=scene),
            TrueView.from_json(true_view.read_bytes(), where=true_view),
            depth_m,
            said,
        )


def _planes(seen: Seen, noise: float) -> Iterator[Measured]:
    assert seen.view.intrinsics is not None
    areas = OutlinedAreas(seen.annotation)
    names = {one.instance_id: one.surface_id for one in seen.truth.surfaces}
    surfaces = {one.surface_id: one for one in seen.scene.surfaces}
    for said in seen.said.surfaces:
        surface, area = surfaces[names[said.surface_id]], areas.surfaces[said.surface_id]
        if surface.surface_type != "planar_mirror" or said.mirror.plane is None:
            continue
        rows, columns = np.nonzero(area.mask)
        middle = (columns.mean() + area.left, rows.mean() + area.top)
        ray = deproject_rays(seen.view.intrinsics, middle)
        true = _true_plane(surface, seen.truth)
        yield Measured(
            noise,
            seen.scene.place,
            float(intersect_rays(ray, true)[2]),
            len(rows) / (seen.view.width_px * seen.view.height_px),
            said.mirror.source or "",
            said.mirror.confidence,
            angle_between_deg(said.mirror.plane, true),
            abs(float(signed_distances_m(intersect_rays(ray, said.mirror.plane), true))),
            abs(said.mirror.plane.offset_m - true.offset_m),
            *_by_hand(seen, area, ray, true),
        )


def _by_hand(
    seen: Seen, area: CroppedMask, ray: NDArray[np.float64], true: Plane
) -> tuple[float, float]:
    """What least squares through all readings within 12 px of an outline are off by."""
    assert seen.view.intrinsics is not None
    mask = np.zeros(seen.depth_m.shape, np.uint8)
    area.of(mask)[area.mask] = 1
    ring = (cv2.dilate(mask, np.ones((25, 25), np.uint8)) > mask) & (seen.depth_m > 0)
    rows, columns = np.nonzero(ring)
    pixels = np.stack((columns, rows), axis=1)
    points = deproject_pixels(seen.view.intrinsics, pixels, depth_m=seen.depth_m[ring])
    middle = points.mean(axis=0)
    plane = plane_at(np.linalg.svd(points - middle, full_matrices=False)[2][2], middle)
    meets = intersect_rays(ray, plane)
    off = abs(float(signed_distances_m(meets, true)))
    return angle_between_deg(plane, true), off if np.isfinite(off) else 99.0


def _true_plane(surface: TrueSurface, truth: TrueView) -> Plane:
    """A surface's plane in the camera's frame."""
    turn, place = np.array(truth.camera.rotation), np.array(truth.camera.translation_m)
    normal = np.array(surface.normal)
    offset = float(normal @ place + surface.offset_m)
    x, y, z = (float(value) for value in normal @ turn * np.sign(offset))
    return Plane((x, y, z), abs(offset))


def _things(seen: Seen) -> Iterator[Placed]:
    """How far reflected things are from the boxes that they really fill."""
    true = {one.instance_id: one for one in seen.truth.instances}
    for said in seen.said.instances:
        if said.real is not None and true[said.instance_id].visibility == "reflected":
            chain = true[said.instance_id].chain
            off = _beyond_box(said.real.centre_m, true[said.instance_id], seen)
            yield Placed(len(chain), off, said.real.doubt_m)


def _beyond_box(centre_m: Sequence[float], instance: TrueInstance, seen: Seen) -> float:
    camera, item = seen.truth.camera, seen.scene.items[instance.item]
    room = np.array(camera.rotation) @ np.array(centre_m) + np.array(camera.translation_m)
    own = np.array(item.pose.rotation).T @ (room - np.array(item.pose.translation_m))
    outside = np.maximum(np.array(item.low_m) - own, own - np.array(item.high_m))
    return float(np.linalg.norm(np.maximum(outside, 0)))


def _refusals(said: SceneGeometry) -> Iterator[str]:
    for surface in said.surfaces:
        if surface.mirror.refusal is not None:
            yield f"surface: {surface.mirror.refusal.code}"
    for instance in said.instances:
        if instance.refusal is not None:
            yield f"instance: {instance.refusal.code}"
    for link in said.links:
        if link.agrees is False:
            yield "link: apart"


def _show(planes: list[Measured], things: list[Placed], refused: Counter[str]) -> None:
    print(
        "| flat mirrors | n | normal, deg: median | p90 | place, cm: median | p90 | good | sure "
        "| by hand, deg | cm |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    _row("all", planes)
    _rows(planes, "noise {:g} px", lambda one: one.noise)
    _rows(planes, "from {:.0f} m", lambda one: min(float(int(one.far_m)), 4.0))
    _rows(planes, "at most {:.0%} of the picture", lambda one: _band(one.share, (0.05, 0.1, 0.2)))
    _rows(planes, "{}", lambda one: one.place)
    _rows(planes, "by {}", lambda one: one.source)
    print("\n| confidence | n | mean | good |")
    print("|---|---:|---:|---:|")
    for low, high in ((0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 1.01)):
        some = [one for one in planes if low <= one.confidence < high]
        if some:
            mean = np.mean([one.confidence for one in some])
            good = np.mean([one.good for one in some])
            print(f"| {low:g} to {min(high, 1):g} | {len(some)} | {mean:.2f} | {good:.2f} |")
    print("\n| mirrors on the way | things | off, cm: median | p90 | doubt, cm | beyond 3 doubts |")
    print("|---|---:|---:|---:|---:|---:|")
    for count in sorted({one.mirrors for one in things}):
        off = np.array([one.off_m for one in things if one.mirrors == count]) * 100
        doubt = np.array([one.doubt_m for one in things if one.mirrors == count]) * 100
        print(
            f"| {count} | {len(off)} | {np.median(off):.1f} | {np.percentile(off, 90):.1f} "
            f"| {np.median(doubt):.1f} | {int((off > 3 * doubt).sum())} |"
        )
    offsets = [one.offset_off_m * 100 for one in planes]
    print(f"\noffset from the camera, cm: median {np.median(offsets):.2f}")
    wrong = sum(one.confidence >= 0.8 and not one.good for one in planes)
    print(f"confidence of 0.8 or more and not good: {wrong} of {len(planes)}")
    print("; ".join(f"{name} {count}" for name, count in sorted(refused.items())))


def _rows(planes: list[Measured], name: str, key: Callable[[Measured], object]) -> None:
    for value in sorted({key(one) for one in planes}, key=lambda one: (str(type(one)), one)):
        _row(name.format(value), [one for one in planes if key(one) == value])


def _row(name: str, planes: list[Measured]) -> None:
    angle = np.array([one.off_deg for one in planes])
    away = np.array([one.off_m for one in planes]) * 100
    good = np.mean([one.good for one in planes])
    sure = np.mean([one.confidence >= 0.8 for one in planes])
    print(
        f"| {name} | {len(planes)} | {np.median(angle):.2f} | {np.percentile(angle, 90):.2f} "
        f"| {np.median(away):.2f} | {np.percentile(away, 90):.2f} | {good:.2f} | {sure:.2f} "
        f"| {np.median([one.by_hand_deg for one in planes]):.1f} "
        f"| {np.median([one.by_hand_m for one in planes]) * 100:.1f} |"
    )


def _band(value: float, edges: Sequence[float]) -> float:
    return next((edge for edge in edges if value <= edge), 1.0)


if __name__ == "__main__":
    main()
