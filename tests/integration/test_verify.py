"""Verification finds what it says it does: each fault is put into a release that is whole else."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import socket
import subprocess
import tempfile
from pathlib import Path

import datasets
import huggingface_hub.constants
import numpy as np
import pytest
from PIL import Image

from export.card import write_card
from export.verify import verify_release
from export.verify.sightings import Link, Seen, find_sightings
from mira.errors import MiraError, ReleaseError
from mira.release.digest import RULE, TableDigest, combined_digest
from mira.release.reader import INFO_PATH, read_info, read_rows
from mira.schema.export import ReleaseInfo
from mira.store.atomic import file_ref


@pytest.fixture
def rewritten(release, tmp_path, write_table):
    """Write the release anew with changed rows, all checksums and digests right."""

    def _rewrite(*, qa=lambda row: row, scenes=lambda row: row):
        out = tmp_path / "rewritten"
        infos = []
        for config, change in (("qa", qa), ("scenes", scenes)):
            changed = [change(row) for row in read_rows(release, config)]
            rows = [{k: v for k, v in row.items() if k != "split"} for row in changed if row]
            infos.append(write_table(out, config, {"test": rows}))
        configs = tuple(infos)
        digest = combined_digest((config.name, config.digest) for config in configs)
        card = write_card(out, name="n", digest=digest, configs=configs, statistics={})
        info = ReleaseInfo(
            name="n",
            digest=digest,
            digest_rule=RULE,
            configs=configs,
            card=file_ref(card, relative_to=out),
        )
        (out / "meta").mkdir()
        (out / INFO_PATH).write_bytes(info.to_json())
        return out

    return _rewrite


def _errors(release):
    return {f.code for f in verify_release(release) if f.severity == "error"}


def _of(template_id, change):
    """Change the questions of one template."""
    return lambda row: change(row) if row["template_id"] == template_id else row


def _flip(row):
    return {**row, "answer": {"yes": "no", "no": "yes"}[row["answer"]]}


def _next_label(row):
    labels = [option["label"] for option in row["options"]]
    return {**row, "answer": labels[(labels.index(row["answer"]) + 1) % len(labels)]}


def _repeat_value(row):
    first, *others = row["options"]
    return {**row, "options": [first, *({**o, "value": first["value"]} for o in others)]}


def _swap_words(row):
    yes, no = row["options"]
    return {**row, "options": [{**yes, "value": "no"}, {**no, "value": "yes"}]}


def _with_marks(change):
    return lambda row: {**row, "marks": change([dict(mark) for mark in row["marks"]])}


def _with_box(box):
    return _with_marks(lambda marks: [{**marks[0], "box_xyxy_px": box}, *marks[1:]])


def _swap_candidates(marks):
    marks[1]["label"], marks[2]["label"] = marks[2]["label"], marks[1]["label"]
    return marks


def _offer_a_reflection(row):
    """Put reflection 6, which shows nothing in the picture, in place of a wrong candidate."""
    k = next(k for k, option in enumerate(row["options"]) if option["label"] != row["answer"])
    options, marks = [dict(o) for o in row["options"]], [dict(m) for m in row["marks"]]
    options[k]["value"] = "6"
    marks[k + 1].update(instance_id=6, box_xyxy_px=[90, 65, 108, 83])
    return {**row, "options": options, "marks": marks}


def test_a_release_written_anew_holds(rewritten):
    assert _errors(rewritten()) == set()


@pytest.mark.parametrize(
    ("template_id", "change", "codes"),
    [
        ("mc_003", _flip, {"answer-not-derived"}),
        ("mc_003", _swap_words, {"answer-not-derived"}),
        ("mc_001", _next_label, {"answer-not-derived"}),
        ("mc_002", _next_label, {"answer-not-derived"}),
        ("mc_001", _offer_a_reflection, {"answer-not-derived"}),
        ("vc_001", _flip, {"answer-not-derived", "joint-group"}),
        ("mc_002", _repeat_value, {"options", "marks", "answer-not-derived"}),
        ("mc_001", lambda row: {**row, "answer": "Z"}, {"answer", "answer-not-derived"}),
        ("vc_002", _with_box([0, 0, 9999, 9999]), {"mark-box"}),
        ("mc_001", _with_marks(_swap_candidates), {"marks"}),
        ("mc_003", _with_marks(lambda marks: marks[:1]), {"marks", "answer-not-derived"}),
        ("mc_001", lambda row: {**row, "format": "count"}, {"format"}),
        ("vc_001", lambda row: {**row, "template_id": "vc_009"}, {"template-unknown"}),
        ("vc_001", lambda row: {**row, "question_id": "same"}, {"duplicate-id"}),
        ("vc_001", lambda row: None, {"joint-group"}),
        ("vc_001", lambda row: {**row, "image_id": "pic_9"}, {"picture-unknown"}),
        ("vc_001", lambda row: {**row, "scene_id": "pic_9"}, {"scene-split"}),
        ("vc_001", lambda row: {**row, "answer": None}, {"row-malformed", "joint-group"}),
        ("mc_002", lambda row: {**row, "review": "rejected"}, {"rejected-item"}),
    ],
)
def test_a_question_that_is_wrong_is_found(rewritten, template_id, change, codes):
    assert _errors(rewritten(qa=_of(template_id, change))) == codes


def test_visibility_answers_with_one_yes_each_but_of_another_object_are_found(rewritten):
    """The three answers of a group change places, which its own count cannot tell."""
    turn = {"vc_001": "no", "vc_002": "yes", "vc_003": "no"}

    def change(row):
        return {**row, "answer": turn.get(row["template_id"], row["answer"])}

    assert _errors(rewritten(qa=change)) == {"answer-not-derived"}


def _with_first(name, **changes):
    def change(row):
        first, *others = row[name]
        return {**row, name: [{**first, **changes}, *others]}

    return change


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (_with_first("instances", box_xyxy_px=[0, 0, 9999, 9999]), {"region-box", "mark-box"}),
        (
            _with_first("surfaces", segmentation={"size": [9, 9], "counts": "1"}),
            {"segmentation-size"},
        ),
        (_with_first("surfaces", surface_id=1), {"duplicate-id"}),
        (_with_first("instances", visibility="seen"), {"row-malformed", "picture-unknown"}),
        (_with_first("links", real_id=77), {"instance-unknown", "answer-not-derived"}),
        (_with_first("links", real_id=3), {"answer-not-derived"}),
        (lambda row: {**row, "links": row["links"][:-1]}, {"answer-not-derived"}),
        (lambda row: {**row, "depth_sha256": None}, {"picture-digest"}),
        (lambda row: {**row, "image": None}, {"picture-missing", "picture-digest"}),
        (lambda row: {**row, "width_px": 80}, {"picture-size", "segmentation-size", "mark-box"}),
    ],
)
def test_a_picture_that_does_not_fit_its_row_is_found(rewritten, change, codes):
    assert _errors(rewritten(scenes=change)) == codes


@pytest.mark.parametrize("table", ["qa", "scenes"])
@pytest.mark.parametrize(
    "text",
    [
        "/home/me/data/hall",
        "made from /Users/me/a.png",
        "file:///anywhere",
        "[/scratch/bob/x]",
        "~/secret/x",
        "C:\\Users\\me",
        "\\\\nas\\me",
    ],
)
def test_a_path_of_the_writers_machine_is_found(rewritten, table, text):
    def in_derivation(row):
        return {**row, "derivation": {**row["derivation"], "parameters": json.dumps([text])}}

    change = {"qa": in_derivation, "scenes": lambda row: {**row, "source": text}}
    assert _errors(rewritten(**{table: change[table]})) == {"path-leak"}


@pytest.mark.parametrize("text", ["and/or", "left/right of it", "2:1", "c/o", "/", "16:9 / 4:3"])
def test_a_slash_is_no_path(rewritten, text):
    assert _errors(rewritten(scenes=lambda row: {**row, "source": text})) == set()


def test_a_picture_with_a_folder_in_its_name_is_found(rewritten):
    def change(row):
        return {**row, "image": {**row["image"], "path": f"sub/{row['image']['path']}"}}

    assert _errors(rewritten(scenes=change)) == {"path-leak"}


def _picture(data):
    return lambda row: {
        **row,
        "image": {"bytes": data, "path": "a.jpg"},
        "image_sha256": hashlib.sha256(data).hexdigest(),
    }


def _jpeg(orientation, size=(160, 120)):
    exif = Image.Exif()
    exif[0x0112] = orientation
    stream = io.BytesIO()
    Image.fromarray(np.zeros((size[1], size[0], 3), np.uint8)).save(stream, "jpeg", exif=exif)
    return stream.getvalue()


@pytest.mark.parametrize("orientation", [2, 3, 4, 6])
def test_a_picture_that_datasets_would_turn_is_found(rewritten, orientation):
    found = _errors(rewritten(scenes=_picture(_jpeg(orientation))))
    assert found == {"picture-orientation"}


def test_an_upright_picture_with_an_orientation_passes(rewritten):
    assert _errors(rewritten(scenes=_picture(_jpeg(1)))) == set()


@pytest.mark.parametrize(
    ("data", "code"), [(b"no picture", "undecodable"), (_jpeg(1)[:700], "undecodable")]
)
def test_a_picture_that_does_not_decode_is_found(rewritten, data, code):
    assert _errors(rewritten(scenes=_picture(data))) == {f"picture-{code}"}


def test_a_picture_of_another_size_is_found(rewritten):
    assert _errors(rewritten(scenes=_picture(_jpeg(1, (90, 60))))) == {"picture-size"}


def test_many_faults_of_a_kind_are_counted(rewritten):
    changed = rewritten(qa=_of("mc_003", _flip))
    found = [f for f in verify_release(changed) if f.code == "answer-not-derived"]
    assert len(found) == 6
    total = sum(row["template_id"] == "mc_003" for row in read_rows(changed, "qa"))
    assert found[-1].message == f"and {total - 5} more of this kind"


def test_a_table_of_other_columns_is_found(release, rewritten, monkeypatch):
    whole = datasets.load_dataset

    def without_answers(*arguments, **options):
        loaded = whole(*arguments, **options)
        return loaded.remove_columns("answer") if arguments[1] == "qa" else loaded

    monkeypatch.setattr(datasets, "load_dataset", without_answers)
    assert [(f.code, "answer" in f.message) for f in verify_release(release)] == [("columns", True)]


def test_a_release_without_one_of_the_tables_is_found(release):
    info = read_info(release)
    kept = tuple(config for config in info.configs if config.name == "qa")
    (release / INFO_PATH).write_bytes(info.model_copy(update={"configs": kept}).to_json())
    for table in ("scenes", "qa_preview"):
        for path in (release / table).iterdir():
            path.unlink()
    assert "config-missing" in {f.code for f in verify_release(release)}


def test_a_release_of_before_there_were_previews_holds(release):
    info = read_info(release)
    kept = tuple(config for config in info.configs if config.name != "qa_preview")
    digest = combined_digest((config.name, config.digest) for config in kept)
    older = info.model_copy(update={"configs": kept, "digest": digest})
    (release / INFO_PATH).write_bytes(older.to_json())
    for path in (release / "qa_preview").iterdir():
        path.unlink()
    assert not [found for found in verify_release(release) if found.severity == "error"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: {**row, "answer": "?"}, "expected answer as in qa"),
        (lambda row: {**row, "question_id": f"{row['question_id']}-more"}, "no such question"),
    ],
)
def test_a_preview_that_is_not_of_the_questions_is_found(release, change, message, write_table):
    info = read_info(release)
    rows = [change(row) for row in read_rows(release, "qa_preview")]
    for path in (release / "qa_preview").iterdir():
        path.unlink()
    rows = [{k: v for k, v in row.items() if k != "split"} for row in rows]
    written = write_table(release, "qa_preview", {"test": rows})
    configs = (*(one for one in info.configs if one.name != "qa_preview"), written)
    digest = combined_digest((config.name, config.digest) for config in configs)
    card = write_card(release, name="n", digest=digest, configs=configs, statistics={})
    changed = {"configs": configs, "digest": digest, "card": file_ref(card, relative_to=release)}
    (release / INFO_PATH).write_bytes(info.model_copy(update=changed).to_json())
    found = [one for one in verify_release(release) if one.severity == "error"]
    assert {one.code for one in found} == {"preview-stale"}
    assert message in found[0].message


def _raise(*causes):
    """A `load_dataset` that fails as `datasets` does: with wrapped causes."""

    def _load(*arguments, **options):
        try:
            raise causes[0]
        except BaseException as first:
            try:
                raise RuntimeError("while writing") from first
            except RuntimeError as second:
                raise datasets.exceptions.DatasetGenerationError("generating") from second

    return _load


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "the disk is full"),
        (OSError("Not enough disk space. Needed: 3 GB"), "the disk is full"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "cannot be written"),
    ],
)
def test_a_fault_of_the_temporary_folder_is_not_one_of_the_release(
    release, monkeypatch, cause, said
):
    monkeypatch.setattr(datasets, "load_dataset", _raise(cause))
    with pytest.raises(MiraError, match=said) as caught:
        verify_release(release)
    assert not isinstance(caught.value, ReleaseError)
    assert caught.value.where == tempfile.gettempdir()
    assert "TMPDIR" in str(caught.value)


def test_a_release_that_does_not_load_is_a_finding_with_the_first_cause(release, monkeypatch):
    monkeypatch.setattr(datasets, "load_dataset", _raise(KeyError("bad footer")))
    found = verify_release(release)
    assert {f.code for f in found} == {"load-failed"}
    assert "generating" in found[0].message
    assert "bad footer" in found[0].message


def test_a_file_of_the_release_that_opens_for_nobody_is_a_fault_of_the_release(
    release, monkeypatch
):
    path = str(next((release / "qa").glob("*.parquet")))
    cause = PermissionError(errno.EACCES, "Permission denied", path)
    monkeypatch.setattr(datasets, "load_dataset", _raise(cause))
    assert {f.code for f in verify_release(release)} == {"load-failed"}


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_on_a_full_temporary_disk_the_release_is_not_called_broken(release, tmp_path, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a tmpfs")
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    try:
        with pytest.raises(MiraError, match="the disk is full") as caught:
            verify_release(release)
        assert caught.value.where == str(disk)
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_without_any_temporary_folder_the_fault_is_one_line(release, monkeypatch):
    def refuse(**options):
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(MiraError, match="no temporary folder can be made"):
        verify_release(release)


def test_a_file_that_may_not_be_read_is_found(release, monkeypatch):
    opened = Path.open

    def refuse(path, *arguments, **options):
        if path.suffix == ".parquet":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    assert {f.code for f in verify_release(release)} == {"file-unreadable"}


def test_nothing_asks_the_network_and_the_settings_come_back(release, monkeypatch):
    flags = [(datasets.config, "HF_HUB_OFFLINE"), (huggingface_hub.constants, "HF_HUB_OFFLINE")]
    for module, name in flags:
        monkeypatch.setattr(module, name, False)
    whole = datasets.load_dataset
    asked = []

    def watched(*arguments, **options):
        assert all(getattr(module, name) for module, name in flags)
        return whole(*arguments, **options)

    monkeypatch.setattr(datasets, "load_dataset", watched)
    monkeypatch.setattr(socket.socket, "connect", lambda *arguments: asked.append(arguments))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *arguments, **o: asked.append(arguments))
    assert _errors(release) == set()
    assert asked == []
    assert not any(getattr(module, name) for module, name in flags)


def test_the_cache_of_the_user_is_neither_read_nor_filled(release, tmp_path):
    verify_release(release)
    assert not (tmp_path / "cache").exists()


def test_progress_counts_the_pictures_of_all_splits(release):
    told = []
    verify_release(release, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize("name", ["a[1]", "a*b", "a?b", "a::b", "x.py"])
def test_a_path_that_datasets_cannot_load_from_is_named(release, name):
    moved = release.rename(release.with_name(name))
    with pytest.raises(ReleaseError, match="expected a path that `datasets` can load from"):
        verify_release(moved)


@pytest.mark.parametrize("name", ["a b", "a]", "parquet", "a{b}", "a:b", "é"])
def test_other_odd_names_load(release, name, monkeypatch):
    moved = release.rename(release.with_name(name))
    monkeypatch.chdir(moved.parent)
    assert _errors(Path(name)) == set()


def test_a_reflection_of_a_reflection_shows_the_object_at_the_end():
    seen = {1: "direct", 2: "reflected", 3: "reflected", 4: "reflected", 5: "reflected"}
    links = {
        2: Link(reflected_id=2, real_id=1, reflection_of_id=None, counterpart="in_frame"),
        3: Link(reflected_id=3, real_id=None, reflection_of_id=2, counterpart=None),
        4: Link(reflected_id=4, real_id=None, reflection_of_id=None, counterpart="out_of_frame"),
        5: Link(reflected_id=5, real_id=None, reflection_of_id=4, counterpart=None),
    }
    found = find_sightings({k: Seen(how, None) for k, how in seen.items()}, links)
    assert found.object_of == {1: 1, 2: 1, 3: 1, 4: 4, 5: 4}
    assert found.how_seen == {1: "both", 4: "reflected_only"}
    assert found.undecided == set()


@pytest.mark.parametrize("counterpart", [None, "ambiguous", "in_frame"])
def test_an_undecided_reflection_leaves_what_it_may_show_undecided(counterpart):
    seen = {1: Seen("direct", "cup"), 2: Seen("direct", "Vase"), 3: Seen("reflected", "vase")}
    link = Link(reflected_id=3, real_id=None, reflection_of_id=None, counterpart=counterpart)
    found = find_sightings(seen, {3: link})
    assert found.undecided == {3}
    assert found.how_seen == {1: "direct_only"}


def test_links_in_a_circle_end():
    links = {
        k: Link(reflected_id=k, real_id=None, reflection_of_id=5 - k, counterpart=None)
        for k in (2, 3)
    }
    found = find_sightings({k: Seen("reflected", None) for k in (2, 3)}, links)
    assert found.how_seen == {}


def test_a_release_of_the_first_rule_of_digests_is_held_to_that(release, write_table):
    """As an older program wrote it: one hash over all rows, and no words of answers."""
    info = read_info(release)
    assert info.digest_rule == RULE == 2
    configs = []
    for config in info.configs:
        digest = TableDigest(1)
        for row in read_rows(release, config.name):
            digest.add(row)
        configs.append(config.model_copy(update={"digest": digest.hexdigest()}))
    combined = combined_digest((config.name, config.digest) for config in configs)
    older = {"configs": tuple(configs), "digest": combined, "digest_rule": 1}
    (release / INFO_PATH).write_bytes(info.model_copy(update=older).to_json())
    assert not [found for found in verify_release(release) if found.severity == "error"]
    wrong = {**older, "digest_rule": 2}
    (release / INFO_PATH).write_bytes(info.model_copy(update=wrong).to_json())
    assert "digest" in {found.code for found in verify_release(release)}
