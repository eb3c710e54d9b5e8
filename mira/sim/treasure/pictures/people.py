"""The two players: Marie with long hair and a dress, Participant with short hair and trousers."""

from __future__ import annotations

import numpy as np

from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.pictures.canvas import Canvas, Rgb
from mira.sim.treasure.pictures.face import Head, draw_face
from mira.sim.treasure.pictures.solids import (
    Point,
    Pose,
    Solid,
    cap,
    ellipsoid,
    tube,
)
from mira.sim.treasure.rules import Player

EYES_M = 1.36
"""Height of eyes above the floor."""
CROWN_M = 1.6
"""Height of the top of the head."""
_HEAD: Point = (0.0, 0.0, 1.36)
_HEAD_RADII: Point = (0.195, 0.185, 0.225)
_NECK_M = 1.2
"""What is higher is head, with ears and hair."""
_EARS_M = (0.19, -0.19)
_PALE: Rgb = (206, 214, 208)
_SHOES: Rgb = (58, 52, 56)


def draw_person(canvas: Canvas, player: Player, pose: Pose, emotion: Emotion) -> None:
    """Draw a player, what is far first."""
    parts = _marie(pose) if player == "subject" else _participant(pose)
    head = _head(player, pose)
    skin = _flushed(_skin(player), emotion.physiological)
    skull = ellipsoid(pose, head.centre_m, head.radii_m, skin)
    for part in sorted((*parts, skull), key=lambda part: -canvas.distance_m(part.centre_m)):
        canvas.begin("head" if part.centre_m[2] > _NECK_M else "body")
        part.draw(canvas)
        if part is skull:
            canvas.begin("face")
            draw_face(canvas, head, emotion)
            canvas.begin("head")
            _nose(pose, skin).draw(canvas)
            _hair_on_top(pose, player).draw(canvas)


def _skin(player: Player) -> Rgb:
    return (244, 206, 180) if player == "subject" else (226, 178, 146)


def _head(player: Player, pose: Pose) -> Head:
    if player == "subject":
        return Head(pose, _HEAD, _HEAD_RADII, (104, 50, 30), (74, 122, 92), lashes=True)
    return Head(pose, _HEAD, _HEAD_RADII, (44, 36, 34), (84, 58, 40), lashes=False)


def _flushed(skin: Rgb, physiological: float) -> Rgb:
    """Skin that pales where the body is ill at ease."""
    share = 0.5 * max(0.0, -physiological)
    red, green, blue = (a + share * (b - a) for a, b in zip(skin, _PALE, strict=True))
    return red, green, blue


def _nose(pose: Pose, skin: Rgb) -> Solid:
    x, y, z = _HEAD
    at = (x + _HEAD_RADII[0] * 0.99, y, z - 0.045)
    red, green, blue = skin
    return ellipsoid(pose, at, (0.04, 0.026, 0.03), (red * 0.97, green * 0.92, blue * 0.9))


def _hair_on_top(pose: Pose, player: Player) -> Solid:
    """A cap that leaves the face free: over the brows in front, low at the back."""
    front, side, up = (1.025 * radius for radius in _HEAD_RADII)
    places = [0, 35, 55, 75, 95, 125, 180]
    return cap(
        pose,
        _HEAD,
        (front, side, up),
        _HAIR[player],
        edge_deg=lambda left: np.interp(np.abs(left), places, _HAIRLINES[player]),
    )


_HAIR: dict[Player, Rgb] = {"subject": (142, 70, 38), "participant": (58, 46, 42)}
_HAIRLINES: dict[Player, list[float]] = {
    "subject": [44, 36, 14, -28, -52, -58, -58],
    "participant": [42, 38, 30, 0, 6, -24, -32],
}


def _marie(pose: Pose) -> list[Solid]:
    dress, skin = (46, 134, 140), _skin("subject")
    skirt = tube(
        pose,
        [
            ((0, 0, 0.34), (0.19, 0.24)),
            ((0, 0, 0.56), (0.15, 0.19)),
            ((0, 0, 0.74), (0.10, 0.13)),
        ],
        dress,
    )
    chest = tube(
        pose,
        [
            ((0, 0, 0.72), (0.10, 0.13)),
            ((0, 0, 0.88), (0.115, 0.155)),
            ((0, 0, 1.02), (0.10, 0.165)),
            ((0, 0, 1.09), (0.06, 0.10)),
            ((0, 0, 1.10), (0.0, 0.0)),
        ],
        dress,
    )
    neck = tube(pose, [((0, 0, 1.05), (0.05, 0.05)), ((0, 0, 1.2), (0.05, 0.05))], skin)
    back_hair = ellipsoid(pose, (-0.105, 0, 1.24), (0.13, 0.205, 0.30), _HAIR["subject"])
    return [
        *_legs(pose, skin, 0.36),
        skirt,
        chest,
        neck,
        back_hair,
        *_arms(pose, dress, skin, 0.185),
    ]


def _participant(pose: Pose) -> list[Solid]:
    shirt, trousers, skin = (214, 120, 58), (66, 76, 104), _skin("participant")
    chest = tube(
        pose,
        [
            ((0, 0, 0.60), (0.12, 0.16)),
            ((0, 0, 0.80), (0.125, 0.175)),
            ((0, 0, 1.00), (0.12, 0.205)),
            ((0, 0, 1.09), (0.07, 0.13)),
            ((0, 0, 1.10), (0.0, 0.0)),
        ],
        shirt,
    )
    hips = tube(pose, [((0, 0, 0.5), (0.125, 0.165)), ((0, 0, 0.62), (0.12, 0.16))], trousers)
    neck = tube(pose, [((0, 0, 1.05), (0.06, 0.06)), ((0, 0, 1.2), (0.058, 0.058))], skin)
    ears = [ellipsoid(pose, (-0.01, side, 1.335), (0.035, 0.022, 0.05), skin) for side in _EARS_M]
    return [
        *ears,
        *_legs(pose, trousers, 0.56, thick=1.45),
        hips,
        chest,
        neck,
        *_arms(pose, shirt, skin, 0.225),
    ]


def _legs(pose: Pose, colour: Rgb, top_m: float, *, thick: float = 1.0) -> list[Solid]:
    parts = []
    for side in (0.08, -0.08):
        rings: list[tuple[Point, tuple[float, float]]] = [
            ((0, side, 0.05), (0.042 * thick, 0.042 * thick)),
            ((0, side, top_m), (0.06 * thick, 0.058 * thick)),
        ]
        parts += [
            tube(pose, rings, colour),
            ellipsoid(pose, (0.045, side, 0.045), (0.115, 0.06, 0.05), _SHOES),
        ]
    return parts


def _arms(pose: Pose, sleeve: Rgb, skin: Rgb, reach_m: float) -> list[Solid]:
    parts = []
    for side in (1, -1):
        shoulder, elbow, hand = (
            (0.0, side * (reach_m - 0.03), 1.03),
            (0.01, side * (reach_m + 0.035), 0.82),
            (0.05, side * (reach_m + 0.03), 0.64),
        )
        parts += [
            ellipsoid(pose, shoulder, (0.062, 0.062, 0.062), sleeve),
            tube(pose, [(elbow, (0.046, 0.046)), (shoulder, (0.058, 0.058))], sleeve),
            tube(pose, [(hand, (0.034, 0.034)), (elbow, (0.042, 0.042))], skin),
            ellipsoid(pose, hand, (0.045, 0.036, 0.055), skin),
        ]
    return parts
