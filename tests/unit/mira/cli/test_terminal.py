"""What a terminal would obey does not reach it."""

from __future__ import annotations

import io

from rich.table import Table

from mira.cli.terminal import TableConsole
from mira.errors import MiraError

HOSTILE = "\x1b]0;title\x07\x1b[31mred\u202e \x9b2J"


def test_a_table_of_hostile_names_prints_their_letters_alone_and_stays_straight():
    table = Table("name", "score")
    table.add_row(HOSTILE, "1.0")
    table.add_row("plain", "2.0")
    stream = io.StringIO()
    TableConsole(file=stream, width=60).print(table)
    assert "]0;title[31mred 2J" in stream.getvalue()
    assert all(sign.isprintable() or sign == "\n" for sign in stream.getvalue())
    assert len({len(line) for line in stream.getvalue().splitlines()}) == 1


def test_colours_of_ours_are_still_there():
    stream = io.StringIO()
    TableConsole(file=stream, width=60, force_terminal=True, color_system="standard").print(
        "[bold]a[/]"
    )
    assert stream.getvalue() == "\x1b[1ma\x1b[0m\n"


def test_an_error_is_one_line_that_a_terminal_shows_and_does_not_obey():
    line = str(MiraError("run", f"found {HOSTILE}\nand \ud800"))
    assert line.isprintable()
    assert "red" in line
