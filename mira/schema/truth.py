"""Records of what is true of a simulated scene, written beside its session in `truth/`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.schema.annotation import Visibility
from mira.schema.capture import RigidTransform, SurfaceType, Vector
from mira.schema.record import FileRef, Record, RootRecord, Seed
from mira.schema.spatial import FreeSpace

Side = Literal["right", "left", "back", "front", "top", "bottom"]
"""A side of an item in its own frame: it stands on z = 0, looks towards -y, right is +x."""


class TrueMask(Record):
    """A mask as COCO's compressed run lengths."""

    size: tuple[int, int]
    """Height and width in pixels."""
    counts: str
    """Compressed counts."""


class TrueSurface(Record):
    """A reflective surface; room frame, metres."""

    surface_id: str
    """Its name, as in the scene's record."""
    surface_type: SurfaceType
    """Its kind."""
    centre_m: Vector
    """Middle of its reflecting side."""
    normal: Vector
    """Unit normal of that side at its middle."""
    offset_m: float
    """The plane through its middle: `normal · p + offset_m = 0`."""
    up: Vector
    """Unit vector from its middle to its top edge."""
    width_m: float = Field(gt=0)
    """Width, or diameter of a round one."""
    height_m: float = Field(gt=0)
    """Height."""
    round: bool
    """Whether its outline is an ellipse."""
    bulge_radius_m: float | None = None
    """Radius of the ball that a convex one is cut from; absent for flat ones."""
    silver: Vector
    """Share of red, green and blue light given back head-on."""
    see_through: float = Field(ge=0, le=1)
    """Share of light let through head-on."""


class TrueItem(Record):
    """A thing in the room; its frame stands on z = 0 and looks towards -y."""

    item: int = Field(ge=0)
    """Number within the scene."""
    category: str
    """What it is."""
    description: str
    """How a person would call it."""
    annotated: bool
    """Whether views outline it; fixtures are not outlined."""
    pose: RigidTransform
    """From the item's frame to the room's."""
    low_m: Vector
    """Smallest x, y, z of its surface in its own frame."""
    high_m: Vector
    """Largest x, y, z of its surface in its own frame."""
    room_low_m: Vector
    """Smallest x, y, z of its surface in the room frame."""
    room_high_m: Vector
    """Largest x, y, z of its surface in the room frame."""


class TrueScene(RootRecord):
    """`truth/<scene>/scene.json`; the room frame has z up and its origin on the floor."""

    scene_id: str
    """The scene."""
    renderer: str
    """Program that traced the rays, with its version; pixels depend on it."""
    seed: Seed
    """Seed of the series."""
    index: int = Field(ge=0)
    """Number in the series."""
    place: str
    """Kind of place."""
    walkable_low_m: tuple[float, float]
    """Smallest x and y of the floor as far as the scene goes."""
    walkable_high_m: tuple[float, float]
    """Largest x and y of that floor."""
    surfaces: tuple[TrueSurface, ...]
    """Its reflective surfaces."""
    items: tuple[TrueItem, ...]
    """What stands and hangs in it."""
    free_space: FreeSpace
    """Where a body can stand that starts under one of its cameras."""


class TrueInstance(Record):
    """An appearance of an item as a view's annotation outlines it."""

    instance_id: int = Field(ge=1)
    """Id in the view's annotation."""
    item: int = Field(ge=0)
    """The item."""
    visibility: Visibility
    """Seen directly or reflected."""
    chain: tuple[str, ...] = ()
    """Surfaces that throw it back, from the camera on; panes looked through do not count."""
    reflection_of: int | None = None
    """Instance that the annotation names as what it is the reflection of, if that is outlined."""
    mask: TrueMask
    """Its visible pixels, exactly."""
    area_px: int = Field(gt=0)
    """Number of those pixels."""
    centroid_px: tuple[float, float]
    """Mean of their centres; the top-left pixel's centre is at 0, 0."""
    side_px: dict[Side, int]
    """Pixels by the side of the item that they show, sides that are not seen left out."""
    named_parts: dict[str, int] = Field(default_factory=dict)
    """Pixels by named part of the item, such as `handle`."""
    light_share: float = Field(ge=0, le=1)
    """Mean share of the pixels' light that comes from it; less than 1 on and behind glass."""


class TrueSurfaceMask(Record):
    """A reflective surface as a view shows it."""

    instance_id: int = Field(ge=1)
    """Id in the view's annotation."""
    surface_id: str
    """The surface."""
    mask: TrueMask
    """Its visible pixels, exactly."""


class TrueView(RootRecord):
    """`truth/<scene>/<view>.json`."""

    scene_id: str
    """The scene."""
    view_id: str
    """The view."""
    camera: RigidTransform
    """From the camera (x right, y down, z forward) to the room."""
    depth_unit_m: float = Field(gt=0)
    """Metres a step of both depth pictures; 0 in them is the sky or farther than they reach."""
    first_surface_depth: FileRef
    """uint16 z of the first surface, mirrors and panes included."""
    virtual_depth: FileRef
    """uint16 z at which two eyes would see the content: behind mirrors, the virtual image."""
    surfaces: tuple[TrueSurfaceMask, ...]
    """Reflective surfaces that are outlined."""
    instances: tuple[TrueInstance, ...]
    """Appearances that are outlined, by id."""
