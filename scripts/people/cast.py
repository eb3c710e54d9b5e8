"""Who stands before the mirror: builds, clothes, colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from shaping import Build

Rgb = tuple[int, int, int]


class Worn(NamedTuple):
    """A garment, a pair of shoes, hair or eyebrows.

    Attributes:
        name: Its file's name.
        colour: Its colour.
        panels: Other colours of some of its panels.
        gloss: Strength of highlights, from 0 to 1.
    """

    name: str
    colour: Rgb
    panels: Mapping[int, Rgb] = {}
    gloss: float = 0.04


class Person(NamedTuple):
    """A person.

    Attributes:
        build: The body.
        height_m: How tall, soles to crown, without hair.
        skin: Colour of the skin.
        lips: Colour of the lips.
        iris: Colour of the eyes.
        worn: Clothes and hair.
        aside_m: How far to its right it stands, so that a mark beside the middle of the body is
            on its front.
        elbows_deg: How far the upper arms are let down.
    """

    build: Build
    height_m: float
    skin: Rgb
    lips: Rgb
    iris: Rgb
    worn: tuple[Worn, ...]
    aside_m: float = 0.0
    elbows_deg: float = 32.0


_JEANS, _NAVY, _CHARCOAL = (58, 78, 120), (38, 46, 74), (64, 66, 72)
_WHITE, _LEATHER = (236, 236, 232), (62, 42, 32)

_CALM = {
    "eyebrows/eyebrows-angle-up": 0.5,
    "mouth/mouth-angles-up": 0.5,
    "expression/units/caucasian/mouth-corner-puller": 0.25,
    "expression/units/caucasian/eyebrows-left-inner-up": 0.35,
    "expression/units/caucasian/eyebrows-right-inner-up": 0.35,
    "expression/units/caucasian/eyebrows-left-up": 0.25,
    "expression/units/caucasian/eyebrows-right-up": 0.25,
}
"""A friendly look; at rest the base mesh frowns."""

CAST: dict[str, Person] = {
    "male_0": Person(
        Build(1.0, muscle=0.72, weight=0.55, proportions=0.7, details=_CALM),
        1.71,
        (228, 178, 148),
        (186, 110, 98),
        (70, 110, 140),
        (
            Worn("male_casualsuit06", (44, 92, 112), {5: _JEANS, 4: _JEANS}),
            Worn("shoes02", (210, 210, 205), gloss=0.1),
            Worn("short01", (92, 58, 34), gloss=0.2),
            Worn("eyebrow001", (70, 44, 26)),
        ),
        aside_m=0.03,
    ),
    "male_1": Person(
        Build(1.0, age=0.7, weight=0.72, origins={"african": 1.0}, details=_CALM),
        1.73,
        (122, 80, 58),
        (108, 62, 54),
        (60, 38, 24),
        (
            Worn(
                "male_elegantsuit01",
                _NAVY,
                {3: _WHITE, 6: _WHITE},
            ),
            Worn("shoes01", (40, 30, 26), gloss=0.3),
            Worn("short04", (38, 34, 32), gloss=0.15),
            Worn("eyebrow002", (26, 22, 20)),
        ),
        aside_m=0.03,
    ),
    "female_0": Person(
        Build(0.0, muscle=0.5, weight=0.4, origins={"asian": 1.0}, details=_CALM),
        1.60,
        (236, 192, 160),
        (196, 104, 104),
        (66, 42, 28),
        (
            Worn("female_casualsuit01", (62, 92, 148), {5: _CHARCOAL, 4: _CHARCOAL}),
            Worn("shoes02", (206, 120, 110), gloss=0.1),
            Worn("ponytail01", (34, 28, 28), gloss=0.3),
            Worn("eyebrow010", (34, 28, 26)),
        ),
    ),
    "female_1": Person(
        Build(0.0, muscle=0.5, weight=0.86, cup=0.55, details=_CALM),
        1.64,
        (240, 196, 172),
        (200, 92, 92),
        (70, 120, 90),
        (
            Worn("female_elegantsuit01", (30, 104, 92), {0: (74, 62, 84)}),
            Worn("shoes03", _LEATHER, gloss=0.3),
            Worn("long01", (164, 98, 48), gloss=0.25),
            Worn("eyebrow011", (110, 66, 34)),
        ),
        aside_m=0.05,
    ),
}
