"""A series of rooms is the same bytes however it came about."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import orjson
import pytest

from mira.errors import MiraError, SessionError, SimulationError
from mira.schema.truth import TrueScene, TrueView
from mira.sim.rooms.output.contact_sheet import SHEET_NAME
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.output.session_writer import open_rooms, scene_name, write_room
from mira.sim.rooms.output.truth_file import TRUE_DEPTH_UNIT_M, renderer_version
from mira.sim.rooms.policy import DepthSensorPolicy, RoomPolicy
from mira.sim.rooms.scene import SimulatedScene
from mira.store.session import Session


def _bytes(session: Path) -> dict[str, bytes]:
    """All files of the scenes and their truth."""
    return {
        path.relative_to(session).as_posix(): path.read_bytes()
        for folder in ("scenes", "truth")
        for path in sorted((session / folder).rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def two_rooms(tmp_path: Path, made_rooms: Path) -> Path:
    """A session of two small rooms that a test may change."""
    return Path(shutil.copytree(made_rooms, tmp_path / "two"))


def test_a_session_holds_what_the_pipeline_and_its_judges_read(
    two_rooms: Path, quick_policy: RoomPolicy
) -> None:
    session = Session.open(two_rooms)

    assert session.scenes() == ("room_s4_0000", "room_s4_0001")
    assert sorted(_bytes(two_rooms)) == sorted(
        f"{folder}/{scene}/{file}"
        for scene in session.scenes()
        for folder, files in (
            (
                "scenes",
                (
                    "scene.json",
                    *(
                        f"views/v0/{name}"
                        for name in (
                            "SHA256SUMS", "calib.json", "color.json", "color.png",
                            "depth_aligned.png", "device.json", "frame.json", "settings.json",
                            "surfaces.png",
                        )
                    ),
                ),
            ),
            (
                "truth",
                (
                    "scene.json", "v0.json", "v0_answers.jsonl", "v0_first_surface.png",
                    "v0_virtual.png",
                ),
            ),
        )
        for file in files
    )  # fmt: skip
    for scene_id in session.scenes():
        assert session.committed(scene_id) == ("v0",)
        assert session.verify_view(scene_id, "v0") == ()
        scene = session.read_scene(scene_id)
        assert (scene.place, scene.licence, scene.consent) == ("bathroom", "CC0-1.0", "not_needed")
        assert [surface.surface_id for surface in scene.surfaces] == ["mirror_1", "mirror_2"]
        frame = session.read_frame(scene_id, "v0")
        assert (frame.depth_kind, frame.depth_unit_m) == ("metric", 0.001)
        assert frame.quality is not None
        camera = session.read_calibration(scene_id, "v0").color
        assert camera == quick_policy.camera.intrinsics()
    record = session.read_session()
    assert record.source == "simulated"
    assert record.provenance.parameters == {
        "seed": 4,
        "renderer": renderer_version(),
        "policy": quick_policy.model_dump(mode="json"),
    }


def test_pictures_on_disk_are_those_that_were_simulated(
    tmp_path: Path, only_small_rooms: None, quick_policy: RoomPolicy, small_scene: SimulatedScene
) -> None:
    policy = quick_policy.model_copy(update={"views_per_scene": 2})
    session = open_rooms(tmp_path / "rooms", seed=3, policy=policy)
    scene_id = write_room(session, seed=3, index=0, policy=policy)
    truth_folder = session.root / "truth" / scene_id

    for number, view in enumerate(small_scene.views):
        folder = session.view_folder(scene_id, f"v{number}")
        colour = cv2.imread(str(folder / "color.png"), cv2.IMREAD_UNCHANGED)
        depth = cv2.imread(str(folder / "depth_aligned.png"), cv2.IMREAD_UNCHANGED)
        assert colour is not None
        assert np.array_equal(colour[..., ::-1], view.truth.colour)
        assert np.array_equal(depth, view.sensor_depth)
        record = TrueView.from_json((truth_folder / f"v{number}.json").read_bytes(), where="v")
        for file, exact in (
            (record.first_surface_depth, view.truth.first_depth_m),
            (record.virtual_depth, view.truth.virtual_depth_m),
        ):
            picture = cv2.imread(str(truth_folder / file.path), cv2.IMREAD_UNCHANGED)
            assert picture is not None
            assert picture * TRUE_DEPTH_UNIT_M == pytest.approx(exact, abs=0.0003)
        ids = {shape["group_id"] for shape in _annotation(folder)["shapes"]}
        outlined = {i.instance_id for i in record.instances}
        assert ids == outlined | {s.instance_id for s in record.surfaces}
    scene = TrueScene.from_json((truth_folder / "scene.json").read_bytes(), where="s")
    assert (scene.seed, scene.index, len(scene.items)) == (3, 0, 5)


def _annotation(view_folder: Path) -> dict[str, list[dict[str, int]]]:
    found: dict[str, list[dict[str, int]]] = orjson.loads((view_folder / "color.json").read_bytes())
    return found


@pytest.mark.slow
def test_scenes_do_not_depend_on_who_makes_them(
    embree: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    steps: list[tuple[int, int]] = []
    made = make_rooms(
        tmp_path / "both",
        count=2,
        seed=1,
        policy=quick_policy,
        workers=2,
        progress=lambda done, count: steps.append((done, count)),
    )
    alone = open_rooms(tmp_path / "alone", seed=1, policy=quick_policy)
    write_room(alone, seed=1, index=1, policy=quick_policy)

    assert made.scenes == (scene_name(1, 0), scene_name(1, 1))
    assert made.kept == 0
    assert steps == [(1, 2), (2, 2)]
    both = _bytes(tmp_path / "both")
    second = {name: data for name, data in both.items() if made.scenes[1] in name}
    assert _bytes(alone.root) == second
    assert len(both) == 2 * len(second)


@pytest.mark.usefixtures("only_small_rooms")
def test_a_longer_series_keeps_the_scenes_that_are_there(
    two_rooms: Path, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    steps: list[tuple[int, int]] = []
    before = {path: path.stat().st_mtime_ns for path in two_rooms.rglob("*.png")}

    made = make_rooms(
        two_rooms,
        count=3,
        seed=4,
        policy=quick_policy,
        progress=lambda done, count: steps.append((done, count)),
    )
    make_rooms(tmp_path / "at once", count=3, seed=4, policy=quick_policy)

    assert made.kept == 2
    assert len(made.scenes) == 3
    assert steps == [(3, 3)]
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    assert _bytes(two_rooms) == _bytes(tmp_path / "at once")


@pytest.mark.usefixtures("only_small_rooms")
@pytest.mark.parametrize(
    "missing",
    [
        "truth/room_s4_0001/scene.json",
        "truth/room_s4_0001/v0.json",
        "scenes/room_s4_0001/views/v0/color.json",
        "scenes/room_s4_0001/views/v0/depth_aligned.png",
        "scenes/room_s4_0001/views/v0/SHA256SUMS",
        "scenes/room_s4_0001/views/v0",
        "scenes/room_s4_0001",
        "truth",
    ],
)
def test_scenes_with_a_file_missing_are_made_anew(
    two_rooms: Path, quick_policy: RoomPolicy, missing: str
) -> None:
    whole, path = _bytes(two_rooms), two_rooms / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()

    made = make_rooms(two_rooms, count=2, seed=4, policy=quick_policy)

    assert made.kept == (0 if missing == "truth" else 1)
    assert _bytes(two_rooms) == whole


@pytest.mark.usefixtures("only_small_rooms")
def test_scenes_are_made_anew_on_demand_and_notes_beside_them_stay(
    two_rooms: Path, quick_policy: RoomPolicy
) -> None:
    whole = _bytes(two_rooms)
    scene = two_rooms / "scenes" / "room_s4_0000"
    for damaged in (
        scene / "views" / "v0" / "color.json",
        two_rooms / "truth" / "room_s4_0000" / "v0.json",
    ):
        damaged.write_bytes(b"{}")
    (scene / "views" / "v0" / "notes.txt").write_text("mine")

    kept = make_rooms(two_rooms, count=2, seed=4, policy=quick_policy)
    assert kept.kept == 2
    assert (scene / "views" / "v0" / "color.json").read_bytes() == b"{}"
    anew = make_rooms(two_rooms, count=2, seed=4, policy=quick_policy, overwrite=True)

    assert anew.kept == 0
    assert (scene / "views" / "v0" / "notes.txt").read_text() == "mine"
    (scene / "views" / "v0" / "notes.txt").unlink()
    assert _bytes(two_rooms) == whole


@pytest.mark.usefixtures("only_small_rooms")
@pytest.mark.parametrize(
    "change",
    [{"seed": 5}, {"depth": DepthSensorPolicy(baseline_m=0.07)}, {"places": ("bedroom",)}],
    ids=lambda change: next(iter(change)),
)
def test_another_series_in_the_folder_is_one_line_and_changes_nothing(
    two_rooms: Path, quick_policy: RoomPolicy, change: dict[str, object]
) -> None:
    whole = _bytes(two_rooms)
    seed = change.get("seed", 4)
    assert isinstance(seed, int)
    update = {name: value for name, value in change.items() if name != "seed"}

    with pytest.raises(SessionError) as caught:
        make_rooms(two_rooms, count=1, seed=seed, policy=quick_policy.model_copy(update=update))

    line = str(caught.value)
    assert line.startswith(f"{two_rooms / 'capture.json'}: session_id: expected 'rooms_s{seed}_")
    assert line.endswith("(write to another folder)")
    assert "\n" not in line
    assert _bytes(two_rooms) == whole


def test_a_folder_of_other_files_is_one_line_and_stays(
    embree: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(SessionError) as caught:
        make_rooms(tmp_path, count=1, seed=4, policy=quick_policy)

    assert str(caught.value) == (
        f"{tmp_path}: expected a new or empty folder, found other files in it"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_in_the_folders_place_is_one_line(
    embree: None, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    (tmp_path / "rooms").write_text("mine")

    with pytest.raises(MiraError) as caught:
        make_rooms(tmp_path / "rooms", count=1, seed=4, policy=quick_policy)

    assert "\n" not in str(caught.value)
    assert (tmp_path / "rooms").read_text() == "mine"


@pytest.mark.usefixtures("only_small_rooms")
def test_a_scene_that_cannot_be_laid_out_leaves_no_trace_of_itself(
    tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    policy = quick_policy.model_copy(update={"views_per_scene": 6})

    with pytest.raises(SimulationError, match="scene 0 of seed 4"):
        make_rooms(tmp_path / "rooms", count=2, seed=4, policy=policy)

    assert _bytes(tmp_path / "rooms") == {}


@pytest.mark.parametrize("wrong", [{"count": 0}, {"seed": -1}, {"workers": 0}])
def test_numbers_out_of_range_are_one_line(tmp_path: Path, wrong: dict[str, int]) -> None:
    (name,) = wrong
    numbers = {"count": 1, "seed": 0, "workers": 1} | wrong

    with pytest.raises(SimulationError, match=rf"^{name}: expected at least \d, found -?\d$"):
        make_rooms(
            tmp_path / "rooms",
            count=numbers["count"],
            seed=numbers["seed"],
            workers=numbers["workers"],
        )
    assert not any(tmp_path.iterdir())


@pytest.mark.usefixtures("only_small_rooms")
def test_what_was_made_is_shown_on_a_sheet(two_rooms: Path, quick_policy: RoomPolicy) -> None:
    (two_rooms / SHEET_NAME).unlink()

    made = make_rooms(two_rooms, count=2, seed=4, policy=quick_policy)

    assert made.contact_sheet == two_rooms / SHEET_NAME
    assert cv2.imread(str(made.contact_sheet)) is not None
