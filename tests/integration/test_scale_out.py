"""The same bytes whoever writes a release, and wherever it goes."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import export.building.cuts as cuts
import export.building.cutting as cutting
from export.build import build_release
from export.building.running import Execution
from mira.errors import ExportError, MiraError
from mira.release.reader import read_info, read_rows
from mira.store.workspace import Workspace


def _content(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def many(make_workspace, monkeypatch):
    """A workspace whose release has several files a table."""
    monkeypatch.setattr(cuts, "SHARD_BYTES", 1 << 20)
    monkeypatch.setattr(cutting, "SHARD_ITEMS", 150)
    return make_workspace("many", pictures=40)


@pytest.fixture(scope="module")
def whole(made_once, tmp_path_factory):
    """The release of that workspace as one process writes it in one go, to be read alone."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "SHARD_BYTES", 1 << 20)
        patch.setattr(cutting, "SHARD_ITEMS", 150)
        build_release(Workspace.open(made_once(40, 0) / "workspace"), folder / "release")
    return folder


def test_a_table_is_cut_at_row_groups_into_files_of_about_one_size(many, tmp_path):
    info = build_release(many, tmp_path / "release")
    files = {
        config.name: [ref.path for part in config.splits for ref in part.files]
        for config in info.configs
    }
    assert len(files["qa"]) > 2
    assert len(files["scenes"]) > 1
    for config in info.configs:
        rows = list(read_rows(tmp_path / "release", config.name))
        assert len(rows) == sum(part.rows for part in config.splits)
    whole = {row["image_id"] for row in read_rows(tmp_path / "release", "qa")}
    assert whole == {row["image_id"] for row in read_rows(tmp_path / "release", "scenes")}


@given(
    st.lists(st.integers(0, 3000), max_size=60),
    st.integers(1, 5),
)
def test_files_have_about_one_size_whatever_rows_there_are(sizes, every):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "SHARD_BYTES", 1000)
        bounds = cuts.cuts_by_size(sizes, every=every)
    assert [k for bound in bounds for k in range(*bound)] == list(range(len(sizes)))
    assert all(first % every == 0 for first, _ in bounds)
    made = [sum(sizes[slice(*bound)]) for bound in bounds]
    # Rows are whole, and so are groups of them; but for that, 1,000 to 2,000.
    group = max((sum(sizes[k : k + every]) for k in range(0, len(sizes), every)), default=0)
    assert len(bounds) == 1 or min(made) >= 1000
    assert max(made, default=0) <= 3000 + 2 * group


def test_how_a_table_is_cut_changes_no_digest(many, whole, tmp_path, monkeypatch):
    cut = read_info(whole / "release")
    monkeypatch.undo()
    uncut = build_release(many, tmp_path / "uncut")
    assert cut.digest == uncut.digest
    assert cut.statistics == uncut.statistics


def test_several_processes_write_the_same_bytes(many, whole, tmp_path):
    seen = []
    build_release(
        many,
        tmp_path / "several" / "release",
        execution=Execution(tasks=3),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert _content(tmp_path / "several") == _content(whole)
    assert seen[-1][0] == seen[-1][1] > 0
    assert [entry.name for entry in (tmp_path / "several").iterdir()] == ["release"]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the package ray")
def test_two_workers_of_ray_write_the_same_bytes(many, whole, tmp_path):
    program = (
        "import sys; from pathlib import Path\n"
        "import ray; ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)\n"
        "import export.building.cuts as cuts, export.building.cutting as cutting\n"
        "cuts.SHARD_BYTES, cutting.SHARD_ITEMS = 1 << 20, 150\n"
        "from export.build import build_release\n"
        "from export.building.running import Execution\n"
        "from mira.store.workspace import Workspace\n"
        "build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]),"
        " execution=Execution(executor='ray', tasks=2))\n"
    )
    out = tmp_path / "ray" / "release"
    done = subprocess.run(
        [sys.executable, "-c", program, str(many.root), str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert _content(tmp_path / "ray") == _content(whole)


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """A cluster of this one machine; the name of its partition."""
    needed = ("sbatch", "slurmctld", "slurmd", "munged")
    if os.geteuid() != 0 or not all(shutil.which(name) for name in needed):
        pytest.skip("needs root and the packages slurm-wlm and munge")
    host, folder = socket.gethostname(), tmp_path / "slurm"
    folder.mkdir()
    settings = {
        "ClusterName": "one",
        "SlurmctldHost": host,
        "SlurmUser": "root",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_CPU",
        "StateSaveLocation": folder / "state",
        "SlurmdSpoolDir": folder / "spool",
        "SlurmctldPidFile": folder / "slurmctld.pid",
        "SlurmdPidFile": folder / "slurmd.pid",
        "MpiDefault": "none",
        "ReturnToService": 2,
    }
    lines = [f"{name}={value}" for name, value in settings.items()]
    lines.append(f"NodeName={host} CPUs=2 RealMemory=4000 State=UNKNOWN")
    lines.append("PartitionName=main Nodes=ALL Default=YES State=UP")
    (folder / "slurm.conf").write_text("\n".join(lines) + "\n")
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    Path("/run/munge").mkdir(exist_ok=True)
    shutil.chown("/run/munge", "munge")
    # Fails where it runs already, which is as well.
    as_munge = ("runuser", "-u", "munge", "--", "munged")
    started = subprocess.run(as_munge, capture_output=True, check=False).returncode == 0
    daemons = [
        subprocess.Popen([name, "-D"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name in ("slurmctld", "slurmd")
    ]
    try:
        yield "main"
    finally:
        # Jobs that have written their files have still to end.
        queue = ["squeue", "--noheader"]
        for _ in range(150):
            if not subprocess.run(queue, capture_output=True, check=False).stdout.strip():
                break
            time.sleep(0.1)
        for daemon in daemons:
            daemon.terminate()
            daemon.wait()
        if started:
            subprocess.run([*as_munge, "--stop"], capture_output=True, check=False)


@pytest.mark.slow
def test_jobs_of_slurm_write_the_same_bytes(many, whole, slurm, tmp_path):
    execution = Execution(executor="slurm", tasks=2, slurm_partition=slurm)
    build_release(many, tmp_path / "jobs" / "release", execution=execution)
    assert _content(tmp_path / "jobs") == _content(whole)


def test_a_fault_in_another_process_is_told_as_it_is_here_and_none_once_mended(many, tmp_path):
    view = next(many.views())
    path = many.view_folder(view) / view.color.path
    data = path.read_bytes()
    path.write_bytes(b"")
    for tasks in (1, 2):
        with pytest.raises(MiraError, match="is no longer the file that was imported"):
            build_release(many, tmp_path / "release", execution=Execution(tasks=tasks))
        assert not list(tmp_path.glob("*release*"))
    path.write_bytes(data)
    build_release(many, tmp_path / "release", execution=Execution(tasks=2))


@pytest.mark.parametrize(
    ("execution", "message"),
    [
        (Execution(executor="slurm", tasks=2), "expected `sbatch` on the path, found none"),
    ],
)
def test_a_cluster_that_is_not_there_is_one_line(many, tmp_path, monkeypatch, execution, message):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExportError, match=message):
        build_release(many, tmp_path / "release", execution=execution)


WRITER = """
import sys
from pathlib import Path
import export.building.cuts as cuts
import export.building.cutting as cutting
cuts.SHARD_BYTES, cutting.SHARD_ITEMS = 1 << 20, 150
from export.build import build_release
from mira.store.workspace import Workspace
print("begun", flush=True)
build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("finished", [1, 4, 6])
def test_a_build_that_was_killed_goes_on_with_what_it_had(many, whole, tmp_path, finished):
    out = tmp_path / "killed" / "release"
    command = [sys.executable, "-c", WRITER, str(many.root), str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "begun\n"
        while len(_records(out)) < finished:
            assert writer.poll() is None
            time.sleep(0.001)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    before = {path: path.stat().st_mtime_ns for path in _records(out)}
    assert before
    stopped = _records(out)[0].parents[1]
    kept = tmp_path / "kept"
    shutil.copytree(stopped, kept, copy_function=os.link)
    build_release(many, out)
    assert _content(tmp_path / "killed") == _content(whole)
    # What was finished is in the release: the very files, not others of the same content.
    taken = {path.stat().st_ino for path in out.rglob("*.parquet")}
    assert {path.with_suffix(".parquet").stat().st_ino for path in _records_in(kept)} <= taken


def _records(out):
    return sorted(out.parent.glob(f".{out.name}.building-*/*/*.json"))


def _records_in(folder):
    return sorted(folder.glob("*/*.json"))


def test_files_that_were_finished_are_not_written_again(many, whole, tmp_path, monkeypatch):
    staged = _stop_after(monkeypatch, 4)
    with pytest.raises(KeyboardInterrupt):
        build_release(many, tmp_path / "release")
    monkeypatch.setattr("export.building.running.write_one", staged.original)
    staged.written.clear()
    monkeypatch.setattr("export.building.running.write_one", staged.counting)
    build_release(many, tmp_path / "release")
    assert staged.kept.isdisjoint(staged.written)
    assert read_info(tmp_path / "release").configs == read_info(whole / "release").configs


@pytest.mark.parametrize("damage", ["cut", "gone", "digests"])
def test_what_a_power_cut_took_is_written_again(many, whole, tmp_path, monkeypatch, damage):
    staged = _stop_after(monkeypatch, 4)
    with pytest.raises(KeyboardInterrupt):
        build_release(many, tmp_path / "release")
    (folder,) = tmp_path.glob(".release.building-*")
    path = sorted(folder.glob("*/*.parquet"))[0]
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif damage == "gone":
        path.unlink()
    else:
        path.with_suffix(".digests").write_bytes(b"")
    monkeypatch.setattr("export.building.running.write_one", staged.original)
    build_release(many, tmp_path / "release")
    made, wanted = _content(tmp_path / "release"), _content(whole / "release")
    assert {k: v for k, v in made.items() if k.endswith(".parquet")} == {
        k: v for k, v in wanted.items() if k.endswith(".parquet")
    }


def test_files_of_another_workspace_are_not_taken_over(many, make_workspace, tmp_path, monkeypatch):
    staged = _stop_after(monkeypatch, 4)
    with pytest.raises(KeyboardInterrupt):
        build_release(many, tmp_path / "release")
    monkeypatch.setattr("export.building.running.write_one", staged.original)
    other = make_workspace("other", pictures=3, seed=99)
    build_release(other, tmp_path / "release")
    build_release(other, tmp_path / "plain" / "release")
    assert _content(tmp_path / "release") == _content(tmp_path / "plain" / "release")
    assert not list(tmp_path.glob(".release*"))


def test_a_workspace_that_is_written_meanwhile_is_refused(many, tmp_path, monkeypatch):
    import export.building.running as running

    original, scene = running.write_one, next(many.scenes())

    def write_and_edit(*args, **options):
        original(*args, **options)
        many.put_scene(scene.model_copy(update={"place": "elsewhere"}))

    monkeypatch.setattr(running, "write_one", write_and_edit)
    with pytest.raises(ExportError, match="changed while the release was being written"):
        build_release(many, tmp_path / "release")
    assert not list(tmp_path.glob("*release*"))


@pytest.mark.parametrize("what", ["review", "wording"])
def test_questions_that_are_written_meanwhile_give_no_release(many, tmp_path, monkeypatch, what):
    import export.building.running as running

    original, path = running.write_one, many.items_path()

    def write_and_edit(*args, **options):
        original(*args, **options)
        text = path.read_text()
        if what == "review":
            path.write_text(text.replace('"unreviewed"', '"accepted"  '))
        else:
            path.write_text(text.replace("?", "!"))

    monkeypatch.setattr(running, "write_one", write_and_edit)
    with pytest.raises(ExportError, match="changed while the release was being written"):
        build_release(many, tmp_path / "release")


def test_a_record_that_is_changed_and_changed_back_is_not_in_a_release(many, tmp_path, monkeypatch):
    scene = next(many.scenes())
    stop = _stop_after(monkeypatch, 99)
    begun = stop.stopping

    def edit_and_write(sources, plan, staging, shard, **options):
        if shard.table == "scenes":
            many.put_scene(scene.model_copy(update={"place": "elsewhere"}))
        try:
            begun(sources, plan, staging, shard, **options)
        finally:
            many.put_scene(scene)

    monkeypatch.setattr("export.building.running.write_one", edit_and_write)
    with pytest.raises(ExportError, match="changed while the release was being written"):
        build_release(many, tmp_path / "release")
    monkeypatch.setattr("export.building.running.write_one", stop.original)
    build_release(many, tmp_path / "release")
    rows = read_rows(tmp_path / "release", "scenes", columns=["place"])
    assert {row["place"] for row in rows} == {scene.place}


def test_a_fault_of_nobodys_input_leaves_what_is_finished(many, tmp_path, monkeypatch):
    staged = _stop_after(monkeypatch, 4)
    with pytest.raises(KeyboardInterrupt):
        build_release(many, tmp_path / "release")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExportError, match="sbatch"):
        build_release(many, tmp_path / "release", execution=Execution(executor="slurm", tasks=2))
    assert len(_records(tmp_path / "release")) == 4
    monkeypatch.setattr("export.building.running.write_one", staged.original)
    build_release(many, tmp_path / "release")


def test_what_somebody_puts_into_the_folder_meanwhile_is_not_lost(many, tmp_path, monkeypatch):
    import export.building.running as running

    build_release(many, tmp_path / "release")
    original = running.write_one

    def write_and_put(*args, **options):
        original(*args, **options)
        (tmp_path / "release" / "notes.txt").write_text("mine")

    monkeypatch.setattr(running, "write_one", write_and_put)
    with pytest.raises(ExportError, match="holds more than a release"):
        build_release(many, tmp_path / "release")
    assert (tmp_path / "release" / "notes.txt").read_text() == "mine"


def test_a_way_back_out_of_nothing_leads_to_nobodys_folder(many, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("x")
    with pytest.raises(ExportError, match="holds something that is no release"):
        build_release(many, mine / "nothing" / "..", name="set")
    assert (mine / "thesis.txt").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_build_leaves_no_process_behind(many, tmp_path):
    program = WRITER.replace(
        "build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]))",
        "from export.building.running import Execution\n"
        "if __name__ == '__main__':\n"
        "    build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]),"
        " execution=Execution(tasks=2))",
    )
    script = tmp_path / "program.py"
    script.write_text(program)
    command = [sys.executable, str(script), str(many.root), str(tmp_path / "release")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "begun\n"
        while len(_children(writer.pid)) < 3:
            assert writer.poll() is None
            time.sleep(0.01)
        children = _children(writer.pid)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    ended_by = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in children):
        assert time.monotonic() < ended_by
        time.sleep(0.1)


def _children(parent):
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


class _Stop:
    """Writes a few files, then is interrupted; or tells which ones it writes."""

    def __init__(self, original, most):
        self.original, self._most = original, most
        self.written, self.kept = [], set()

    def stopping(self, workspace, plan, staging, shard, **options):
        if len(self.written) == self._most:
            self.kept = set(self.written)
            raise KeyboardInterrupt
        self.counting(workspace, plan, staging, shard, **options)

    def counting(self, workspace, plan, staging, shard, **options):
        self.written.append(shard.name)
        self.original(workspace, plan, staging, shard, **options)


def _stop_after(monkeypatch, most):
    import export.building.running as running

    stop = _Stop(running.write_one, most)
    monkeypatch.setattr(running, "write_one", stop.stopping)
    return stop
