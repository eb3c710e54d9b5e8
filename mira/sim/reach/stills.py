"""Stills of the mirror test: scenes at the start, or along the shortest way, with exact truth."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mira.errors import SimulationError
from mira.render.png import encode_png
from mira.schema.capture import CameraIntrinsics, RigidTransform
from mira.schema.record import RootRecord
from mira.schema.step import WorldPoint
from mira.sim.engine import engine_info
from mira.sim.reach.agents import OracleAgent
from mira.sim.reach.look.painter import Painter
from mira.sim.reach.look.viewing import (
    FIELD_OF_VIEW_DEG,
    MIRROR_CENTRE_M,
    lens,
    mirror_image,
    project,
    viewpoint,
)
from mira.sim.reach.painting import PICTURE_PX
from mira.sim.reach.rules import MIRROR_SIZE_M, ReachGame, ReachPolicy
from mira.sim.reach.scenes import ReachScene, named_scenes
from mira.sim.stills.folder import Drawn, MadeStills, Progress, make_stills
from mira.sim.stills.records import Pixel, Still, camera_pose, pixel
from mira.sim.stills.sheet import SheetLayout
from mira.store.version import tool_version

_LAYOUT = SheetLayout(tile_px=(240, 240), columns=11, most=66)


class ReachWorld(RootRecord):
    """`world.json`: the camera and the mirror; metres, x towards the mirror, y left, z up."""

    renderer: str
    """What drew the pictures, with its version; pixels depend on it."""
    camera: CameraIntrinsics
    """The lens, with the size of pictures."""
    camera_pose: RigidTransform
    """From the camera's frame to the world's."""
    field_of_view_deg: float
    """Height and width of what it sees."""
    mirror_centre_m: WorldPoint
    """Middle of the mirror, which faces the body along x."""
    mirror_size_m: float
    """Its width and height."""
    policy: ReachPolicy
    """The numbers that steps are made by."""


class ReachStill(Still):
    """A picture of a scene and what is true of it."""

    scene_id: str
    """The scene."""
    body: str
    """Who stands there."""
    hand: str
    """Look of the hand."""
    mark: str
    """Look of the mark."""
    step: int
    """Moves that the hand has made along the shortest way to the mark, 0 at the start."""
    hand_world_m: WorldPoint
    """Where the hand is."""
    mark_world_m: WorldPoint
    """Where the mark is."""
    mark_px: Pixel | None
    """Middle of the pixels that show the mark, all of them in the mirror; null where hidden."""
    mark_area_px: int
    """How many pixels those are."""
    mark_image_px: Pixel | None
    """Where optics put the mark's image in the mirror, hidden or not."""
    hand_px: Pixel | None
    """Where the hand projects; it may be hidden, or beyond the picture's edge."""
    hand_image_px: Pixel | None
    """Where the hand's image in the mirror projects; the same holds."""

    @property
    def caption(self) -> str:
        """What a contact sheet has below it."""
        return f"{self.scene_id}  {self.step}" if self.step else self.scene_id


class _Moment(NamedTuple):
    """A scene with the hand after some moves."""

    scene: ReachScene
    step: int
    hand_m: WorldPoint


def make_reach_stills(
    out: Path,
    *,
    scenes: Sequence[str] = (),
    walk: int | None = None,
    size_px: int = PICTURE_PX,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> MadeStills:
    """Pictures of scenes with what is true of each, in a folder that goes on where it stopped.

    Args:
        out: The folder, new or begun with the same size.
        scenes: Ids of scenes, names of bodies, `human` or `robot`; all where empty.
        walk: Show every so many steps of the shortest way as well; None for the start alone.
        size_px: Width and height of the pictures.
        overwrite: Whether pictures that are there already are made anew.
        progress: Called with how many are there and how many are wanted.

    Raises:
        SimulationError: There is no such scene, a number is below 1, no GL library is found, or the
            folder holds something else.
        MissingExtraError: MuJoCo is not installed.
        MiraError: The folder cannot be written.
    """
    for name, value in (("walk", walk), ("size_px", size_px)):
        if value is not None and value < 1:
            raise SimulationError(name, f"expected at least 1, found {value}")
    policy = ReachPolicy()
    wanted = {
        f"pictures/{moment.scene.scene_id}_{moment.step:02d}.png": moment
        for scene in named_scenes(scenes)
        for moment in _moments(scene, policy, walk)
    }
    with Painter(size_px=size_px) as painter:
        return make_stills(
            out,
            wanted,
            lambda file, moment: _drawn(painter, file, moment),
            kind=ReachStill,
            world=_world(size_px, policy),
            layout=_LAYOUT,
            overwrite=overwrite,
            progress=progress,
        )


def _moments(scene: ReachScene, policy: ReachPolicy, walk: int | None) -> Iterator[_Moment]:
    """The start of a scene and every so many steps of the shortest way, until it is reached."""
    game, agent = ReachGame(scene.body, policy), OracleAgent()
    yield _Moment(scene, 0, game.hand_m)
    reached = walk is None
    while walk is not None and not reached:
        reached = game.take_turn(agent.choose(game)).reached
        if game.turns % walk == 0:
            yield _Moment(scene, game.turns, game.hand_m)


def _drawn(painter: Painter, file: str, moment: _Moment) -> Drawn[ReachStill]:
    scene, step, hand_m = moment
    png = encode_png(painter.draw(scene, hand_m))
    seen = painter.mark_pixels(scene, hand_m)
    mark_m = scene.body.mark_m
    points = np.stack((mirror_image(mark_m), hand_m, mirror_image(hand_m)))
    mark_image, hand, hand_image = (pixel(at) for at in project(points, size_px=painter.size_px))
    still = ReachStill(
        file=file,
        sha256=hashlib.sha256(png).hexdigest(),
        scene_id=scene.scene_id,
        body=scene.body.name,
        hand=scene.hand,
        mark=scene.mark,
        step=step,
        hand_world_m=hand_m,
        mark_world_m=mark_m,
        mark_px=None if seen.middle_px is None else pixel(seen.middle_px),
        mark_area_px=int(seen.mirrored.sum()),
        mark_image_px=mark_image,
        hand_px=hand,
        hand_image_px=hand_image,
    )
    return Drawn(png, still)


def _world(size_px: int, policy: ReachPolicy) -> ReachWorld:
    engine, camera = engine_info(), viewpoint()
    return ReachWorld(
        renderer=f"mira {tool_version()}, mujoco {engine.version}, {engine.renderer}",
        camera=lens(size_px),
        camera_pose=camera_pose(camera.axes, camera.eye_m),
        field_of_view_deg=FIELD_OF_VIEW_DEG,
        mirror_centre_m=MIRROR_CENTRE_M,
        mirror_size_m=MIRROR_SIZE_M,
        policy=policy,
    )
