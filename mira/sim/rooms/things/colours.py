"""Named colours, so that a description says what the picture shows."""

from __future__ import annotations

from numpy.random import Generator

from mira.sim.rooms.things.parts import Finish, Rgb

COLOURS: dict[str, Rgb] = {
    "white": (0.93, 0.92, 0.90),
    "black": (0.09, 0.09, 0.10),
    "grey": (0.50, 0.51, 0.53),
    "red": (0.76, 0.13, 0.12),
    "orange": (0.93, 0.47, 0.10),
    "yellow": (0.95, 0.77, 0.17),
    "green": (0.16, 0.47, 0.25),
    "turquoise": (0.15, 0.60, 0.60),
    "blue": (0.12, 0.32, 0.68),
    "purple": (0.43, 0.22, 0.56),
    "pink": (0.93, 0.55, 0.64),
    "brown": (0.40, 0.25, 0.15),
    "beige": (0.83, 0.74, 0.60),
}

STEEL = Finish((0.78, 0.78, 0.77), specular=0.8, shininess=0.8)
BRASS = Finish((0.76, 0.60, 0.28), specular=0.7, shininess=0.7)


def pick_colour(rng: Generator, *names: str) -> str:
    """One of the names, drawn evenly."""
    return names[int(rng.integers(len(names)))]


def glossy(name: str) -> Finish:
    """Glazed or polished, as ceramics and plastics are."""
    return Finish(COLOURS[name], specular=0.5, shininess=0.75)


def matt(name: str) -> Finish:
    """Dull, as paper, cloth and paint are."""
    return Finish(COLOURS[name], specular=0.05, shininess=0.1)
