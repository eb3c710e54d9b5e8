"""What one release has more, fewer and others than another."""

from __future__ import annotations

import json
import shutil

from typer.testing import CliRunner

from export.build import build_release
from export.diff import diff_releases, examples
from export.splits import split_scenes
from mira.cli.app import app
from mira.release.reader import read_questions


def run(*words):
    return CliRunner().invoke(app, ["export", "diff", *map(str, words)])


def test_a_release_and_itself_do_not_differ(release, tmp_path):
    again = shutil.copytree(release, tmp_path / "again")
    found = diff_releases(release, again)
    assert found.is_same
    assert {name: table.old_rows for name, table in found.tables.items()}.keys() == {"qa", "scenes"}
    done = run(release, again, "--strict")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "no row differs")


def test_added_removed_and_changed_rows_are_told_by_field(make_workspace, tmp_path):
    workspace = make_workspace(pictures=3)
    old, new = tmp_path / "old", tmp_path / "new"
    build_release(workspace, old)
    items = list(workspace.items())
    gone = items[0]
    changed = items[-1].model_copy(update={"review": "accepted"})
    added = items[1].model_copy(update={"item_id": f"{items[1].item_id}-more", "joint_group": None})
    summary = workspace.qa_summary()
    kept = [*items[1:-1], changed, added]
    workspace.put_questions(iter(kept), summary=lambda: summary)
    scene = next(iter(workspace.scenes()))
    workspace.put_scene(scene.model_copy(update={"place": "hall"}))
    build_release(workspace, new)

    found = diff_releases(old, new)
    qa, scenes = found.tables["qa"], found.tables["scenes"]
    assert {key.rpartition("-")[0] for key in qa.removed} == {gone.item_id}
    assert {key.rpartition("-")[0] for key in qa.added} == {added.item_id}
    assert qa.by_field() == {"review": len(changed.wordings)}
    assert scenes.by_field() == {"place": 1}
    assert qa.new_rows == sum(1 for _ in read_questions(new))
    (one,) = examples(old, new, "scenes", scenes, limit=3)
    assert (one.field, one.old, one.new) == ("place", scene.place, "hall")

    done = run(old, new, "--show", 1, "--strict")
    assert done.exit_code == 1
    assert f"{one.key} place: {scene.place!r} -> 'hall'" in done.stdout
    assert run(old, new).exit_code == 0
    assert json.loads(run(old, new, "--json").stdout)["tables"]["scenes"]["changed"] == {
        one.key: ["place"]
    }


def test_a_scene_that_moved_to_another_split_is_a_change_of_its_rows(make_workspace, tmp_path):
    workspace = make_workspace(pictures=2)
    old, new = tmp_path / "old", tmp_path / "new"
    build_release(workspace, old)
    split_scenes(workspace, listed={"pic_000": "train"}, shares={"test": 1})
    build_release(workspace, new)
    found = diff_releases(old, new)
    assert found.tables["scenes"].changed == {"pic_000": ("split",)}
    assert set(found.tables["qa"].by_field()) == {"split"}


def test_two_that_are_no_releases_are_told(release, tmp_path):
    done = run(release, tmp_path)
    assert done.exit_code == 1
    assert "is no release" in str(done.exception)
