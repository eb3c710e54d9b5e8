from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    Counterpart,
    ImageAnnotation,
    Instance,
    Surface,
)
from mira.schema.capture import Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.workspace import Workspace

REF = FileRef(path="color.png", sha256="0" * 64, size_bytes=1)


def _square(instance_id: int, side: float) -> tuple[tuple[float, float], ...]:
    x, y = 10.0 + 45 * (instance_id % 12), 10.0 + 45 * (instance_id // 12)
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


@pytest.fixture
def draw() -> Callable[..., ImageAnnotation]:
    """Draw a picture: direct ids, and for each reflected id what it is a reflection of."""

    def _draw(
        *,
        direct: tuple[int, ...] = (),
        reflected: dict[int, int | Counterpart | None] | None = None,
        categories: dict[int, str] | None = None,
        descriptions: dict[int, str] | None = None,
        sides: dict[int, float] | None = None,
    ) -> ImageAnnotation:
        reflected = reflected or {}
        categories, descriptions, sides = categories or {}, descriptions or {}, sides or {}
        links = []
        for reflected_id, of in reflected.items():
            target = of if isinstance(of, int) else None
            end = target
            while end in reflected:
                following = reflected[end]
                end = following if isinstance(following, int) else None
            links.append(
                Correspondence(
                    reflected_id=reflected_id,
                    reflection_of_id=target,
                    real_id=end,
                    counterpart="in_frame" if target else of,  # type: ignore[arg-type]
                )
            )
        return ImageAnnotation(
            image_id="picture",
            annotator="ann",
            revision=1,
            width_px=640,
            height_px=480,
            surfaces=(
                Surface(
                    surface_id=900, surface_type="planar_mirror", polygons_px=(_square(60, 40),)
                ),
            ),
            instances=tuple(
                Instance(
                    instance_id=k,
                    visibility="direct" if k in direct else "reflected",
                    seen_in=() if k in direct else (900,),
                    polygons_px=(_square(k, sides.get(k, 40)),),
                    category=categories.get(k),
                    description=descriptions.get(k, f"thing {k}"),
                )
                for k in sorted((*direct, *reflected))
            ),
            links=tuple(links),
            source=AnnotationSource(format="x-anylabeling", file=REF),
        )

    return _draw


@pytest.fixture
def view() -> View:
    return View(
        scene_id="scene",
        image_id="picture",
        width_px=640,
        height_px=480,
        color=REF,
        provenance=Provenance(tool="test", tool_version="1"),
    )


@pytest.fixture
def workspace(tmp_path: Path, draw, view) -> Workspace:
    made = Workspace.create(tmp_path / "w")
    made.put_scene(Scene(scene_id=view.scene_id))
    picture = tmp_path / "color.png"
    picture.write_bytes(b"x")
    made.put_view(view, {"color.png": picture})
    made.put_annotation(draw(direct=(1, 2, 3), reflected={11: 1, 12: 2, 13: "out_of_frame"}))
    return made
