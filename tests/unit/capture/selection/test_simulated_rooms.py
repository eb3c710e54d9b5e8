"""Simulated rooms are the oracle: there it is known how far a camera moved, and what is what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from capture.selection.fingerprints import Fingerprints, distance_between, take_fingerprints
from capture.selection.policy import SelectionPolicy
from capture.selection.regions import ViewRegions
from capture.selection.selecting import select_views
from capture.view_files import ViewContent
from mira.schema.capture import ViewFrame
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.session import Session

POLICY = SelectionPolicy()
FLOOR = POLICY.reflections.distance_floor
ROOMS = 4
MakeSession = Callable[..., Session]


class Room:
    """A simulated room that can be pictured from beside its first viewpoint."""

    def __init__(self, index: int) -> None:
        from mira.sim.rooms.policy import CameraPolicy, RoomPolicy
        from mira.sim.rooms.scene import simulate_scene

        camera = CameraPolicy(width_px=318, height_px=180, focal_px=229)
        self._scene = simulate_scene(
            seed=5,
            index=index,
            policy=RoomPolicy(
                camera=camera,
                places=("bathroom", "hall", "parking", "living_room"),
                views_per_scene=1,
            ),
        )

    def view(
        self, right_m: float = 0.0, *, yaw_deg: float = 0.0
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Picture, and 0 or k + 1 where surface k is seen."""
        from mira.sim.rooms.viewpoint import Viewpoint

        base = self._scene.views[0].viewpoint
        angle = np.deg2rad(yaw_deg)
        turn = np.array(
            [[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
        )
        beside = Viewpoint(base.eye_m + right_m * base.axes[0], base.axes @ turn.T)
        truth = self._scene.renderer.view(beside, np.random.default_rng(0))
        return truth.colour, (truth.first_surface + 1).astype(np.uint8)


@pytest.fixture(scope="module")
def rooms() -> Iterator[tuple[Room, ...]]:
    pytest.importorskip("embreex", reason="needs the extra `sim`")
    return tuple(Room(index) for index in range(ROOMS))


def prints(view: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> Fingerprints:
    color, labels = view
    present = [label for label in np.unique(labels).tolist() if label]
    masks = tuple(labels == label for label in present)
    regions = ViewRegions("surfaces", masks, (None,) * len(masks))
    return take_fingerprints(color, regions, policy=POLICY.reflections)


@pytest.mark.slow
def test_two_centimetres_make_a_duplicate_and_sixty_make_none(rooms: tuple[Room, ...]) -> None:
    for room in rooms:
        base = prints(room.view())
        assert distance_between(base, prints(room.view(0.02))) < FLOOR.drop_below
        assert distance_between(base, prints(room.view(yaw_deg=1))) < FLOOR.drop_below
        assert distance_between(base, prints(room.view(0.6))) >= FLOOR.look_below


@pytest.mark.slow
def test_views_of_different_rooms_are_far_apart(rooms: tuple[Room, ...]) -> None:
    found = [prints(room.view()) for room in rooms]
    distances = [distance_between(a, b) for k, a in enumerate(found) for b in found[:k]]
    assert min(distances) > 2 * POLICY.reflections.across_scenes


@pytest.mark.slow
def test_a_close_up_of_the_mirror_is_dropped_and_the_view_it_is_cut_from_kept(
    rooms: tuple[Room, ...], make_session: MakeSession
) -> None:
    color, labels = rooms[1].view()
    depth = np.full(labels.shape, 1200, np.uint16)
    frame = ViewFrame(depth_unit_m=0.001, depth_kind="metric")
    largest = int(np.bincount(labels[labels > 0]).argmax())
    rows, columns = np.nonzero(labels == largest)
    y1, y2 = (int(value) for value in np.quantile(rows, (0.25, 0.75)))
    x1, x2 = (int(value) for value in np.quantile(columns, (0.25, 0.75)))
    size = (color.shape[1], color.shape[0])
    views = {}
    for name, window in (("whole", np.s_[:, :]), ("close", np.s_[y1:y2, x1:x2])):
        near = np.asarray(cv2.resize(color[window], size, interpolation=cv2.INTER_CUBIC), np.uint8)
        seen = np.asarray(
            cv2.resize(labels[window], size, interpolation=cv2.INTER_NEAREST), np.uint8
        )
        views[name] = ViewContent(near, frame, depth_aligned=depth, surfaces=seen)
    selection = select_views(make_session({"hall": views}), policy=POLICY).selection
    found = {view.view_id: view for view in selection.views}
    assert found["close"].verdict == "drop"
    assert {"surface-fills-view", "no-margin"} <= {r.code for r in found["close"].remarks}
    assert found["whole"].standings["surface"] == "met"


def test_packaged_rooms_meet_all_criteria_by_their_annotation(tmp_path: Path) -> None:
    from annotate.importing import import_annotations
    from capture.selection.annotations import DrawnOn
    from mira.store.workspace import Workspace

    workspace = Workspace.create(tmp_path / "work")
    import_annotations(
        packaged_scenes_dir(), workspace, scenes=None, annotator="simulator", progress=None
    )
    session = Session.open(packaged_scenes_dir())
    selection = select_views(session, policy=POLICY, drawn_on=DrawnOn(workspace)).selection
    assert [view.verdict for view in selection.views] == ["keep"] * 4
    for view in selection.views:
        assert set(view.standings.values()) == {"met"}
    assert selection.across_scenes == ()
