"""One picture that shows what was made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from mira.render.contact_sheet import Captioned, draw_contact_sheet
from mira.store.atomic import write_file
from mira.store.session import COLOR_NAME, Session

SHEET_NAME = "contact_sheet.jpg"
_COLUMNS = 4
_MOST = 24
_TILE_PX = (424, 240)
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
    shown = (_first_view(session, scenes[place]) for place in places.tolist())
    sheet = draw_contact_sheet(shown, tile_px=_TILE_PX, columns=_COLUMNS)
    path = session.root / SHEET_NAME
    encoded = cv2.imencode(".jpg", sheet, _JPEG)[1]
    write_file(path, encoded.tobytes(), durable=False)
    return path


def _first_view(session: Session, scene_id: str) -> Captioned:
    """A scene's first view, BGR, with its place and lighting."""
    view = session.committed(scene_id)[0]
    picture = cv2.imread(str(session.view_folder(scene_id, view) / COLOR_NAME))
    scene = session.read_scene(scene_id)
    place = (scene.place or "").replace("_", " ")
    caption = f"{scene_id}  {place}, {scene.lighting}"
    return Captioned(None if picture is None else np.asarray(picture, np.uint8), caption)
