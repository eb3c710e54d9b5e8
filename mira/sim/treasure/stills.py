"""Stills of the treasure game: situations as both players see them, with exact truth."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from mira.errors import SimulationError
from mira.render.png import encode_png
from mira.schema.capture import RigidTransform
from mira.schema.episode import BoxId
from mira.sim.stills.folder import Drawn, MadeStills, Progress, make_stills
from mira.sim.stills.records import camera_pose
from mira.sim.stills.sheet import SheetLayout
from mira.sim.treasure.pictures.canvas import Eye, Part
from mira.sim.treasure.pictures.parts import PartMap
from mira.sim.treasure.pictures.room import CELL_M
from mira.sim.treasure.pictures.views import draw_view, eye_of, lens
from mira.sim.treasure.rules import (
    PLAYERS,
    Player,
    gaze_certainty,
    nearer_box,
    other,
)
from mira.sim.treasure.situations import Situation, draw_situation
from mira.sim.treasure.still_records import (
    LookPolicy,
    PlayerTruth,
    ShownThing,
    TreasureStill,
    TreasureWorld,
)
from mira.store.version import tool_version

_LAYOUT = SheetLayout(tile_px=(360, 240), columns=4, most=48, together=2)


class _View(NamedTuple):
    """A situation as somebody sees it."""

    situation_id: str
    situation: Situation
    viewer: Player


def make_treasure_stills(
    out: Path,
    *,
    count: int,
    seed: int = 0,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> MadeStills:
    """Two pictures each of situations 0 to `count` - 1 of a seed, with what is true of them.

    Situation k of a seed is the same however many are made.

    Args:
        out: The folder, new or begun with the same seed.
        count: Number of situations, at least 1.
        seed: Seed of what is drawn by chance.
        overwrite: Whether pictures that are there already are made anew.
        progress: Called with how many are there and how many are wanted.

    Raises:
        SimulationError: A number is out of range, or the folder holds something else.
        MiraError: The folder cannot be written.
    """
    for name, value, least in (("count", count, 1), ("seed", seed, 0)):
        if value < least:
            raise SimulationError(name, f"expected at least {least}, found {value}")
    policy = LookPolicy()
    wanted: dict[str, _View] = {}
    for index in range(count):
        situation = draw_situation(np.random.default_rng([seed, index]))
        name = f"treasure_s{seed}_{index:04d}"
        for viewer in PLAYERS:
            wanted[f"pictures/{name}_{viewer}.png"] = _View(name, situation, viewer)
    return make_stills(
        out,
        wanted,
        lambda file, view: _drawn(file, view, policy),
        kind=TreasureStill,
        world=TreasureWorld(
            renderer=f"mira {tool_version()}, opencv {cv2.__version__}",
            seed=seed,
            camera=lens(),
            cell_m=CELL_M,
            policy=policy,
        ),
        layout=_LAYOUT,
        overwrite=overwrite,
        progress=progress,
    )


def _drawn(file: str, view: _View, policy: LookPolicy) -> Drawn[TreasureStill]:
    (boxes, reward_box, stances, emotions), viewer = view.situation, view.viewer
    own, partner, shown = stances[viewer], stances[other(viewer)], emotions[other(viewer)]
    png = encode_png(draw_view(viewer, own, partner, boxes, shown))
    parts = PartMap(viewer, own, partner, boxes, shown)
    still = TreasureStill(
        file=file,
        sha256=hashlib.sha256(png).hexdigest(),
        situation_id=view.situation_id,
        viewer=viewer,
        boxes_cells=boxes,
        reward_box=reward_box,
        nearer_box=nearer_box(stances["participant"].at, boxes),
        subject=_truth(view.situation, "subject", policy),
        participant=_truth(view.situation, "participant", policy),
        camera_pose=_pose(eye_of(own, partner, boxes)),
        boxes_px=(_shown(parts, "dark_box"), _shown(parts, "light_box")),
        other_px=_shown(parts, "body", "head", "face"),
        head_px=_shown(parts, "head", "face"),
        face_px=_shown(parts, "face"),
    )
    return Drawn(png, still)


def _truth(situation: Situation, player: Player, policy: LookPolicy) -> PlayerTruth:
    stance, emotion = situation.stances[player], situation.emotions[player]
    dark, light = certainty = gaze_certainty(stance, situation.boxes, policy.gaze)
    looks_at: BoxId = 0 if dark > light else 1
    sure = dark != light and max(certainty) >= policy.certainty
    return PlayerTruth(
        at_cells=stance.at,
        facing_deg=45 * stance.facing,
        looks_to_cells=stance.looks_at,
        gaze_certainty=certainty,
        looks_at_box=looks_at if sure else None,
        facial_valence=emotion.facial,
        physiological_valence=emotion.physiological,
    )


def _pose(eye: Eye) -> RigidTransform:
    right, up, forward = eye.axes
    return camera_pose((right, -up, forward), eye.at_m)


def _shown(parts: PartMap, *names: Part) -> ShownThing | None:
    where = parts.where(names)
    return None if where is None else ShownThing(**where._asdict())
