"""Records of simulated truth read and write as test_golden_records.py asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from mira.schema import truth
from mira.schema.capture import RigidTransform
from mira.schema.record import FileRef, Record, RootRecord
from mira.schema.spatial import FreeSpace
from mira.schema.truth import (
    TrueInstance,
    TrueItem,
    TrueMask,
    TrueScene,
    TrueSurface,
    TrueSurfaceMask,
    TrueView,
)

GOLDEN = Path(__file__).parents[3] / "golden" / "records"

MASK = TrueMask(size=(480, 848), counts="Zdd45j>4L3N2O0O2O")
POSE = RigidTransform(
    target="room",
    source="item",
    rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    translation_m=(0.25, -1.5, 0.75),
)
MIRROR = TrueSurface(
    surface_id="mirror_1",
    surface_type="planar_mirror",
    centre_m=(0.5, -0.0039, 1.25),
    normal=(0.0, -1.0, 0.0),
    offset_m=-0.0039,
    up=(0.0, 0.0, 1.0),
    width_m=1.25,
    height_m=0.875,
    round=False,
    silver=(0.9, 0.925, 0.915),
    see_through=0.0,
)

EXAMPLES: dict[str, RootRecord] = {
    "TrueScene": TrueScene(
        scene_id="room_s7_0003",
        renderer="mira rooms 1, embree 4.4.0",
        seed=7,
        index=3,
        place="bathroom",
        walkable_low_m=(-1.625, -4.0),
        walkable_high_m=(1.625, 0.0),
        free_space=FreeSpace(
            origin_m=(-1.625, -4.0), cell_m=0.05, rows=2, columns=3, runs=(1, 2, 3)
        ),
        surfaces=(
            MIRROR,
            MIRROR.model_copy(
                update={
                    "surface_id": "mirror_2",
                    "surface_type": "convex_mirror",
                    "round": True,
                    "bulge_radius_m": 1.2,
                }
            ),
        ),
        items=(
            TrueItem(
                item=0,
                category="cup",
                description="white cup",
                annotated=True,
                pose=POSE,
                low_m=(-0.05, -0.04, 0.0),
                high_m=(0.05, 0.04, 0.1),
                room_low_m=(0.21, -1.55, 0.75),
                room_high_m=(0.29, -1.45, 0.85),
            ),
        ),
    ),
    "TrueView": TrueView(
        scene_id="room_s7_0003",
        view_id="v0",
        camera=POSE.model_copy(update={"source": "camera"}),
        depth_unit_m=0.0005,
        first_surface_depth=FileRef(
            path="v0_first_surface.png", sha256="d0" * 32, size_bytes=52_130
        ),
        virtual_depth=FileRef(path="v0_virtual.png", sha256="d1" * 32, size_bytes=61_207),
        surfaces=(TrueSurfaceMask(instance_id=100, surface_id="mirror_1", mask=MASK),),
        instances=(
            TrueInstance(
                instance_id=1,
                item=0,
                visibility="direct",
                mask=MASK,
                area_px=412,
                centroid_px=(310.25, 202.5),
                side_px={"right": 12, "front": 400},
                named_parts={"handle": 31},
                light_share=1.0,
            ),
            TrueInstance(
                instance_id=2,
                item=0,
                visibility="reflected",
                chain=("mirror_1",),
                reflection_of=1,
                mask=MASK,
                area_px=203,
                centroid_px=(520.125, 180.75),
                side_px={"back": 203},
                light_share=0.625,
            ),
        ),
    ),
}
RECORDS = [
    kind
    for kind in vars(truth).values()
    if isinstance(kind, type) and issubclass(kind, Record) and kind.__module__ == truth.__name__
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_record_is_written_as_its_golden_file(
    name: str, check_golden: Callable[[str, bytes], None]
) -> None:
    version = type(EXAMPLES[name]).CURRENT_VERSION
    check_golden(f"records/v{version}/{name}.json", EXAMPLES[name].to_json())


@pytest.mark.parametrize("name", EXAMPLES)
def test_golden_files_of_every_version_read_as_the_same_record(name: str) -> None:
    paths = sorted(GOLDEN.glob(f"v*/{name}.json"))
    assert paths
    for path in paths:
        assert type(EXAMPLES[name]).from_json(path.read_bytes(), where=path) == EXAMPLES[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_record_on_one_line_reads_as_the_same_record(name: str) -> None:
    line = EXAMPLES[name].to_json(indent=False)

    assert line.count(b"\n") <= 1
    assert type(EXAMPLES[name]).from_json(line, where="line") == EXAMPLES[name]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_record_is_documented(kind: type[Record]) -> None:
    for name, field in kind.model_fields.items():
        assert field.description, f"{kind.__name__}.{name}"


@pytest.mark.parametrize(
    "change", [{"area_px": 0}, {"light_share": 1.5}, {"side_px": {"inside": 3}}, {"instance_id": 0}]
)
def test_an_instance_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    view = EXAMPLES["TrueView"]
    assert isinstance(view, TrueView)

    with pytest.raises(ValidationError):
        TrueInstance.model_validate(view.instances[0].model_dump() | change)
