"""`mira.load` refuses in one line what it cannot show, and its rows travel to other processes."""

from __future__ import annotations

import errno
import multiprocessing
import operator
import pickle
from pathlib import Path

import datasets
import numpy as np
import pytest

import mira
from export.build import build_release
from mira.errors import MiraError, ReleaseError
from mira.release import loading
from mira.release.reader import INFO_PATH, read_info
from mira.schema.qa import QAPolicy
from qa_gen.generate import generate_questions


@pytest.fixture
def half_deep(make_workspace, tmp_path):
    """A release of two pictures, one of them without depth."""
    workspace = make_workspace()
    view = next(workspace.views())
    flat = view.model_copy(update={"depth_aligned": None, "depth_unit_m": None, "depth_kind": None})
    folder = tmp_path / "source-workspace" / view.image_id
    workspace.put_view(flat, {"color.png": folder / "color.png"})
    generate_questions(workspace, policy=QAPolicy())
    build_release(workspace, tmp_path / "half")
    return tmp_path / "half"


def _one_line(error):
    return "\n" not in str(error) and str(error)


@pytest.mark.parametrize("modality", ["rgb_d", "rgb_dm"])
def test_depth_that_pictures_lack_is_refused_at_once_with_the_way_out(half_deep, modality):
    with pytest.raises(ReleaseError, match="questions about a picture without") as caught:
        mira.load(half_deep, protocol="bbox_text", modality=modality)
    asked = mira.load(half_deep, protocol="bbox_text")
    without = sum(image_id == "pic_000" for image_id in asked["image_id"])
    assert f"found {without} of {len(asked)} questions" in str(caught.value)
    assert "choose rgb or rgb_m" in str(caught.value)
    assert "missing_depth='skip'" in str(caught.value)


@pytest.mark.parametrize("modality", ["rgb_d", "rgb_dm"])
def test_questions_without_depth_are_left_out_if_asked_for(half_deep, modality):
    rows = mira.load(half_deep, protocol="bbox_text", modality=modality, missing_depth="skip")
    assert set(rows["image_id"]) == {"pic_001"}
    assert rows[0]["image_roles"] == ["rgb", "depth"]


@pytest.mark.parametrize("modality", ["rgb", "rgb_m"])
def test_pictures_without_depth_are_shown_where_none_is_asked_for(half_deep, modality):
    rows = mira.load(half_deep, protocol="bbox_text", modality=modality)
    assert set(rows["image_id"]) == {"pic_000", "pic_001"}
    assert all(row["image_roles"] == ["rgb"] for row in rows)


@pytest.mark.parametrize("split", ["test[60:90]", "all", "train", "test+test", None, 3])
def test_a_split_is_one_of_the_release(release, split):
    with pytest.raises(ReleaseError, match=r"expected one of its splits \(test\)"):
        mira.load(release, protocol="bbox_text", split=split)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({"protocol": "boxes"}, "bbox_text, bbox_text_desc, visual_bbox, visual_mask"),
        ({"protocol": None}, "bbox_text, "),
        ({"protocol": "bbox_text", "modality": "rgbd"}, "rgb, rgb_m, rgb_d, rgb_dm"),
        ({"protocol": "bbox_text", "missing_depth": "drop"}, "refuse or skip"),
    ],
)
def test_an_unknown_choice_is_answered_with_the_known_ones(release, options, allowed):
    with pytest.raises(ReleaseError) as caught:
        mira.load(release, **options)
    assert allowed in str(caught.value)


def test_a_protocol_that_nobody_asked_in_is_named(make_workspace, tmp_path):
    workspace = make_workspace()
    generate_questions(workspace, policy=QAPolicy(), protocols=["visual_mask"])
    build_release(workspace, tmp_path / "masks")
    with pytest.raises(ReleaseError, match="no question in protocol 'bbox_text'"):
        mira.load(tmp_path / "masks", protocol="bbox_text")


@pytest.mark.parametrize("config", ["qa", "scenes"])
def test_a_missing_shard_is_one_line(release, config):
    next((release / config).glob("*.parquet")).unlink()
    with pytest.raises(ReleaseError, match=f"cannot load '{config}'") as caught:
        mira.load(release, protocol="bbox_text")
    assert _one_line(caught.value)


@pytest.mark.parametrize("config", ["qa", "scenes"])
@pytest.mark.parametrize("keep", [0, 4, 1000])
def test_a_broken_shard_is_one_line(release, config, keep):
    path = next((release / config).glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ReleaseError, match=f"cannot load '{config}'") as caught:
        mira.load(release, protocol="bbox_text")
    assert _one_line(caught.value)


def test_a_full_disk_is_a_fault_of_the_cache_and_not_of_the_release(release, tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise datasets.exceptions.DatasetGenerationError("x") from OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(datasets, "load_dataset", full)
    with pytest.raises(MiraError, match=r"the disk is full \(free space, or set cache_dir\)"):
        mira.load(release, protocol="bbox_text", cache_dir=tmp_path / "mine")


@pytest.mark.parametrize("name", ["a[1]", "a*b", "a?b", "a::b", "x.py"])
def test_a_path_that_datasets_cannot_load_from_is_named(release, name):
    moved = release.rename(release.with_name(name))
    with pytest.raises(ReleaseError, match="expected a path that `datasets` can load from"):
        mira.load(moved, protocol="bbox_text")


def test_a_folder_named_like_a_builder_of_datasets_loads(release, monkeypatch):
    release.rename(release.with_name("parquet"))
    monkeypatch.chdir(release.parent)
    assert len(mira.load("parquet", protocol="bbox_text"))


def test_rows_travel_by_pickle(release):
    rows = mira.load(release, protocol="visual_bbox", modality="rgb_dm")
    first = rows[0]["images"]
    again = pickle.loads(pickle.dumps(rows))[0]["images"]
    assert [image.tobytes() for image in again] == [image.tobytes() for image in first]


@pytest.mark.slow
def test_rows_render_in_a_process_of_their_own(release):
    rows = mira.load(release, protocol="visual_bbox")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(operator.getitem, (rows, 1))
    assert there["images"][0].tobytes() == rows[1]["images"][0].tobytes()


def test_an_info_that_may_not_be_read_is_one_line(release, monkeypatch):
    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ReleaseError, match=r"info\.json: cannot be read: Permission denied"):
        read_info(release)


@pytest.mark.parametrize("path", ["../x.parquet", "/x.parquet", "C:/x.parquet", "qa\\x.parquet"])
def test_an_info_that_names_files_elsewhere_is_refused(release, path):
    text = (release / INFO_PATH).read_text()
    inside = read_info(release).card.path
    (release / INFO_PATH).write_text(text.replace(f'"{inside}"', f'"{path}"'.replace("\\", "\\\\")))
    with pytest.raises(MiraError, match="relative path"):
        read_info(release)


@pytest.mark.parametrize(
    ("modality", "decodes"), [("rgb", False), ("rgb_m", False), ("rgb_d", True)]
)
def test_depth_is_decoded_only_where_it_is_shown(release, monkeypatch, modality, decodes):
    decoded = []
    real = loading.decode_depth
    monkeypatch.setattr(
        loading, "decode_depth", lambda data, **more: decoded.append(1) or real(data, **more)
    )
    rows = mira.load(release, protocol="bbox_text", modality=modality)
    assert rows[0]["images"]
    assert bool(decoded) is decodes


def test_pictures_come_as_arrays_that_nobody_else_has(release):
    pictures = mira.load(release, protocol="bbox_text", modality="rgb_d")
    arrays = mira.load(release, protocol="bbox_text", modality="rgb_d", format="numpy")
    for expected, found in zip(pictures[0]["images"], arrays[0]["images"], strict=True):
        assert found.dtype == np.uint8
        assert np.array_equal(np.asarray(expected), found)
    arrays[0]["images"][0][:] = 0
    assert arrays[0]["images"][0].any()


def test_pictures_come_as_tensors_as_datasets_lays_them_out(release):
    torch = pytest.importorskip("torch", reason="needs the package `torch`")
    pictures = mira.load(release, protocol="visual_mask", modality="rgb_dm")
    tensors = mira.load(release, protocol="visual_mask", modality="rgb_dm", format="torch")
    for expected, found in zip(pictures[0]["images"], tensors[0]["images"], strict=True):
        assert torch.equal(found, torch.from_numpy(np.array(expected)).permute(2, 0, 1))
    rows = torch.utils.data.DataLoader(tensors, num_workers=2, collate_fn=list, batch_size=2)
    assert sum(len(batch) for batch in rows) == len(tensors)


def test_a_format_that_is_none_is_refused(release):
    with pytest.raises(ReleaseError, match="format: expected pil or numpy or torch, found 'tf'"):
        mira.load(release, protocol="bbox_text", format="tf")
