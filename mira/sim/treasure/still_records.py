"""Records of stills of the treasure game."""

from __future__ import annotations

from mira.schema.capture import CameraIntrinsics, RigidTransform
from mira.schema.episode import BoxId
from mira.schema.record import Record, RootRecord, Seed
from mira.sim.stills.records import Pixel, Still
from mira.sim.treasure.floor import Square
from mira.sim.treasure.rules import Choice, GazePolicy, Player


class LookPolicy(Record):
    """When somebody looks at a box."""

    gaze: GazePolicy = GazePolicy()
    """How certainty falls with the angle."""
    certainty: float = 0.3
    """Least certainty that counts as looking at a box, as is usual for MOSAIC."""


class TreasureWorld(RootRecord):
    """`world.json`: what all pictures have in common; x right, y away from the subject, z up."""

    renderer: str
    """What drew the pictures, with its version; pixels depend on it."""
    seed: Seed
    """Seed of the situations."""
    camera: CameraIntrinsics
    """The lens of all pictures, with their size."""
    cell_m: float
    """Width of a cell; the middle of cell 0, 0 is where x and y are 0."""
    policy: LookPolicy
    """When somebody looks at a box."""


class ShownThing(Record):
    """Where a picture shows something, as far as nothing is in front of it."""

    box_xyxy_px: tuple[float, float, float, float]
    """Left, top, right and bottom edge; the origin is the picture's top-left corner."""
    centroid_px: Pixel
    """Middle of what is seen."""
    area_px: float
    """How many pixels it fills, in quarters."""


class PlayerTruth(Record):
    """A player in a situation."""

    at_cells: Square
    """Its cell."""
    facing_deg: int
    """Where it faces, from +x against the clock: 0 to 315 by 45."""
    looks_to_cells: Square
    """The cell in front of it, which tells the direction as prompts do."""
    gaze_certainty: tuple[float, float]
    """How surely it looks at the dark and the light brown box, 0 to 1."""
    looks_at_box: BoxId | None
    """The box that it looks at, 0 the dark one; null for neither."""
    facial_valence: float
    """What its face shows, -1 for a full frown to 1 for a full smile."""
    physiological_valence: float
    """What its body shows, -1 to 1: pale with a drop of sweat, or red cheeks."""


class TreasureStill(Still):
    """What a player sees of a situation, and what is true of both."""

    situation_id: str
    """The situation; the other player's picture has the same."""
    viewer: Player
    """Who sees it."""
    boxes_cells: tuple[Square, Square]
    """Cells of the dark and the light brown box."""
    reward_box: BoxId
    """Box with the reward, 0 the dark one; no picture shows it."""
    nearer_box: Choice
    """Box that would open now, -1 for none: the one that is nearer to the participant."""
    subject: PlayerTruth
    """Marie."""
    participant: PlayerTruth
    """Who looks for the reward."""
    camera_pose: RigidTransform
    """From the camera's frame to the world's."""
    boxes_px: tuple[ShownThing | None, ShownThing | None]
    """Where either box is seen, with its plinth; null where it is not."""
    other_px: ShownThing | None
    """Where the other player is seen, head and all."""
    head_px: ShownThing | None
    """Where the other's head is seen, from any side, hair and all."""
    face_px: ShownThing | None
    """Where eyes, brows and mouth of the other are seen; null from behind too."""
