"""The contact sheet of a folder of stills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from mira.render.contact_sheet import Captioned, draw_contact_sheet
from mira.render.png import encode_png
from mira.sim.stills.records import Still
from mira.store.atomic import write_file

SHEET_NAME = "contact_sheet.png"


class SheetLayout(NamedTuple):
    """How a contact sheet is laid out.

    Attributes:
        tile_px: Width and height of a picture on it.
        columns: Most pictures in a row.
        most: Most pictures on it.
        together: Pictures that follow each other and are shown together, or not at all.
    """

    tile_px: tuple[int, int]
    columns: int
    most: int
    together: int = 1


def write_sheet(folder: Path, stills: Sequence[Still], layout: SheetLayout) -> None:
    """Put pictures, spread evenly over all of a folder, into one PNG in it."""
    sheet = draw_contact_sheet(
        _shown(folder, _spread(stills, layout)), tile_px=layout.tile_px, columns=layout.columns
    )
    write_file(folder / SHEET_NAME, encode_png(sheet), durable=False)


def _spread(stills: Sequence[Still], layout: SheetLayout) -> list[Still]:
    groups = [stills[at : at + layout.together] for at in range(0, len(stills), layout.together)]
    most = min(len(groups), layout.most // layout.together)
    places = np.linspace(0, len(groups) - 1, most).round().astype(int)
    return [still for place in places.tolist() for still in groups[place]]


def _shown(folder: Path, stills: Sequence[Still]) -> Iterator[Captioned]:
    for still in stills:
        picture = cv2.imread(str(folder / still.file))
        rgb = None if picture is None else cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
        yield Captioned(None if rgb is None else np.asarray(rgb, np.uint8), still.caption)
