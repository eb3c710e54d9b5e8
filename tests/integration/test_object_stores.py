"""A release goes to an object store with the same bytes, and nothing of others is lost there."""

from __future__ import annotations

import hashlib
import importlib.util

import fsspec
import pytest
from typer.testing import CliRunner

from export.build import build_release
from export.upload import upload_release
from export.verify import verify_release
from mira.cli.app import app
from mira.errors import ExportError
from mira.release.reader import read_info


def _content(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def memory():
    store = fsspec.filesystem("memory")
    store.rm("/", recursive=True) if store.ls("/") else None
    yield store
    store.rm("/", recursive=True) if store.ls("/") else None


def _fetched(target, folder):
    store, root = fsspec.core.url_to_fs(target)
    for name in store.find(root):
        path = folder / name.removeprefix(root).lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(store.cat_file(name))
    return folder


def test_a_release_goes_to_any_store_with_the_same_bytes(make_workspace, memory, tmp_path):
    workspace = make_workspace()
    build_release(workspace, tmp_path / "plain" / "release")
    done = CliRunner().invoke(
        app, ["export", "build", "-w", str(workspace.root), "--out", "memory://sets/release"]
    )
    assert done.exit_code == 0, done.output
    fetched = _fetched("memory://sets/release", tmp_path / "fetched" / "release")
    assert _content(fetched) == _content(tmp_path / "plain" / "release")
    assert {found.severity for found in verify_release(fetched)} <= {"warning"}


def test_a_second_release_takes_the_place_of_the_first(make_workspace, memory, tmp_path):
    for k in range(2):
        build_release(make_workspace(f"w{k}", seed=k * 10), tmp_path / f"{k}" / "release")
        upload_release(tmp_path / f"{k}" / "release", "memory://sets/release")
    fetched = _fetched("memory://sets/release", tmp_path / "fetched")
    assert _content(fetched) == _content(tmp_path / "1" / "release")


def test_what_is_not_of_the_old_release_stays(make_workspace, memory, tmp_path):
    for k in range(2):
        build_release(make_workspace(f"w{k}", seed=k * 10), tmp_path / f"{k}" / "release")
        upload_release(tmp_path / f"{k}" / "release", "memory://sets")
        memory.pipe_file("/sets/other/weights.bin", b"mine")
    assert memory.cat_file("/sets/other/weights.bin") == b"mine"
    files = [name for name in memory.find("/sets") if "other" not in name]
    assert len(files) == len(_content(tmp_path / "1" / "release"))


@pytest.mark.parametrize("address", ["memory://x/.", "memory://x/y/..", "memory://", "://x"])
def test_an_address_that_names_no_place_is_refused(make_workspace, tmp_path, monkeypatch, address):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "temporary" / "mine.txt").write_text("x")
    root = str(make_workspace().root)
    done = CliRunner().invoke(app, ["export", "build", "-w", root, "-o", address])
    assert "expected an address such as s3://bucket/folder" in str(done.exception)
    assert (tmp_path / "temporary" / "mine.txt").exists()


def test_an_address_of_this_machine_is_a_folder(make_workspace, tmp_path):
    root, out = str(make_workspace().root), tmp_path / "new" / "release"
    done = CliRunner().invoke(app, ["export", "build", "-w", root, "-o", f"file://{out}"])
    assert done.exit_code == 0, done.output
    (out / "notes.txt").write_text("mine")
    again = CliRunner().invoke(app, ["export", "build", "-w", root, "-o", f"file://{out}"])
    assert "holds more than a release" in str(again.exception)


def test_what_is_no_release_is_not_replaced(release, memory):
    memory.pipe_file("/sets/notes.txt", b"mine")
    with pytest.raises(ExportError, match="holds something that is no release"):
        upload_release(release, "memory://sets")
    assert memory.cat_file("/sets/notes.txt") == b"mine"


def test_files_with_rows_go_before_what_names_them(release, memory, monkeypatch):
    put, order = type(memory).put_file, []

    def noting(self, lpath, rpath, **options):
        order.append(rpath)
        return put(self, lpath, rpath, **options)

    monkeypatch.setattr(type(memory), "put_file", noting)
    upload_release(release, "memory://sets/release")
    assert [name.rsplit("/", 1)[-1] for name in order[-2:]] == ["README.md", "info.json"]
    assert all(name.endswith(".parquet") for name in order[:3])


@pytest.mark.skipif(
    importlib.util.find_spec("s3fs") is None or importlib.util.find_spec("moto") is None,
    reason="needs the packages s3fs and moto",
)
def test_a_release_in_s3_is_read_from_there(make_workspace, tmp_path, monkeypatch):
    import pyarrow.parquet as pq
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }.items():
        monkeypatch.setenv(name, value)
    try:
        s3fs.S3FileSystem.clear_instance_cache()
        store = s3fs.S3FileSystem()
        store.mkdir("sets")
        workspace = make_workspace()
        build_release(workspace, tmp_path / "plain" / "release")
        for _ in range(2):
            done = CliRunner().invoke(
                app,
                ["export", "build", "-w", str(workspace.root), "-o", "s3://sets/mine/release"],
            )
            assert done.exit_code == 0, done.output
        fetched = _fetched("s3://sets/mine/release", tmp_path / "fetched" / "release")
        assert _content(fetched) == _content(tmp_path / "plain" / "release")
        info = read_info(fetched)
        first = info.configs[0].splits[0]
        with store.open(f"sets/mine/release/{first.files[0].path}") as stream:
            assert pq.ParquetFile(stream).metadata.num_rows == first.rows
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        server.stop()


def test_an_address_of_an_unknown_kind_is_one_line(make_workspace):
    done = CliRunner().invoke(
        app, ["export", "build", "-w", str(make_workspace().root), "-o", "nowhere://x/y"]
    )
    assert isinstance(done.exception, ExportError)
    assert "nowhere" in str(done.exception)
