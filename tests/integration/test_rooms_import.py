"""What the simulator outlines comes out of the import as it knows it to be."""

from __future__ import annotations

import pytest
from extras import skip_without

from annotate.importing import import_annotations
from mira.geometry.mask import Rle, decode_rle
from mira.geometry.polygon import Region
from mira.schema.truth import TrueView
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy
from mira.sim.rooms.truth.outlines import iou_with_mask
from mira.store.session import image_id_of
from mira.store.workspace import Workspace

skip_without("embreex", extra="sim")
POLICY = RoomPolicy(
    camera=CameraPolicy(width_px=212, height_px=120, focal_px=152.5),
    instances=InstancePolicy(min_area_px=25, min_thickness_px=1.5, min_surface_area_px=100),
    places=("bathroom", "living_room"),
    views_per_scene=1,
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A session of two rooms, and the workspace and report of its import."""
    folder = tmp_path_factory.mktemp("rooms")
    made = make_rooms(folder / "rooms", count=2, seed=3, policy=POLICY)
    workspace = Workspace.create(folder / "workspace")
    report = import_annotations(
        folder / "rooms", workspace, scenes=None, annotator="simulator", progress=None
    )
    return folder / "rooms", made.scenes, workspace, report


def test_rooms_import_without_a_finding(imported):
    _, scenes, _, report = imported

    assert report.imported == len(scenes) == 2
    assert [f for f in report.findings if f.severity in ("error", "warning")] == []


def test_imported_links_and_outlines_are_the_true_ones(imported):
    session, scenes, workspace, _ = imported
    for scene_id in scenes:
        true = TrueView.from_json(
            (session / "truth" / scene_id / "v0.json").read_bytes(), where=scene_id
        )
        found = workspace.annotation(image_id_of(scene_id, "v0"), "simulator")
        links = {link.reflected_id: link for link in found.links}
        assert {s.surface_id for s in found.surfaces} == {s.instance_id for s in true.surfaces}
        instances = {instance.instance_id: instance for instance in found.instances}
        assert set(instances) == {instance.instance_id for instance in true.instances}
        for instance in true.instances:
            same = instances[instance.instance_id]
            assert same.visibility == instance.visibility
            region = Region(same.polygons_px, same.holes_px)
            mask = decode_rle(Rle(size=instance.mask.size, counts=instance.mask.counts))
            assert iou_with_mask(region, mask) > 0.95
            if instance.visibility == "reflected":
                assert links[instance.instance_id].reflection_of_id == instance.reflection_of
