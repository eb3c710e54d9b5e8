"""A release as one table of questions with their pictures rendered."""

from __future__ import annotations

import hashlib
import io
import shutil
from pathlib import Path

import datasets
import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image
from typer.testing import CliRunner

import mira
from export.build import build_release
from export.building.records import FlatForm
from export.building.running import Execution
from export.verify import verify_release
from mira.cli.app import app
from mira.errors import ExportError
from mira.release.columns import features
from mira.release.digest import RULE, combined_digest
from mira.release.reader import INFO_PATH, read_info, read_rows
from mira.store.atomic import file_ref
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy


def _pixels(file):
    return np.asarray(Image.open(io.BytesIO(file["bytes"])).convert("RGB"))


@pytest.mark.parametrize("protocol", [one.id for one in taxonomy().protocols])
@pytest.mark.parametrize("modality", ["rgb", "rgb_dm"])
def test_a_row_shows_what_mira_load_shows(make_workspace, release, tmp_path, protocol, modality):
    form = FlatForm(protocol=protocol, modality=modality)
    build_release(make_workspace(), tmp_path / "flat", flat=form)
    shown = mira.load(release, protocol=protocol, modality=modality)
    rows = list(read_rows(tmp_path / "flat", "flat"))
    assert [row["question_id"] for row in rows] == list(shown["question_id"])
    column_of = {"rgb": "image", "mask": "mask", "depth": "depth"}
    for row, other in zip(rows, shown, strict=True):
        assert (row["question"], row["answer"]) == (other["question"], other["answer"])
        roles = {
            column_of[role]: picture
            for role, picture in zip(other["image_roles"], other["images"], strict=True)
        }
        assert {name for name in column_of.values() if row[name]} == set(roles)
        for name, picture in roles.items():
            difference = np.abs(_pixels(row[name]).astype(int) - np.asarray(picture))
            # JPEG blurs the colours of noise; masks and depth are exact.
            assert difference.mean() < 60 if name == "image" else not difference.any(), name


@pytest.fixture(scope="module")
def flat_once(made_once, tmp_path_factory):
    out = tmp_path_factory.mktemp("flat-once") / "flat"
    workspace = Workspace.open(made_once(2, 0) / "workspace")
    build_release(workspace, out, flat=FlatForm(modality="rgb_dm"))
    return out


@pytest.fixture
def flat(flat_once, tmp_path):
    return Path(shutil.copytree(flat_once, tmp_path / "flat"))


def test_a_flat_release_holds_what_it_says_and_loads_by_itself(flat):
    assert {found.code for found in verify_release(flat)} == {"unreviewed"}
    loaded = datasets.load_dataset(str(flat), split="test")
    assert loaded.features == features("flat")
    assert loaded[0]["image"].size == (160, 120)
    card = (flat / "README.md").read_text()
    assert '"flat"' in card
    assert "mira.load" not in card


def test_pictures_that_nothing_is_drawn_on_are_the_very_files_and_stored_once(
    make_workspace, tmp_path
):
    workspace = make_workspace(pictures=12)
    build_release(workspace, tmp_path / "flat", flat=FlatForm(protocol="bbox_text"))
    views = {view.image_id: view for view in workspace.views()}
    rows = list(read_rows(tmp_path / "flat", "flat"))
    for row in rows:
        assert row["image_sha256"] == views[row["image_id"]].color.sha256
        assert hashlib.sha256(row["image"]["bytes"]).hexdigest() == row["image_sha256"]
    (path,) = (tmp_path / "flat" / "flat").iterdir()
    repeated = sum(len(row["image"]["bytes"]) for row in rows)
    stored = pq.ParquetFile(path).metadata
    assert stored.num_row_groups > 1
    once = sum(view.color.size_bytes for view in views.values())
    assert path.stat().st_size < 2 * once < repeated / 2


def test_several_processes_write_the_same_bytes(make_workspace, tmp_path):
    workspace, form = make_workspace(), FlatForm(protocol="visual_mask", modality="rgb_dm")
    build_release(workspace, tmp_path / "one" / "release", flat=form)
    two = tmp_path / "two" / "release"
    build_release(workspace, two, flat=form, execution=Execution(tasks=2))
    first, second = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / "one" / "release", two)
    )
    assert first == second


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: [rows[0], *rows], "duplicate-id"),
        (lambda rows: [{**rows[0], "answer": "?"}, *rows[1:]], "answer"),
        (lambda rows: [{**rows[0], "options": rows[0]["options"][:1] * 2}, *rows[1:]], "options"),
        (lambda rows: [{**rows[0], "licence": None}, *rows[1:]], "licence-open"),
        (lambda rows: [{**rows[0], "consent": "unknown"}, *rows[1:]], "consent-open"),
        (
            lambda rows: [{**rows[0], "depth": None, "depth_sha256": None}, *rows[1:]],
            "picture-missing",
        ),
        (lambda rows: [{**rows[0], "image": None}, *rows[1:]], "picture-missing"),
    ],
)
def test_a_wrong_row_is_found(flat, write_table, change, code):
    from export.card import write_card

    info = read_info(flat)
    rows = [{k: v for k, v in row.items() if k != "split"} for row in read_rows(flat, "flat")]
    for path in (flat / "flat").iterdir():
        path.unlink()
    configs = (write_table(flat, "flat", {"test": change(rows)}),)
    digest = combined_digest((config.name, config.digest) for config in configs)
    card = write_card(flat, name="n", digest=digest, configs=configs, statistics={})
    changed = {"configs": configs, "digest": digest, "digest_rule": RULE}
    changed["card"] = file_ref(card, relative_to=flat)
    (flat / INFO_PATH).write_bytes(info.model_copy(update=changed).to_json())
    assert code in {found.code for found in verify_release(flat)}


def test_the_command_asks_for_flat_before_its_form(make_workspace, tmp_path):
    command = ["export", "build", "-w", str(make_workspace().root), "-o", str(tmp_path / "flat")]
    refused = CliRunner().invoke(app, [*command, "--protocol", "bbox_text"])
    assert "--protocol: is for a flat release (give --flat too)" in str(refused.exception)
    done = CliRunner().invoke(app, [*command, "--flat", "--protocol", "bbox_text"])
    assert done.exit_code == 0, done.output
    assert {row["protocol"] for row in read_rows(tmp_path / "flat", "flat")} == {"bbox_text"}
    alone = CliRunner().invoke(app, ["export", "build", "-o", str(tmp_path / "x"), "--flat"])
    assert "--flat: is for pictures of a workspace" in str(alone.exception)


def test_questions_about_pictures_without_depth_are_counted(make_workspace, tmp_path):
    workspace = make_workspace()
    for view in list(workspace.views()):
        folder = workspace.view_folder(view)
        bare = view.model_copy(
            update={"depth_aligned": None, "depth_unit_m": None, "depth_kind": None}
        )
        workspace.put_view(bare, {view.color.path: folder / view.color.path})
        if view.image_id.endswith("0"):
            break
    info = build_release(workspace, tmp_path / "flat", flat=FlatForm(modality="rgb_d"))
    assert info.left_out["questions about pictures without depth"] > 0
    assert verify_release(tmp_path / "flat")
    for view in list(workspace.views()):
        folder = workspace.view_folder(view)
        bare = view.model_copy(
            update={"depth_aligned": None, "depth_unit_m": None, "depth_kind": None}
        )
        workspace.put_view(bare, {view.color.path: folder / view.color.path})
    with pytest.raises(ExportError, match="found none; [0-9]+ are about pictures without depth"):
        build_release(workspace, tmp_path / "none", flat=FlatForm(modality="rgb_d"))
