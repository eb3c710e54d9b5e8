from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from mira.schema.capture import Scene
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.sim.rooms.output.contact_sheet import write_contact_sheet
from mira.store.session import Session

_COUNT = 50


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Fifty scenes, each one view in a grey of its own."""
    record = CaptureSession(
        session_id="s", source="simulated", provenance=Provenance(tool="test", tool_version="0")
    )
    made = Session.create(tmp_path_factory.mktemp("sheet") / "s", record, durable=False)
    for number in range(_COUNT):
        scene_id = f"scene_{number:02d}"
        made.write_scene(Scene(scene_id=scene_id, place="living_room", lighting="day"))
        picture = np.full((12, 21, 3), 5 * number, np.uint8)
        made.commit_view(scene_id, "v0", {"color.png": cv2.imencode(".png", picture)[1].tobytes()})
    return made


def _sheet(session: Session, count: int) -> NDArray[np.uint8]:
    path = write_contact_sheet(session, session.scenes()[:count])
    sheet = cv2.imread(str(path))
    assert sheet is not None
    return np.asarray(sheet, np.uint8)


@pytest.mark.parametrize(("count", "tiles"), [(1, (1, 1)), (3, (1, 3)), (6, (2, 4)), (50, (6, 4))])
def test_a_sheet_has_a_tile_for_each_scene_but_not_too_many(
    session: Session, count: int, tiles: tuple[int, int]
) -> None:
    one, sheet = _sheet(session, 1), _sheet(session, count)

    assert sheet.shape == (one.shape[0] * tiles[0], one.shape[1] * tiles[1], 3)


def test_a_sheet_goes_from_the_first_scene_to_the_last(session: Session) -> None:
    sheet = _sheet(session, _COUNT)
    height, width = sheet.shape[0] // 6, sheet.shape[1] // 4

    greys = [
        int(sheet[row * height + 100, column * width + 100, 0])
        for row in range(6)
        for column in range(4)
    ]

    assert greys == sorted(greys)
    assert greys[0] == pytest.approx(0, abs=3)
    assert greys[-1] == pytest.approx(5 * (_COUNT - 1), abs=3)


def test_tiles_left_over_are_blank(session: Session) -> None:
    sheet = _sheet(session, 6)
    height, width = sheet.shape[0] // 2, sheet.shape[1] // 4

    assert sheet[height:, 2 * width + 10 :].min() > 250
    assert sheet[height : height + 200, width : 2 * width - 10].max() < 250
