"""All that the 3D page of a picture shows. Lengths are metres of the camera frame."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.schema.annotation import Visibility
from mira.schema.capture import SurfaceType, Vector
from mira.schema.qa import Box
from mira.schema.record import Record, RootRecord
from qa_gen.space_page.room_records import SpaceCamera, SpaceCloud, SpaceGround

Standing = Literal["sure", "close", "refused"]
"""Whether a proposal stands by itself, is for a person to confirm, or was not made."""
DrawnRing = tuple[tuple[float, float], ...]
"""x, y in pixels from the picture's top-left corner."""
Loop = tuple[Vector, ...]
"""Corners of a ring on a plane."""


class WhyNot(Record):
    """Why something is not said."""

    code: str
    """Stable name of the reason."""
    reason: str
    """The same in plain words."""


class SpaceBox(Record):
    """A box along the axes of the camera."""

    low_m: Vector
    """Smallest x, y, z."""
    high_m: Vector
    """Largest x, y, z."""


class SpacePair(Record):
    """A pair as evidence of a surface's plane."""

    reflected_id: int
    """The reflection."""
    real_id: int
    """The thing."""
    used: bool
    """Whether the plane rests on it."""
    residual_m: float | None
    """From the thing to its image put back; absent where untold."""
    reason: str | None
    """Why it was left out."""


class SpaceSurface(Record):
    """A reflective surface."""

    surface_id: int
    """Id of the annotation."""
    name: str
    """What the page calls it."""
    surface_type: SurfaceType | None
    """Its kind."""
    rings_px: tuple[DrawnRing, ...]
    """Its outline in the picture, even-odd."""
    normal: Vector | None
    """Unit normal towards the camera; absent where there is no plane."""
    offset_m: float | None
    """The camera's distance from the plane; absent with the normal."""
    loops_m: tuple[Loop, ...]
    """The outline on the plane, even-odd."""
    centre_m: Vector | None
    """Middle of the outline on the plane."""
    trust: float
    """Share of the evidence that speaks for the plane."""
    confidence: float
    """Estimated probability that it is near the truth."""
    normal_error_deg: float | None
    """Standard error of the normal."""
    distance_error_m: float | None
    """Standard error of its place at the middle."""
    source: str | None
    """What it rests on."""
    depth_shows: str
    """What depth inside is of."""
    notes: tuple[str, ...]
    """What else to know."""
    pairs: tuple[SpacePair, ...]
    """What became of each pair."""
    refusal: WhyNot | None
    """Why there is no plane."""


class SpaceSide(Record):
    """The visible side of an instance."""

    centre_m: Vector
    """Median of its readings."""
    box: SpaceBox
    """Around them."""
    doubt_m: float | None = None
    """Standard deviation of the place, in its worst direction; absent for a virtual image."""


class SpaceInstance(Record):
    """One appearance of a thing."""

    instance_id: int
    """Id of the annotation."""
    name: str
    """What the page calls it, without the id."""
    thing: int
    """Key of the object that it shows."""
    visibility: Visibility
    """Seen directly or reflected."""
    seen_in: tuple[int, ...]
    """Surfaces on the light's way."""
    box_px: Box
    """Around it in the picture."""
    rings_px: tuple[DrawnRing, ...]
    """Its outline in the picture, even-odd."""
    seen: SpaceSide | None
    """Where it is seen: of a reflection, the virtual image."""
    real: SpaceSide | None
    """Where that side really is."""
    refusal: WhyNot | None
    """Why that is not told."""


class SpaceThing(Record):
    """A physical object, as proposals take it to be."""

    key: int
    """Smallest id of its instances."""
    instance_ids: tuple[int, ...]
    """Its appearances."""
    box: SpaceBox | None
    """Around all of it, the unseen side guessed; absent where it has no place."""
    doubt_m: Vector | None
    """Standard deviations of its middle along x, y and z."""
    rests_on: tuple[int, ...]
    """Instances that were measured."""
    surface_ids: tuple[int, ...]
    """Mirrors across which one of them was put back."""
    refusal: WhyNot | None
    """Why it has no place."""


class SpaceLink(Record):
    """A reflection and the thing it is linked to; middles as guessed from how wide they look."""

    reflected_id: int
    """The reflection."""
    real_id: int
    """The thing."""
    image_m: Vector | None
    """Middle of the virtual image."""
    put_back_m: Vector | None
    """The same put back; absent where there is no gap."""
    thing_m: Vector | None
    """Middle of the thing."""
    gap_m: float | None
    """From there to the thing; absent where untold."""
    sigmas: float | None
    """The same in standard deviations of what a right link may be off by."""
    agrees: bool | None
    """Whether that is little."""
    refusal: WhyNot | None
    """Why it does not agree, or why nothing is told."""


class SpaceProposal(Record):
    """What geometry says of one question, in words."""

    item_id: str
    """Id of the item."""
    template_id: str
    """Row of the taxonomy."""
    question: str
    """What is asked, in short."""
    answer: str
    """The answer, or that there is none."""
    reason: str
    """Why."""
    standing: Standing
    """How sure it is."""
    margin: str | None
    """Distance to the nearest threshold with its unit."""
    flags: tuple[str, ...]
    """What else to know."""
    slots: tuple[int, ...]
    """Instances that fill its slots, in order."""
    direction: str | None
    """Its direction."""
    instance_ids: tuple[int, ...]
    """Instances that it is about or rests on."""
    surface_ids: tuple[int, ...]
    """Surfaces that it rests on."""


class SpaceModel(RootRecord):
    """One picture in metres."""

    image_id: str
    """The picture."""
    scene_id: str
    """Its scene."""
    annotator: str
    """Whose annotation."""
    revision: int
    """Which of theirs."""
    annotation_sha256: str
    """Digest of its content."""
    camera: SpaceCamera | None
    """The camera; absent where unknown."""
    cloud: SpaceCloud | None
    """Readings; absent without metric depth or camera."""
    ground: SpaceGround | None
    """The floor; absent with the readings."""
    surfaces: tuple[SpaceSurface, ...]
    """Reflective surfaces, in the annotation's order."""
    instances: tuple[SpaceInstance, ...]
    """Appearances, in the annotation's order."""
    things: tuple[SpaceThing, ...]
    """Objects."""
    links: tuple[SpaceLink, ...]
    """Links to directly seen instances."""
    proposals: tuple[SpaceProposal, ...]
    """What geometry proposes, and what it refuses."""
    not_asked: dict[str, int] = Field(default_factory=dict)
    """Questions that cannot be put, a reason."""
    move_m: float
    """Length of the movement that collisions are asked for."""
    body_radius_m: float
    """Radius of the body that makes it."""
    note: str | None
    """Why there are no metres; absent where there are."""
