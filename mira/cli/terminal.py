"""What people read in a terminal, without signs that it would obey: names may be anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

_ORDERS = dict.fromkeys(
    (
        *(code for code in range(32) if chr(code) not in "\t\n"),
        *range(127, 160),
        # What turns the direction of writing.
        *(0x061C, 0x200E, 0x200F),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
)
"""None of them takes room, so that a table stays straight without them."""


class TableConsole(Console):
    """Prints to stdout what is not made of strings alone."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of a thing, their text without orders to the terminal."""
        for piece in super().render(renderable, options):
            if piece.control:
                yield piece
            else:
                yield Segment(piece.text.translate(_ORDERS), piece.style)


def print_view(view: RenderableType) -> None:
    """Print a table, or several with what is said about them, on stdout."""
    TableConsole().print(view, highlight=False)
