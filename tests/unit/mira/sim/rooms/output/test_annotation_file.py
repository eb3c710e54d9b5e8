from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from mira.geometry.polygon import region_area
from mira.sim.rooms.output.annotation_file import annotation_document
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SceneView, SimulatedScene


@pytest.fixture
def view(small_scene: SimulatedScene) -> SceneView:
    return small_scene.views[1]


@pytest.fixture
def document(
    small_scene: SimulatedScene, view: SceneView, quick_policy: RoomPolicy
) -> dict[str, Any]:
    return annotation_document(view.content, small_scene.plan, quick_policy.camera)


def _shapes(document: dict[str, Any], group_id: int) -> list[dict[str, Any]]:
    return [shape for shape in document["shapes"] if shape["group_id"] == group_id]


def test_the_document_has_the_form_that_annotators_save(document: dict[str, Any]) -> None:
    assert document["version"] == "4.0.2"
    assert document["checked"] is True
    assert (document["imagePath"], document["imageData"]) == ("color.png", None)
    assert (document["imageWidth"], document["imageHeight"]) == (212, 120)
    for shape in document["shapes"]:
        assert shape["shape_type"] == "polygon"
        assert len(shape["points"]) >= 3
        for x, y in shape["points"]:
            assert 0 <= x <= 212
            assert 0 <= y <= 120


def test_everything_outlined_is_in_it_once(document: dict[str, Any], view: SceneView) -> None:
    seen = (*view.content.surfaces, *view.content.sightings)
    labels = {shape["group_id"]: shape["label"] for shape in document["shapes"][::-1]}

    assert set(labels) == {one.group_id for one in seen}
    for one in seen:
        rings = Counter(shape["label"] == "hole" for shape in _shapes(document, one.group_id))
        assert (rings[False], rings[True]) == (len(one.region.parts), len(one.region.holes))
        drawn = [s["points"] for s in _shapes(document, one.group_id) if s["label"] != "hole"]
        assert region_area(drawn).area == pytest.approx(region_area(one.region.parts).area)


def test_surfaces_say_what_they_are(document: dict[str, Any], view: SceneView) -> None:
    for surface in view.content.surfaces:
        for shape in _shapes(document, surface.group_id):
            if shape["label"] != "hole":
                assert shape["label"] == "surface"
                assert shape["description"] == ""
                assert shape["attributes"] == {"surface_type": "planar_mirror"}


def test_things_and_reflections_say_what_they_are_of(
    document: dict[str, Any], view: SceneView, small_scene: SimulatedScene
) -> None:
    counterparts = set()
    for sighting in view.content.sightings:
        for shape in _shapes(document, sighting.group_id):
            if shape["label"] == "hole":
                continue
            assert shape["description"] == small_scene.plan.items[sighting.item].item.description
            if not sighting.chain:
                assert shape["label"] == "object"
                assert shape["attributes"] == {}
                continue
            source = sighting.reflection_of
            assert shape["label"] == "object_reflection"
            assert shape["attributes"] == {
                "reflection_of": "" if source is None else str(source),
                "in_mirror": str(sighting.in_surface),
                "counterpart": sighting.counterpart,
            }
            counterparts.add(sighting.counterpart)
    assert counterparts >= {"in_frame", "out_of_frame"}
