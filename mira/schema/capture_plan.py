"""Records of a capture plan: what a crew is to record, written before anyone leaves the house."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Self

from pydantic import BeforeValidator, Field, model_validator

from mira.schema.capture import Scene
from mira.schema.record import Record, RootRecord

Size = Annotated[tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]], "width, height"]
"""Width and height, pixels."""


def _size_of(given: Any) -> Any:
    """A size from `848x480` as from a pair."""
    if isinstance(given, list | tuple):
        return given
    parts = given.lower().split("x") if isinstance(given, str) else ()
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"expected a size such as 848x480, found {given!r}")
    return tuple(int(part) for part in parts)


def _view_ids(given: Any) -> Any:
    """Ids from a number of views as from a list of names."""
    if isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= _MOST_VIEWS:
            raise ValueError(f"expected 1 to {_MOST_VIEWS} views, found {given}")
        return tuple(f"v{k}" for k in range(1, given + 1))
    return given


def _with_usual_options(given: Any) -> Any:
    return {**_USUAL_OPTIONS, **given} if isinstance(given, dict) else given


_MOST_VIEWS = 10_000
_USUAL_OPTIONS = {"depth.emitter_enabled": 1.0, "color.auto_exposure_priority": 0.0}

PlannedSize = Annotated[Size, BeforeValidator(_size_of)]
"""Written `848x480` or as a pair."""


class CameraRequest(Record):
    """How the camera is to run."""

    color: PlannedSize = (1280, 720)
    """Size of colour pictures."""
    depth: PlannedSize = (848, 480)
    """Size of depth pictures; 848x480 is the D435's best."""
    fps: int = Field(default=30, gt=0)
    """Frames a second, of both."""
    step_down: bool = True
    """Whether a smaller or slower mode will do where the camera or its cable lacks this one."""
    preset: str | None = "default"
    """Visual preset of the depth sensor under the SDK's name; absent to leave it as it is."""
    advanced_json: str | None = None
    """File of advanced settings, beside the plan; it goes on after the preset."""
    options: Annotated[dict[str, float], BeforeValidator(_with_usual_options)] = Field(
        default_factory=lambda: dict(_USUAL_OPTIONS)
    )
    """Options as `<stream>.<name in the SDK>`, on top of the usual ones: projector on, and colour
    without auto-exposure priority, so that it keeps its rate in the dark, and its partner in
    depth."""


class PlannedView(NamedTuple):
    """A view of a plan."""

    scene_id: str
    view_id: str

    def __str__(self) -> str:
        return f"{self.scene_id}/{self.view_id}"


class PlannedScene(Scene):
    """A scene to record: what is known of it, and its views."""

    views: Annotated[tuple[str, ...], BeforeValidator(_view_ids)] = Field(min_length=1)
    """Ids of its views, one a viewpoint; a number n stands for v1 to vn."""

    def scene(self, *, operator: str | None = None, held: Scene | None = None) -> Scene:
        """What a session keeps of it.

        Args:
            operator: Who holds the camera where the scene does not say.
            held: What the session holds already; it stays where the plan says nothing.
        """
        said = {name: getattr(self, name) for name in Scene.model_fields}
        if held is not None:
            kept = Scene.model_fields.keys() - self.model_fields_set
            said |= {name: getattr(held, name) for name in kept}
        said["operator"] = said["operator"] or operator
        return Scene(**said)

    @model_validator(mode="after")
    def _once(self) -> Self:
        if len(set(self.views)) < len(self.views):
            raise ValueError("views: expected every id once, found one twice")
        return self


class CapturePlan(RootRecord):
    """The scenes and viewpoints to record, and how."""

    session_id: str = Field(min_length=1)
    """Id of the session that it becomes."""
    operator: str | None = None
    """Who holds the camera, as a code name; a scene may name another."""
    camera: CameraRequest = Field(default_factory=CameraRequest)
    """How the camera is to run."""
    burst_pairs: int = Field(default=5, ge=1, le=60)
    """Pairs taken for a view, of which the sharpest is kept."""
    emitter_pair: bool = False
    """Whether a view gets a second pair, taken with the projector off."""
    raw_pairs: int = Field(default=0, ge=0, le=600)
    """Pairs that go with a view as the SDK records them, uncompressed; none by default."""
    scenes: tuple[PlannedScene, ...] = Field(min_length=1)
    """Scenes in the order of recording."""

    def planned_views(self) -> tuple[PlannedView, ...]:
        """All views, in the order of recording."""
        return tuple(
            PlannedView(scene.scene_id, view_id) for scene in self.scenes for view_id in scene.views
        )

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        ids = [scene.scene_id for scene in self.scenes]
        for scene_id in ids:
            if ids.count(scene_id) > 1:
                raise ValueError(f"scenes: expected every scene_id once, found {scene_id!r} twice")
        return self
