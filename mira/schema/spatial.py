"""Records of spatial answers: the thresholds they rest on, and the answers that geometry gives.

Lengths are in metres, angles in degrees. One record of thresholds serves whoever answers: exact
geometry of a simulated scene, and proposals from labels and measured depth.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from mira.schema.qa import Answer
from mira.schema.record import Record


class RelationPolicy(Record):
    """When two things count as aligned, and when that is too close to call."""

    aligned_overlap_share: float = Field(default=0.5, ge=0, le=1)
    """Extents that overlap by this share of the smaller one are aligned."""
    aligned_floor_m: float = Field(default=0.05, ge=0)
    """Centres that differ by no more are aligned, however small the things."""
    aligned_extent_share: float = Field(default=0.25, ge=0)
    """Centres that differ by no more than this share of the mean extent are aligned."""
    same_depth_floor_m: float = Field(default=0.10, ge=0)
    """Centres whose z differs by no more are at the same depth."""
    same_depth_share: float = Field(default=0.05, ge=0)
    """So are centres whose z differs by no more than this share of their mean distance."""
    close_call_m: float = Field(default=0.02, ge=0)
    """A difference of centres this near to its limit is a close call."""
    close_call_share: float = Field(default=0.10, ge=0)
    """So is one that is nearer to its limit than this share of the limit."""


class WalkerPolicy(Record):
    """The upright body that carries the camera, and what it can touch."""

    radius_m: float = Field(default=0.25, gt=0)
    """Radius of the upright cylinder that the body needs."""
    body_height_m: float = Field(default=1.75, gt=0)
    """Height of the cylinder; things that hang higher are walked under."""
    step_height_m: float = Field(default=0.10, ge=0)
    """Things that end lower, such as rugs and kerbs, are walked over."""
    arm_reach_m: float = Field(default=0.80, gt=0)
    """Horizontal distance from the body's axis at which a hand still touches a thing."""
    reach_height_m: float = Field(default=2.0, gt=0)
    """Height over the floor that a hand reaches."""
    shoulder_height_m: float = Field(default=1.4, gt=0)
    """Height from which the arm starts."""
    hand_m: float = Field(default=0.08, ge=0)
    """The arm's line ends so far before the thing, for what the thing hangs on is no obstacle."""
    cell_m: float = Field(default=0.05, gt=0)
    """Edge of a cell of the floor grid."""
    max_cells_a_side: int = Field(default=240, ge=8)
    """Cells grow where a floor would need more of them along its longer side."""
    start_slack_m: float = Field(default=0.30, ge=0)
    """A camera over a spot without room for the body starts at the nearest spot that has it."""
    doubtful_share: float = Field(default=0.15, ge=0, lt=1)
    """Reachability that hangs on the body being so much thicker or thinner is a close call."""
    close_call_m: float = Field(default=0.10, ge=0)
    """A distance this near to what a hand reaches is a close call."""


class ActionPolicy(Record):
    """Single actions of the camera, and which of them is best."""

    step_m: float = Field(default=0.5, gt=0)
    """Length of a movement."""
    turns_deg: tuple[Annotated[float, Field(gt=0, lt=180)], ...] = Field(
        default=(45.0, 90.0), min_length=1
    )
    """A rotation to the left or right stops at one of these angles, whichever shows most."""
    facing_deg: float = Field(default=25.0, gt=0, lt=180)
    """The camera faces a place whose bearing is at most this to either side."""
    behind_deg: float = Field(default=135.0, gt=0, lt=180)
    """A place whose bearing is larger calls for turning around."""
    close_call_deg: float = Field(default=5.0, ge=0)
    """A bearing this near to either limit is a close call."""
    look_reduction: int = Field(default=10, ge=1)
    """What an action would show is judged by every so many pixels of every so many rows."""
    direct_weight: float = Field(default=4.0, ge=1)
    """A pixel that shows a thing directly is worth so many that show its reflection."""
    better_ratio: float = Field(default=1.5, gt=1)
    """An action betters a view when what is shown grows by this factor at least."""
    close_call_ratio: float = Field(default=1.25, ge=1)
    """The best action wins clearly over the next best, and over `better_ratio`, by this factor."""


class CollisionPolicy(Record):
    """What a movement of the camera may run into."""

    move_m: float = Field(default=1.0, gt=0)
    """Length of a movement; over the floor the body goes along, up and down the camera alone."""
    camera_radius_m: float = Field(default=0.08, gt=0)
    """Radius of the ball that the camera needs."""
    cell_m: float = Field(default=0.01, gt=0)
    """Accuracy of the free distance."""
    close_call_m: float = Field(default=0.05, ge=0)
    """A free distance this near to the movement's length is a close call."""


class AddedInformationPolicy(Record):
    """When a reflection tells something new of a thing that is seen directly too."""

    side_share: float = Field(default=0.08, gt=0, le=1)
    """A view shows a side of a thing when this share of its pixels does."""
    side_px: int = Field(default=25, ge=1)
    """It takes so many pixels at least."""
    added_share: float = Field(default=0.10, gt=0, le=1)
    """A reflection adds surface when this share of it is not seen directly."""
    samples: int = Field(default=64, ge=4)
    """So many pixels of each reflection are asked whether they are seen directly."""
    part_px: int = Field(default=20, ge=1)
    """A part with a name is seen when it shows so many pixels, unseen below a quarter of them."""
    look_share: float = Field(default=0.15, gt=0, le=1)
    """A colour or print is new when it covers this share of the sides newly seen, and less than
    a quarter of it of the sides seen before."""
    look_distance: float = Field(default=0.18, gt=0, le=1)
    """Looks differ from here: root mean square over coarse pictures with colours in [0, 1]."""
    doubt_factor: float = Field(default=1.5, ge=1)
    """An answer that changes when all thresholds grow or shrink by this is a close call."""


class SpatialPolicy(Record):
    """Every number that decides a spatial answer; stored with the answers it decided."""

    relation: RelationPolicy = RelationPolicy()
    """Left, right, above, below, front, behind, aligned."""
    walker: WalkerPolicy = WalkerPolicy()
    """Free floor and reach."""
    action: ActionPolicy = ActionPolicy()
    """Best next actions."""
    collision: CollisionPolicy = CollisionPolicy()
    """Collisions."""
    added: AddedInformationPolicy = AddedInformationPolicy()
    """What a reflection adds."""


MarginUnit = Literal["m", "px", "deg", "ratio"]
"""Unit of a margin; a ratio is that of two scores."""
AnswerFlag = Literal["behind_camera"]
"""Something a reviewer should know: a position that matters lies behind the camera."""


class TrueAnswer(Record):
    """The right answer of one question that a picture supports, from exact geometry."""

    template_id: str
    """Row of the taxonomy."""
    slots: dict[str, int] = Field(default_factory=dict)
    """Slot and instance id."""
    direction: str | None = None
    """Value of the slot DIR, where the template has one."""
    answer: Answer
    """The answer; a choice gives the taxonomy's word or an instance id, not an option's letter."""
    also_true: tuple[str, ...] = ()
    """Other values that would be as right, such as further reflections of the object."""
    candidates: tuple[int, ...] = ()
    """Instances that may be offered as options, by id, the right ones among them."""
    margin: float | None = None
    """Distance to the nearest threshold, 0 or more; absent where no threshold took part."""
    margin_unit: MarginUnit | None = None
    """Unit of the margin; absent with it."""
    close_call: bool = False
    """Whether a person should decide: a slightly other threshold would change the answer."""
    flags: tuple[AnswerFlag, ...] = ()
    """What else a reviewer should know."""
    reason: str
    """Why, in plain words."""


class FreeSpace(Record):
    """The floor on which a body can stand, as a grid seen from above."""

    origin_m: tuple[float, float]
    """Corner of the first cell, smallest x and y, room frame."""
    cell_m: float = Field(gt=0)
    """Edge of a cell."""
    rows: int = Field(ge=1)
    """Cells along y."""
    columns: int = Field(ge=1)
    """Cells along x."""
    runs: tuple[int, ...]
    """Lengths of runs of equal cells, row by row, x fastest; the first run is not free."""
