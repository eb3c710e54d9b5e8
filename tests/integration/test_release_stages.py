"""Splits that scenes keep, and what a final release leaves out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import datasets
import pytest
from typer.testing import CliRunner

from export.build import build_release
from export.splits import by_share, read_split_list, split_scenes
from export.verify import verify_release
from mira.cli.app import app
from mira.errors import ExportError
from mira.release.reader import read_info, read_questions, read_scenes


def accept(workspace, review=lambda item: "accepted"):
    """Say what review thinks of every item."""
    items = [item.model_copy(update={"review": review(item)}) for item in workspace.items()]
    summary = workspace.qa_summary()
    workspace.put_questions(iter(items), summary=lambda: summary)


def errors(release, **how):
    return {found.code for found in verify_release(release, **how) if found.severity == "error"}


def run(*words):
    return CliRunner().invoke(app, ["export", *map(str, words)])


# Splits


def test_a_release_holds_each_scene_in_its_split(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=4), tmp_path / "release"
    done = split_scenes(workspace, shares={"train": 0.5, "test": 0.5})
    assert (done.counts, done.new) == ({"train": 2, "test": 2}, 4)
    info = build_release(workspace, out)
    assert [part.split for part in info.configs[0].splits] == ["train", "test"]
    for read in (read_questions, read_scenes):
        assert {row["scene_id"]: row["split"] for row in read(out)} == done.splits.scenes
    assert errors(out) == set()
    loaded = datasets.load_dataset(str(out), "scenes")
    assert {name: len(table) for name, table in loaded.items()} == {"train": 2, "test": 2}


def test_scenes_stay_where_they_are_when_others_come(make_workspace):
    workspace = make_workspace(pictures=3)
    first = split_scenes(workspace, shares={"train": 0.7, "test": 0.3}).splits.scenes
    scene = next(iter(workspace.scenes()))
    for k in range(27):
        workspace.put_scene(scene.model_copy(update={"scene_id": f"new_{k:02d}"}))
    done = split_scenes(workspace, shares={"train": 0.7, "test": 0.3}, seed=5)
    assert done.counts == {"train": 21, "test": 9}
    assert done.new == 27
    assert first.items() <= done.splits.scenes.items()
    anew = split_scenes(workspace, shares={"test": 1}, anew=True)
    assert anew.counts == {"test": 30}


def test_listed_scenes_go_where_the_list_says_and_the_others_are_shared_out(
    make_workspace, tmp_path
):
    workspace = make_workspace(pictures=4)
    path = tmp_path / "splits.csv"
    path.write_text("scene_id,split,note\npic_001,validation,mine\n")
    listed = read_split_list(path)
    with pytest.raises(ExportError, match="3 scenes have no split, 'pic_000'"):
        split_scenes(workspace, listed=listed)
    assert workspace.splits() is None
    done = split_scenes(workspace, listed=listed, shares={"train": 1})
    assert done.counts == {"train": 3, "validation": 1}
    with pytest.raises(ExportError, match="'pic_001' is in 'validation', the list says 'test'"):
        split_scenes(workspace, listed={"pic_001": "test"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("scene,split\na,test\n", "misses scene_id"),
        ("scene_id,split\na,\n", "splits.csv:2: expected a scene and its split"),
        ("scene_id,split\na,test\na,train\n", "splits.csv:3: names scene 'a' again"),
    ],
)
def test_a_fault_of_a_list_names_its_line(tmp_path, text, problem):
    path = tmp_path / "splits.csv"
    path.write_text(text)
    with pytest.raises(ExportError, match=problem):
        read_split_list(path)


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ({"shares": {"train": 0.5}}, "expected shares that make 1"),
        ({"shares": {"train": 1.5, "test": -0.5}}, "expected shares that make 1"),
        ({"shares": {"train": float("nan"), "test": 0.5}}, "expected shares that make 1"),
        ({"shares": {"all": 1}}, "not 'all'"),
        ({"listed": {"elsewhere": "test"}}, "no scene 'elsewhere'"),
        ({}, "2 scenes have no split"),
    ],
)
def test_a_fault_leaves_all_as_it_was(make_workspace, how, problem):
    workspace = make_workspace()
    with pytest.raises(ExportError, match=problem):
        split_scenes(workspace, **how)
    assert workspace.splits() is None


def test_shares_are_met_as_nearly_as_whole_scenes_can():
    scenes = [f"s{k}" for k in range(97)]
    found = by_share(scenes, {"train": 0.8, "validation": 0.1, "test": 0.1}, {}, seed=1)
    counts = Counter(found.values())
    assert {
        name: abs(counts[name] - share * 97) < 1
        for name, share in (("train", 0.8), ("validation", 0.1), ("test", 0.1))
    } == {
        "train": True,
        "validation": True,
        "test": True,
    }
    assert by_share(scenes[::-1], {"train": 0.8, "validation": 0.1, "test": 0.1}, {}, 1) == found


def test_a_scene_without_split_and_a_split_for_all_are_refused(make_workspace, tmp_path):
    workspace = make_workspace()
    split_scenes(workspace, listed={"pic_000": "train"}, shares={"test": 1})
    with pytest.raises(ExportError, match="split: expected none"):
        build_release(workspace, tmp_path / "release", split="test")
    record = workspace.splits()
    workspace.put_splits(record.model_copy(update={"scenes": {"pic_000": "train"}}))
    with pytest.raises(ExportError, match="1 scenes have no split, 'pic_001'"):
        build_release(workspace, tmp_path / "release")
    assert not (tmp_path / "release").exists()


def test_splits_from_the_command_line(make_workspace):
    workspace = make_workspace(pictures=4)
    done = run("split", "-w", workspace.root, "--shares", "train=0.75,test=0.25")
    assert done.exit_code == 0
    assert done.stdout.split() == ["train", "3", "scenes", "test", "1", "scene", "new:", "4"]
    found = json.loads(run("split", "-w", workspace.root, "--json").stdout)
    assert found == {"scenes": {"train": 3, "test": 1}, "new": 0}
    assert "expected split=share, found 'train'" in str(
        run("split", "-w", workspace.root, "--shares", "train").exception
    )


def test_a_split_named_twice_is_refused(make_workspace):
    workspace = make_workspace()
    done = run("split", "-w", workspace.root, "--shares", "train=0.5,train=1")
    assert "expected each split once, found 'train' again" in str(done.exception)


def test_a_setting_of_before_scenes_were_split_is_no_fault(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    (workspace.root / "mira.toml").write_text('[export]\nsplit = "test"\n')
    split_scenes(workspace, listed={"pic_000": "train"}, shares={"test": 1})
    assert run("build", "-w", workspace.root, "-o", out).exit_code == 0
    assert {row["split"] for row in read_scenes(out)} == {"train", "test"}


@pytest.mark.parametrize("name", ["../x", "all", "x y"])
def test_a_split_that_somebody_wrote_by_hand_is_checked(make_workspace, tmp_path, name):
    workspace = make_workspace()
    record = split_scenes(workspace, shares={"test": 1}).splits
    workspace.put_splits(record.model_copy(update={"scenes": {**record.scenes, "pic_000": name}}))
    with pytest.raises(ExportError, match="split: expected a word"):
        build_release(workspace, tmp_path / "release")


def test_a_list_that_is_no_csv_is_one_line(tmp_path):
    path = tmp_path / "splits.csv"
    path.write_text('scene_id,split\n"' + "a" * 200_000)
    with pytest.raises(ExportError, match="expected CSV"):
        read_split_list(path)


# Stages


def test_a_draft_says_so_and_holds_what_is_open(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    assert build_release(workspace, out).stage == "draft"
    assert "> **Draft.**" in (out / "README.md").read_text()
    assert errors(out) == set()
    assert errors(out, final=True) == {"unreviewed"}
    assert run("verify", out).exit_code == 0
    assert run("verify", out, "--final").exit_code == 1


def test_a_final_release_holds_accepted_questions_of_scenes_that_may_be_published(
    make_workspace, tmp_path
):
    workspace, out = make_workspace(pictures=4), tmp_path / "release"
    for scene_id, gap in (("pic_000", {"licence": None}), ("pic_001", {"consent": "unknown"})):
        workspace.put_scene(workspace.scene(scene_id).model_copy(update=gap))
    accept(workspace)
    info = build_release(workspace, out, stage="final")
    closed = sum(item.scene_id in ("pic_000", "pic_001") for item in workspace.items())
    assert info.left_out == {
        "items of scenes that may not be published": closed,
        "scenes without consent": 1,
        "scenes without licence": 1,
    }
    assert {row["scene_id"] for row in read_scenes(out)} == {"pic_002", "pic_003"}
    assert verify_release(out) == ()
    card = (out / "README.md").read_text()
    assert "Draft" not in card
    assert "| scenes without licence | 1 |" in card


def test_what_is_not_accepted_stays_out_with_all_that_it_counts_with(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    groups = sorted({item.joint_group for item in workspace.items() if item.joint_group})
    one = next(item for item in workspace.items() if item.joint_group == groups[0])
    accept(workspace, lambda item: "unreviewed" if item == one else "accepted")
    info = build_release(workspace, out, stage="final")
    assert info.left_out == {
        "items count with one that does not go out": 2,
        "items not accepted by review": 1,
    }
    asked = {row["item_id"] for row in read_questions(out)}
    kept = {item.item_id for item in workspace.items() if item.joint_group != groups[0]}
    assert asked == kept
    assert verify_release(out) == ()


def test_a_picture_whose_questions_all_stay_out_stays_out_too(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=3), tmp_path / "release"
    split_scenes(workspace, listed={"pic_000": "train"}, shares={"test": 1})
    firsts = {}
    for item in workspace.items():
        if item.scene_id == "pic_000":
            firsts.setdefault(item.joint_group, item.item_id)

    def review(item):
        gone = item.scene_id == "pic_000" and (
            item.joint_group is None or firsts[item.joint_group] == item.item_id
        )
        return "rejected" if gone else "unreviewed"

    accept(workspace, review)
    info = build_release(workspace, out)
    assert {row["image_id"] for row in read_scenes(out)} == {"pic_001", "pic_002"}
    assert [part.split for part in info.configs[0].splits] == ["test"]
    assert info.left_out["items count with one that does not go out"] > 0
    assert errors(out) == set()


def test_a_view_in_another_scene_than_its_questions_is_one_line(make_workspace, tmp_path):
    workspace = make_workspace()
    path = next(workspace.root.glob("scenes/pic_000/pic_000/view.json"))
    path.write_text(path.read_text().replace('"scene_id": "pic_000"', '"scene_id": "pic_009"'))
    with pytest.raises(ExportError, match="is in scene 'pic_009' now"):
        build_release(workspace, tmp_path / "release")
    (workspace.root / "scenes" / "pic_001" / "scene.json").unlink()
    with pytest.raises(ExportError, match="the scene 'pic_001' of picture"):
        build_release(workspace, tmp_path / "release")


def test_nothing_that_may_go_out_is_told_with_its_reasons(make_workspace, tmp_path):
    workspace = make_workspace()
    with pytest.raises(ExportError, match="nothing that may go out: items not accepted by review"):
        build_release(workspace, tmp_path / "release", stage="final")
    done = run("build", "-w", workspace.root, "-o", tmp_path / "release", "--final")
    assert done.exit_code == 1
    assert not (tmp_path / "release").exists()


def test_a_final_release_that_is_not_settled_does_not_verify(make_workspace, tmp_path):
    """One of another hand: the record says final, the rows do not."""
    workspace, out = make_workspace(), tmp_path / "release"
    scene = workspace.scene("pic_000")
    workspace.put_scene(scene.model_copy(update={"licence": None, "consent": "unknown"}))
    build_release(workspace, out)
    info = read_info(out)
    path = out / "meta" / "info.json"
    path.write_bytes(info.model_copy(update={"stage": "final"}).to_json())
    assert errors(out) == {"licence-open", "consent-open", "unreviewed"}


BUILD = """
import sys
from pathlib import Path
from export.build import build_release
from mira.store.workspace import Workspace
build_release(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]), name="same")
"""


def test_hash_seeds_change_no_byte(make_workspace, tmp_path):
    workspace = make_workspace(pictures=3)
    split_scenes(workspace, shares={"train": 0.5, "test": 0.5})
    contents = []
    for seed in ("0", "1"):
        out = tmp_path / f"release-{seed}"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", BUILD, str(workspace.root), str(out)]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        files = (path for path in sorted(out.rglob("*")) if path.is_file())
        contents.append({path.relative_to(out): path.read_bytes() for path in files})
    assert contents[0] == contents[1]
