"""A series that is killed or runs out of disk leaves whole scenes, and goes on from them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.output.session_writer import is_written
from mira.sim.rooms.policy import RoomPolicy
from mira.store.session import Session

pytestmark = pytest.mark.usefixtures("only_small_rooms")

STEPS = {
    "scenes/room_s4_0001/scene.json": 1,
    "room_s4_0001/v0.json": 1,
    "color.png": 1,
    "room_s4_0001/views/v0/color.json": 1,
    "truth/room_s4_0001/scene.json": 1,
    "contact_sheet.jpg": 2,
}
"""The end of the path that is being written when the process is killed, and how many scenes are
whole by then; a bare name is that of the second view."""

BEGIN = """
import os, pickle, signal, sys
from pathlib import Path
from mira.errors import MiraError
from mira.sim.rooms.output.series import make_rooms
from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.policy import RoomPolicy
from mira.store import atomic, folder_commit

plan = pickle.loads(Path(sys.argv[1]).read_bytes())
PLACES["bathroom"] = lambda rng: plan
policy = RoomPolicy.model_validate_json(sys.argv[2])
out = Path(sys.argv[3])
"""
KILL = """
def die_at(end):
    write_new = atomic.write_new
    seen = []
    def write(path, data, *, durable):
        # A file is written beside its place, under the place's name between a dot and an ending.
        name = path.parent / path.name.removeprefix(".").split(".partial-")[0]
        seen.append(name.name)
        if str(name).endswith(end) and ("/" in end or seen.count(end) == nth):
            path.write_bytes(data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        write_new(path, data, durable=durable)
    atomic.write_new = folder_commit.write_new = write

overwrite = sys.argv[4] == "overwrite"
for number, end in enumerate(sys.argv[5:]):
    nth = 1 if overwrite or end == "contact_sheet.jpg" else 2
    child = os.fork()
    if not child:
        die_at(end)
        make_rooms(out / str(number), count=2, seed=4, policy=policy, overwrite=overwrite)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    print(os.WIFSIGNALED(status) and os.WTERMSIG(status))
"""
FILL = """
try:
    make_rooms(out / "rooms", count=2, seed=4, policy=policy)
except MiraError as error:
    print(error)
for path in sorted(out.rglob("*")):
    if path.is_file():
        print(path.relative_to(out / "rooms"), path.stat().st_size)
"""


def _bytes(session: Path) -> dict[str, bytes]:
    return {
        path.relative_to(session).as_posix(): path.read_bytes()
        for folder in ("scenes", "truth")
        for path in sorted((session / folder).rglob("*"))
        if path.is_file()
    }


def _kill(
    out: Path, plan: Path, policy: RoomPolicy, *ends: str, overwrite: bool = False
) -> list[Path]:
    """Folders of series that were killed while they wrote each of some paths."""
    mode = "overwrite" if overwrite else "new"
    code = BEGIN + KILL
    done = subprocess.run(
        [sys.executable, "-c", code, plan, policy.model_dump_json(), out, mode, *ends],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["9"] * len(ends), done.stderr
    return [out / str(number) for number in range(len(ends))]


def _whole(root: Path, policy: RoomPolicy) -> list[bool]:
    """Which of the two scenes are there; what is committed is not damaged."""
    session = Session.open(root)
    for scene_id in session.scenes():
        for view_id in session.committed(scene_id):
            assert session.verify_view(scene_id, view_id) == ()
    return [is_written(session, seed=4, index=index, policy=policy) for index in range(2)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_any_write_a_series_goes_on_to_the_same_end(
    made_rooms: Path, small_room_file: Path, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    killed = _kill(tmp_path / "killed", small_room_file, quick_policy, *STEPS)

    for root, (end, whole) in zip(killed, STEPS.items(), strict=True):
        assert _whole(root, quick_policy) == [True, whole == 2], end

        made = make_rooms(root, count=2, seed=4, policy=quick_policy)

        assert made.kept == whole, end
        assert _bytes(root) == _bytes(made_rooms), end


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_while_a_scene_was_made_anew_it_is_not_taken_for_whole(
    made_rooms: Path, small_room_file: Path, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    ends = ("color.png", "room_s4_0000/views/v0/color.json")
    for number in range(len(ends)):
        shutil.copytree(made_rooms, tmp_path / "killed" / str(number))

    killed = _kill(tmp_path / "killed", small_room_file, quick_policy, *ends, overwrite=True)

    for root in killed:
        assert _whole(root, quick_policy) == [False, True]
        assert make_rooms(root, count=2, seed=4, policy=quick_policy).kept == 1
        assert _bytes(root) == _bytes(made_rooms)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_a_full_disk_is_one_line_and_leaves_whole_scenes(
    made_rooms: Path, small_room_file: Path, tmp_path: Path, quick_policy: RoomPolicy
) -> None:
    used = sum(-(-path.stat().st_size // 4096) * 4 for path in made_rooms.rglob("*.*"))
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o "size=$1k" tmpfs "$2" || exit 77; exec "$3" -c "$4" "$5" "$6" "$2"'
    mounted = subprocess.run(
        [
            *("unshare", "--mount", "sh", "-c", script, "sh", str(used * 3 // 4), disk),
            *(sys.executable, BEGIN + FILL, small_room_file, quick_policy.model_dump_json()),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode == 77 or mounted.stderr.startswith("unshare:"):
        pytest.skip("needs the right to mount a small file system")

    assert mounted.returncode == 0, mounted.stderr
    line, *files = mounted.stdout.splitlines()
    assert line.startswith(f"{disk}/rooms/")
    assert line.endswith("the disk is full; what was there before is unchanged")
    found = dict(file.split() for file in files)
    first = {name: str(len(data)) for name, data in _bytes(made_rooms).items() if "_0000/" in name}
    assert first.items() <= found.items()
    second = {name for name in found if "_0001/" in name}
    assert second < {name for name in _bytes(made_rooms) if "_0001/" in name}
