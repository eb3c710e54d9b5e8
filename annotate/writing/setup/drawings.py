"""The small drawings of the annotators' guide, as shapes with a role."""

from __future__ import annotations

from typing import Literal, NamedTuple

Style = Literal[
    "wall", "frame", "glass", "thing", "surface", "direct", "reflected", "hole", "wrong", "link"
]
"""What is there (`wall` to `thing`), and what is drawn around it."""

WIDTH, HEIGHT = 260, 150


class Mark(NamedTuple):
    """One polygon, line or word."""

    style: Style
    points: str = ""
    """Corners, as SVG has them."""
    text: str = ""
    x: float = 0
    y: float = 0
    """Where the text starts."""
    open: bool = False
    """Whether it is a line."""


class Drawing(NamedTuple):
    """A drawing and what it shows."""

    title: str
    caption: str
    marks: tuple[Mark, ...]


def drawings() -> tuple[Drawing, ...]:
    """All drawings, in the order of the guide."""
    return (_frame(), _in_front(), _links(), _out_of_frame(), _chain(), _parts())


def _box(style: Style, x: float, y: float, width: float, height: float) -> Mark:
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Mark(style, " ".join(f"{px:g},{py:g}" for px, py in corners))


def _cup(style: Style, x: float, y: float, *, grow: float = 0) -> Mark:
    """A cup whose top left corner is there; an outline around it is a little larger."""
    g = grow
    corners = ((-g, -g), (26 + g, -g), (22 + g, 34 + g), (4 - g, 34 + g))
    return Mark(style, " ".join(f"{x + px:g},{y + py:g}" for px, py in corners))


def _text(style: Style, text: str, x: float, y: float) -> Mark:
    return Mark(style, text=text, x=x, y=y)


def _line(*points: tuple[float, float]) -> Mark:
    return Mark("link", " ".join(f"{x:g},{y:g}" for x, y in points), open=True)


def _mirror(x: float, y: float, width: float, height: float) -> tuple[Mark, ...]:
    return (
        _box("frame", x - 8, y - 8, width + 16, height + 16),
        _box("glass", x, y, width, height),
    )


def _frame() -> Drawing:
    return Drawing(
        "Surface: the glass, not the frame",
        "Follow the inner edge. A rim, a bevel that reflects nothing, a handle or a label on the "
        "glass stays outside.",
        (
            *_mirror(26, 26, 80, 98),
            _box("surface", 26, 26, 80, 98),
            *_mirror(158, 26, 76, 98),
            _box("wrong", 149, 17, 94, 116),
            _text("surface", "yes", 56, 80),
            _text("wrong", "no", 188, 80),
        ),
    )


def _in_front() -> Drawing:
    cut = "60,24 200,24 200,126 158,126 158,74 112,74 112,126 60,126"
    return Drawing(
        "What stands before a surface is no part of it",
        "Lead the outline around it. Where it touches no edge, draw it as a hole with the "
        "surface's id.",
        (
            *_mirror(60, 24, 140, 102),
            _box("thing", 114, 76, 42, 74),
            Mark("surface", cut),
            _text("surface", "surface, id 9", 76, 46),
        ),
    )


def _links() -> Drawing:
    return Drawing(
        "Two shapes, two ids, one link",
        "The cup on the table is 1. Its reflection is 2, with reflection_of 1, in_mirror 9, "
        "counterpart in_frame.",
        (
            *_mirror(20, 20, 96, 96),
            _box("surface", 20, 20, 96, 96),
            _cup("thing", 54, 60),
            _cup("reflected", 54, 60, grow=3),
            _cup("thing", 190, 92),
            _cup("direct", 190, 92, grow=3),
            _line((86, 78), (185, 106)),
            _text("surface", "9", 28, 38),
            _text("reflected", "2", 40, 66),
            _text("direct", "1", 224, 112),
        ),
    )


def _out_of_frame() -> Drawing:
    return Drawing(
        "No real one in the picture",
        "Say so on 4: counterpart out_of_frame, and leave reflection_of empty. Several could be "
        "meant: ambiguous. Left at unset it counts as forgotten.",
        (
            *_mirror(70, 20, 120, 110),
            _box("surface", 70, 20, 120, 110),
            _cup("thing", 116, 62),
            _cup("reflected", 116, 62, grow=3),
            _text("surface", "9", 78, 38),
            _text("reflected", "4", 152, 84),
        ),
    )


def _chain() -> Drawing:
    return Drawing(
        "A reflection of a reflection",
        "It names the reflection it shows: 3 is a reflection of 2, and 2 of 1. in_mirror is the "
        "surface nearest to you on its way.",
        (
            *_mirror(18, 24, 66, 100),
            _box("surface", 18, 24, 66, 100),
            *_mirror(112, 24, 66, 100),
            _box("surface", 112, 24, 66, 100),
            _cup("thing", 38, 64),
            _cup("reflected", 38, 64, grow=3),
            _cup("thing", 132, 64),
            _cup("reflected", 132, 64, grow=3),
            _cup("thing", 216, 84),
            _cup("direct", 216, 84, grow=3),
            _line((70, 82), (127, 82)),
            _line((164, 82), (211, 98)),
            _text("reflected", "3", 48, 116),
            _text("reflected", "2", 142, 116),
            _text("direct", "1", 226, 138),
        ),
    )


def _parts() -> Drawing:
    return Drawing(
        "Parts and holes share the id",
        "Cut in two by something in front: two shapes, one id. Background seen through: a shape "
        "labelled hole, same id.",
        (
            _box("thing", 24, 50, 100, 46),
            _box("frame", 64, 20, 20, 110),
            _box("direct", 22, 48, 42, 50),
            _box("direct", 84, 48, 42, 50),
            _text("direct", "5", 38, 78),
            _text("direct", "5", 100, 78),
            _box("thing", 158, 30, 84, 84),
            _box("wall", 184, 56, 32, 32),
            _box("direct", 155, 27, 90, 90),
            _box("hole", 184, 56, 32, 32),
            _text("direct", "6", 165, 50),
            _text("hole", "6", 195, 78),
        ),
    )
