"""One picture that shows what was made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.store.atomic import write_file
from mira.store.session import COLOR_NAME, Session

SHEET_NAME = "contact_sheet.jpg"
_COLUMNS = 4
_MOST = 24
_TILE_PX = (424, 240)
_GAP_PX = 6
_CAPTION_PX = 22
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 88)


def write_contact_sheet(session: Session, scenes: Sequence[str]) -> Path:
    """The first views of up to 24 scenes, spread evenly over all, in one JPEG.

    Args:
        session: The scenes' session.
        scenes: Ids of the scenes to show, at least one.

    Returns:
        The file, in the session's folder.
    """
    places = np.linspace(0, len(scenes) - 1, min(len(scenes), _MOST)).round().astype(int)
    tiles = [_tile(session, scenes[place]) for place in places.tolist()]
    columns = min(_COLUMNS, len(tiles))
    blank = np.full_like(tiles[0], 255)
    tiles += [blank] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[start : start + columns]) for start in range(0, len(tiles), columns)]
    path = session.root / SHEET_NAME
    encoded = cv2.imencode(".jpg", np.vstack(rows), _JPEG)[1]
    write_file(path, encoded.tobytes(), durable=False)
    return path


def _tile(session: Session, scene_id: str) -> NDArray[np.uint8]:
    """A small picture over its caption, BGR, with a white margin."""
    width, height = _TILE_PX
    tile = np.full((height + _CAPTION_PX + _GAP_PX, width + _GAP_PX, 3), 255, np.uint8)
    view = session.committed(scene_id)[0]
    picture = cv2.imread(str(session.view_folder(scene_id, view) / COLOR_NAME))
    if picture is not None:
        tile[:height, :width] = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    scene = session.read_scene(scene_id)
    place = (scene.place or "").replace("_", " ")
    caption = f"{scene_id}  {place}, {scene.lighting}"
    spot = (4, height + 15)
    cv2.putText(tile, caption, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (60, 60, 60), 1, cv2.LINE_AA)
    return tile
