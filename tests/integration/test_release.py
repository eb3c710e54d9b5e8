from __future__ import annotations

import hashlib
import io
import shutil
from datetime import UTC, datetime

import cv2
import datasets
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image

import mira
from export.audited import AuditFigures
from export.build import build_release
from export.card import write_card
from export.shards import write_shard
from export.verify import verify_release
from mira.errors import ExportError, MiraError, RecordError, ReleaseError
from mira.geometry.mask import Rle, decode_rle
from mira.release.columns import features
from mira.release.reader import read_info, read_questions, read_rows, read_scenes
from mira.schema.description import InstanceDescription
from mira.schema.qa import QAPolicy
from mira.store.atomic import file_ref
from mira.store.descriptions import DescriptionShelf
from mira.taxonomy.catalogue import taxonomy
from qa_gen.generate import generate_questions


def _load(path, config, **options):
    return datasets.load_dataset(str(path), config, split="test", **options)


def _digests(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("config", ["qa", "scenes"])
def test_load_dataset_reads_every_row_with_the_fixed_schema(release, config):
    loaded = _load(release, config)
    assert loaded.features == features(config)
    assert len(loaded) == sum(
        part.rows for c in read_info(release).configs if c.name == config for part in c.splits
    )


@pytest.mark.parametrize("config", ["qa", "scenes"])
def test_streaming_gives_the_same_rows(release, config):
    keys = {"qa": "question_id", "scenes": "image_id"}[config]
    streamed = list(_load(release, config, streaming=True))
    assert [row[keys] for row in streamed] == list(_load(release, config)[keys])


def test_questions_are_the_default_table(release):
    assert "question" in datasets.load_dataset(str(release), split="test").column_names


def test_depth_comes_back_as_the_very_16_bit_values(release, tmp_path):
    for row in _load(release, "scenes"):
        source = tmp_path / "source-workspace" / row["image_id"] / "depth.png"
        expected = cv2.imread(str(source), cv2.IMREAD_UNCHANGED)
        found = np.asarray(row["depth"])
        assert found.dtype == np.uint16
        assert np.array_equal(found, expected)


def test_picture_files_are_neither_encoded_anew_nor_named_after_a_path(release, tmp_path):
    for row in read_scenes(release):
        source = tmp_path / "source-workspace" / row["image_id"] / "color.png"
        assert row["image"] == {"bytes": source.read_bytes(), "path": f"{row['image_id']}.png"}


def test_a_hole_leaves_as_run_lengths(release):
    surface = next(read_scenes(release))["surfaces"][0]
    mask = decode_rle(Rle.model_validate(surface["segmentation"]))
    assert mask[60, 100]
    assert not mask[95, 135]


def test_a_release_shows_the_descriptions_that_its_questions_use(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    said = InstanceDescription(
        image_id="pic_000",
        instance_id=3,
        text="a dented kettle",
        by="anna",
        at=datetime(2026, 5, 1, tzinfo=UTC),
    )
    DescriptionShelf(workspace).add("anna", [said])
    generate_questions(workspace, policy=QAPolicy())
    out = tmp_path / "described"
    build_release(workspace, out)
    (row,) = _load(out, "scenes")
    words = {one["instance_id"]: one["description"] for one in row["instances"]}
    assert (words[1], words[3]) == ("thing 1", "a dented kettle")
    assert any("(a dented kettle)" in question for question in _load(out, "qa")["question"])
    assert {finding.code for finding in verify_release(out)} == {"unreviewed"}


def test_the_same_workspace_gives_the_same_bytes(make_workspace, tmp_path):
    workspace = make_workspace()
    build_release(workspace, tmp_path / "first" / "release")
    build_release(workspace, tmp_path / "second" / "release")
    assert _digests(tmp_path / "first") == _digests(tmp_path / "second")


def test_two_releases_of_one_folder_name_load_as_two_datasets_from_one_cache(
    make_workspace, tmp_path
):
    found = []
    for k in range(2):
        build_release(make_workspace(f"w{k}", seed=10 * k), tmp_path / f"{k}" / "release")
        loaded = _load(tmp_path / f"{k}" / "release", "scenes", cache_dir=str(tmp_path / "one"))
        found.append(loaded["image_sha256"][:])
    assert found[0] != found[1]


def test_a_release_rewritten_in_place_is_not_served_from_the_cache(make_workspace, tmp_path):
    found = []
    for k in range(2):
        build_release(make_workspace(f"w{k}", seed=10 * k), tmp_path / "release")
        found.append(_load(tmp_path / "release", "scenes")["image_sha256"][:])
    assert found[0] != found[1]


def test_pictures_are_stored_plain_and_the_rest_compressed(release):
    path = next((release / "scenes").glob("*.parquet"))
    group = pq.ParquetFile(path).metadata.row_group(0)
    columns = {group.column(k).path_in_schema: group.column(k) for k in range(group.num_columns)}
    assert columns["image.bytes"].compression == "UNCOMPRESSED"
    assert columns["depth.bytes"].compression == "UNCOMPRESSED"
    assert columns["instances.list.element.description"].compression == "ZSTD"
    assert columns["image.bytes"].has_offset_index


def test_row_groups_are_cut_by_count_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("export.shards.TEXT_ROWS", 3)
    row = dict.fromkeys(features("qa"))
    written = write_shard(
        tmp_path / "a.parquet", "qa", ({**row, "question_id": str(k)} for k in range(7))
    )
    assert written.rows == 7
    groups = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert [groups.row_group(k).num_rows for k in range(groups.num_row_groups)] == [3, 3, 1]


def test_a_shard_is_hashed_as_it_is_written(tmp_path):
    path = tmp_path / "a.parquet"
    written = write_shard(path, "qa", [dict.fromkeys(features("qa"))] * 3)
    ref = file_ref(path, relative_to=tmp_path)
    assert (written.sha256, written.size_bytes) == (ref.sha256, ref.size_bytes)


def test_no_rows_make_a_table_without_rows(tmp_path):
    assert write_shard(tmp_path / "a.parquet", "qa", iter(())).rows == 0
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0


@pytest.mark.parametrize("protocol", [p.id for p in taxonomy().protocols])
@pytest.mark.parametrize("modality", [m.id for m in taxonomy().modalities])
def test_mira_load_renders_the_pictures_of_every_protocol_and_modality(release, protocol, modality):
    rows = mira.load(release, protocol=protocol, modality=modality)
    assert set(rows["protocol"]) == {protocol}
    expected = ["rgb"]
    expected += ["mask"] if protocol == "visual_mask" else []
    expected += ["depth"] if modality in ("rgb_d", "rgb_dm") else []
    assert rows[0]["image_roles"] == expected
    assert [image.size for image in rows[0]["images"]] == [(160, 120)] * len(expected)


def test_mira_load_tells_two_releases_of_one_name_apart(make_workspace, tmp_path):
    seen = []
    for k in range(2):
        build_release(make_workspace(f"w{k}", seed=10 * k), tmp_path / f"{k}" / "release")
        rows = mira.load(tmp_path / f"{k}" / "release", protocol="bbox_text")
        seen.append(rows[0]["images"][0].tobytes())
    assert seen[0] != seen[1]


@pytest.mark.parametrize(
    "options", [{"protocol": "boxes"}, {"protocol": "bbox_text", "modality": "rgbd"}]
)
def test_mira_load_names_what_it_does_not_know(release, options):
    with pytest.raises(ReleaseError, match="expected one of the taxonomy's"):
        mira.load(release, **options)


def test_mira_load_names_a_missing_split(release):
    with pytest.raises(ReleaseError, match="split 'train'"):
        mira.load(release, protocol="bbox_text", split="train")


def test_a_fresh_release_holds(release):
    findings = verify_release(release)
    assert {finding.code for finding in findings} == {"unreviewed"}


def test_a_changed_file_is_found(release):
    path = next((release / "qa").glob("*.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert [f.code for f in verify_release(release)] == ["file-changed"]


def test_a_missing_file_is_found(release):
    next((release / "scenes").glob("*.parquet")).unlink()
    assert [f.code for f in verify_release(release)] == ["file-missing"]


def test_a_file_that_nobody_listed_is_found(release):
    path = next((release / "qa").glob("*.parquet"))
    shutil.copy(path, path.with_name("test-00001-of-00001-00000000.parquet"))
    assert [f.code for f in verify_release(release)] == ["file-not-listed"]


def test_a_folder_that_is_no_release_is_named(tmp_path):
    with pytest.raises(ReleaseError, match="is no release"):
        verify_release(tmp_path)


def test_a_damaged_info_is_one_line(release):
    (release / "meta" / "info.json").write_text('{"name": 3}')
    with pytest.raises(RecordError, match=r"info\.json: name"):
        read_info(release)


@pytest.mark.parametrize("info", ["{}", '{"codebase_version": "v3.0"}'])
def test_a_folder_that_only_looks_like_a_release_is_never_replaced(make_workspace, tmp_path, info):
    other = tmp_path / "lerobot"
    (other / "meta").mkdir(parents=True)
    (other / "meta" / "info.json").write_text(info)
    (other / "episode.parquet").write_bytes(b"data")
    with pytest.raises(ExportError, match="no release"):
        build_release(make_workspace(), other)
    assert (other / "episode.parquet").read_bytes() == b"data"


def test_files_that_somebody_put_into_a_release_are_not_lost(make_workspace, tmp_path):
    workspace = make_workspace()
    build_release(workspace, tmp_path / "release")
    (tmp_path / "release" / "notes.txt").write_text("mine")
    with pytest.raises(ExportError, match=r"which would be lost: notes\.txt"):
        build_release(workspace, tmp_path / "release")
    assert (tmp_path / "release" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["rel[1]", "a::b", "rel.py", "rel*", "what?"])
def test_a_path_that_datasets_cannot_read_is_refused(make_workspace, tmp_path, name):
    with pytest.raises(ReleaseError, match="can load from"):
        build_release(make_workspace(pictures=1), tmp_path / name)


@pytest.mark.parametrize("name", ['a "b"', "a\nb", " ", "<script>", "a`b"])
def test_a_name_that_cannot_stand_in_the_card_is_refused(make_workspace, tmp_path, name):
    with pytest.raises(ExportError, match="^name: expected a line"):
        build_release(make_workspace(pictures=1), tmp_path / "release", name=name)


def test_a_picture_that_its_readers_would_turn_is_refused(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    view = next(workspace.views())
    data = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 2
    Image.new("RGB", (160, 120)).save(data, "PNG", exif=exif)
    path = workspace.view_folder(view) / "color.png"
    path.write_bytes(data.getvalue())
    color = file_ref(path, relative_to=path.parent)
    workspace.put_view(
        view.model_copy(update={"color": color}),
        {"color.png": path, "depth.png": path.with_name("depth.png")},
    )
    with pytest.raises(ExportError, match="EXIF orientation 2"):
        build_release(workspace, tmp_path / "release")


def test_items_that_review_rejected_stay_out_and_are_counted(make_workspace, tmp_path):
    workspace = make_workspace()
    items = [
        item.model_copy(update={"review": "rejected" if item.joint_group else "accepted"})
        for item in workspace.items()
    ]
    summary = workspace.qa_summary()
    workspace.put_questions(iter(items), summary=lambda: summary)
    info = build_release(workspace, tmp_path / "release")
    kept = list(read_questions(tmp_path / "release"))
    assert {row["subtask"] for row in kept} == {"mc"}
    rejected = sum(item.joint_group is not None for item in items)
    assert info.left_out == {"items rejected by review": rejected}
    assert verify_release(tmp_path / "release") == ()


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        (("CC0-1.0", "CC0-1.0"), "cc0-1.0"),
        (("CC0-1.0", None), "other"),
        (("my own terms", "my own terms"), "other"),
        (("CC0-1.0", "CC-BY-4.0"), "other"),
    ],
)
def test_the_card_names_a_licence_only_if_all_scenes_have_it(
    make_workspace, tmp_path, licences, expected
):
    workspace = make_workspace()
    for scene, licence in zip(list(workspace.scenes()), licences, strict=True):
        workspace.put_scene(scene.model_copy(update={"licence": licence}))
    build_release(workspace, tmp_path / "release")
    header = (tmp_path / "release" / "README.md").read_text("utf-8").split("---")[1]
    assert yaml.safe_load(header)["license"] == expected


def test_hostile_words_stay_in_their_cell_of_the_card(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    scene = next(workspace.scenes())
    hostile = "kitchen\n\n# Heading\n<script>alert(1)</script> | x"
    workspace.put_scene(scene.model_copy(update={"place": hostile}))
    build_release(workspace, tmp_path / "release")
    card = (tmp_path / "release" / "README.md").read_text("utf-8")
    assert "\n# Heading" not in card
    assert "<script>" not in card


def test_a_changed_option_changes_the_digest_of_a_question_but_not_its_id(make_workspace, tmp_path):
    digests = []
    for seed in range(2):
        workspace = make_workspace(f"w{seed}", pictures=1)
        generate_questions(workspace, policy=QAPolicy(seed=seed, max_distractors=1 + seed))
        build_release(workspace, tmp_path / f"r{seed}")
        digests.append(
            {
                row["question_id"]: row["question_sha8"]
                for row in read_questions(tmp_path / f"r{seed}")
                if row["template_id"] == "mc_001"
            }
        )
    assert digests[0].keys() == digests[1].keys()
    assert all(digests[0][key] != digests[1][key] for key in digests[0])


def test_a_folder_of_something_else_is_never_replaced(make_workspace, tmp_path):
    precious = tmp_path / "photos"
    precious.mkdir()
    (precious / "cat.jpg").write_bytes(b"meow")
    with pytest.raises(ExportError, match="no release"):
        build_release(make_workspace(), precious)
    assert (precious / "cat.jpg").read_bytes() == b"meow"


@pytest.mark.parametrize("split", ["", "te st", "../test", "a-b", "all"])
def test_a_split_is_a_word(make_workspace, tmp_path, split):
    with pytest.raises(ExportError, match="split: expected a word"):
        build_release(make_workspace(pictures=1), tmp_path / "release", split=split)


def test_questions_of_an_older_annotation_are_not_exported(make_workspace, tmp_path):
    workspace = make_workspace()
    annotation = workspace.annotation("pic_000", "ann")
    workspace.put_annotation(annotation.model_copy(update={"status": "draft"}))
    with pytest.raises(ExportError, match="changed after its questions"):
        build_release(workspace, tmp_path / "release")


def test_a_missing_picture_file_leaves_the_old_release_whole(make_workspace, tmp_path):
    workspace = make_workspace()
    build_release(workspace, tmp_path / "release")
    before = _digests(tmp_path / "release")
    view = next(workspace.views())
    (workspace.view_folder(view) / "color.png").unlink()
    with pytest.raises(MiraError, match=r"color\.png"):
        build_release(workspace, tmp_path / "release")
    assert _digests(tmp_path / "release") == before
    assert not list(tmp_path.glob(".release*"))


def test_the_card_is_english_markdown_with_the_tables(release):
    card = (release / "README.md").read_text("utf-8")
    assert "| perception | Visibility classification | 120 |" in card
    assert "load_dataset" in card
    assert str(release.parent) not in card


def test_questions_and_split_come_with_each_row(release):
    row = next(read_questions(release, columns=["question_id", "split"]))
    assert set(row) == {"question_id", "split"}
    assert row["split"] == "test"


def test_the_preview_shows_questions_of_all_kinds_as_a_model_sees_them(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=3), tmp_path / "release"
    build_release(workspace, out)
    rows = list(read_rows(out, "qa_preview"))
    asked = list(read_questions(out))
    assert len(rows) == min(100, len(asked))
    for name in ("template_id", "protocol", "image_id"):
        assert {row[name] for row in rows} == {row[name] for row in asked}
    for row in rows:
        sizes = {
            name: Image.open(io.BytesIO(row[name]["bytes"])).size
            for name in ("image", "mask", "depth")
            if row[name] is not None
        }
        assert len(set(sizes.values())) == 1
        assert ("mask" in sizes) == (row["protocol"] == "visual_mask")
    loaded = datasets.load_dataset(str(out), "qa_preview", split="test")
    assert loaded[0]["image"].size == loaded[0]["depth"].size


def _with_color(workspace, folder, name):
    """Give each view a smooth picture in a file of this name."""
    for view in list(workspace.views()):
        depth = folder / f"{view.image_id}_depth.png"
        depth.write_bytes(workspace.read_picture(view, view.depth_aligned))
        color = folder / f"{view.image_id}_{name}"
        rows, columns = np.mgrid[: view.height_px, : view.width_px]
        cv2.imwrite(str(color), np.stack((rows, columns, rows + columns), -1).astype(np.uint8) // 2)
        ref = file_ref(color, relative_to=folder).model_copy(update={"path": name})
        files = {name: color, view.depth_aligned.path: depth}
        workspace.put_view(view.model_copy(update={"color": ref}), files)


def test_colour_may_go_out_as_jpeg_and_depth_never_does(make_workspace, tmp_path):
    workspace = make_workspace()
    _with_color(workspace, tmp_path, "color.png")
    build_release(workspace, tmp_path / "as_it_came")
    info = build_release(workspace, tmp_path / "small", jpeg_quality=80)
    rows = [list(read_scenes(tmp_path / name)) for name in ("as_it_came", "small")]
    for png, jpeg in zip(*rows, strict=True):
        assert (png["image"]["path"][-4:], jpeg["image"]["path"][-4:]) == (".png", ".jpg")
        assert len(jpeg["image"]["bytes"]) < len(png["image"]["bytes"])
        first, second = (
            np.asarray(Image.open(io.BytesIO(row["image"]["bytes"])), float) for row in (png, jpeg)
        )
        assert np.abs(first - second).mean() < 3
        assert png["depth"] == jpeg["depth"]
    assert info.jpeg_quality == 80
    assert "JPEG files of quality 80" in (tmp_path / "small" / "README.md").read_text()
    assert not [f for f in verify_release(tmp_path / "small") if f.severity == "error"]
    again = build_release(workspace, tmp_path / "again", name="small", jpeg_quality=80)
    assert again.digest == info.digest


def _renamed(workspace, folder, name):
    """Give the first view's colour file another name."""
    view = next(iter(workspace.views()))
    files = {
        name: folder / f"{view.image_id}_{view.color.path}",
        view.depth_aligned.path: folder / f"{view.image_id}_depth.png",
    }
    color = view.color.model_copy(update={"path": name})
    workspace.put_view(view.model_copy(update={"color": color}), files)


def test_a_jpeg_is_not_written_anew(make_workspace, tmp_path):
    workspace = make_workspace()
    _with_color(workspace, tmp_path, "color.jpg")
    _renamed(workspace, tmp_path, "color.png")
    kept, asked = (tmp_path / name for name in ("kept", "asked"))
    build_release(workspace, kept)
    build_release(workspace, asked, jpeg_quality=10)
    assert [row["image"] for row in read_scenes(kept)] == [
        row["image"] for row in read_scenes(asked)
    ]


def test_the_card_tells_what_the_audit_found_without_names(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    info = build_release(workspace, out)
    assert "How good the annotation is" not in (out / "README.md").read_text()
    audit = AuditFigures(3, 2, 1, 250, 50, 0.85, "polygon", 0.9123, (("visibility", 400, 0.995),))
    write_card(out, name="n", digest=info.digest, configs=info.configs, statistics={}, audit=audit)
    card = (out / "README.md").read_text()
    assert "250 pictures were annotated in 3 batches, of which 2 are finished" in card
    assert "| mean intersection over union | 50 | 0.912 |" in card
    assert "| same visibility | 400 | 99.5 % |" in card
