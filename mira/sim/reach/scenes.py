"""The 66 scenes: who stands before the mirror, with which hand and which mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Literal

import yaml

from mira.errors import SimulationError
from mira.schema.record import Record
from mira.schema.step import WorldPoint

Track = Literal["human", "robot"]
"""Kinds of body, which are scored apart."""


class Body(Record):
    """A body and where things are in its scenes; metres, x towards the mirror, y left, z up."""

    name: str
    """Its name."""
    track: Track
    """What it is scored with."""
    body_m: WorldPoint
    """Where it stands."""
    depth_m: float
    """How deep it is along x, to the rule that keeps the hand out of it."""
    hand_m: WorldPoint
    """Where the hand starts."""
    mark_m: WorldPoint
    """The mark, which the hand is to reach."""


class ReachScene(Record):
    """A body with a hand and a mark."""

    body: Body
    """Who stands there."""
    hand: str
    """Look of the hand."""
    mark: str
    """Look of the mark."""

    @property
    def scene_id(self) -> str:
        """Its stable name, such as `male_0-bare-dot`."""
        return f"{self.body.name}-{self.hand}-{self.mark}"


class _Looks(Record):
    hands: tuple[str, ...]
    marks: tuple[str, ...]


class _Scenes(Record):
    tracks: dict[Track, _Looks]
    bodies: tuple[Body, ...]


@cache
def reach_scenes() -> tuple[ReachScene, ...]:
    """All scenes, in their order: 48 of humans (4 bodies, 3 hands, 4 marks) and 18 of robots."""
    text = files(__package__).joinpath("scenes.yaml").read_text("utf-8")
    known = _Scenes.model_validate(yaml.safe_load(text))
    return tuple(
        ReachScene(body=body, hand=hand, mark=mark)
        for body in known.bodies
        for hand, mark in product(known.tracks[body.track].hands, known.tracks[body.track].marks)
    )


def named_scenes(names: Sequence[str] = ()) -> tuple[ReachScene, ...]:
    """Scenes that are named, each once, in the order of their names.

    Args:
        names: Ids of scenes, names of bodies, `human` or `robot`; all scenes where empty.

    Raises:
        SimulationError: A name is none of these.
    """
    wanted = (scene for name in names or ("human", "robot") for scene in _named(name))
    return tuple(dict.fromkeys(wanted))


def find_scene(body: str, hand: str, mark: str) -> ReachScene:
    """The scene with these looks.

    Raises:
        SimulationError: There is none, so that it cannot be drawn.
    """
    for scene in reach_scenes():
        if (scene.body.name, scene.hand, scene.mark) == (body, hand, mark):
            return scene
    raise SimulationError(
        f"{body}-{hand}-{mark}", "is no scene that can be drawn here", "pass --no-render"
    )


def _named(name: str) -> Iterator[ReachScene]:
    found = [
        scene
        for scene in reach_scenes()
        if name in (scene.scene_id, scene.body.name, scene.body.track)
    ]
    if not found:
        bodies = dict.fromkeys(scene.body.name for scene in reach_scenes())
        raise SimulationError(
            "scenes",
            f"expected human, robot, a body ({', '.join(bodies)}) or an id such as "
            f"{reach_scenes()[0].scene_id}, found {name!r}",
        )
    yield from found
