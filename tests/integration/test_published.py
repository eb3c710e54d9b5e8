"""A workspace goes out in the published layout and comes back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import MiraError, WorkspaceError
from mira.item_pictures import WorkspacePictures
from mira.published.writing import write_published
from mira.render.pictures import SourcePicture
from mira.render.question import render_question
from mira.render.source import decode_color
from mira.render.style import RenderStyle
from mira.store.workspace import Workspace
from qa_gen.published.asked import asked_pictures
from qa_gen.published.importing import import_published

FOLDERS = ("rgb", "depth_colorized", "mirror_marked_rgb", "mirror_marked_depth")
STYLE = RenderStyle()


def write(items: Any, pictures: Any, out: Path, **options: Any):
    return write_published(asked_pictures(items, pictures), out, **{"style": STYLE, **options})


def export(workspace: Workspace, out: Path, **options: Any):
    return write(workspace.items(), WorkspacePictures(workspace), out, **options)


def entries(out: Path) -> list[dict[str, Any]]:
    return json.loads((out / "questions.json").read_bytes())


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_picture_that_an_entry_names_is_there_and_no_other(make_workspace, tmp_path):
    workspace = make_workspace()
    summary = export(workspace, tmp_path / "out")
    found = entries(tmp_path / "out")
    named = {
        value for entry in found for key, value in entry.items() if key.endswith("_path") and value
    }
    on_disk = {name for name in files(tmp_path / "out") if name.startswith(("bbox/", "mask/"))}
    assert named == on_disk
    assert summary.entries == len(found) == sum(len(item.wordings) for item in workspace.items())
    for entry in found:
        stem = Path(entry["image_name"]).stem
        for folder in FOLDERS:
            assert len(list((tmp_path / "out/images" / folder).glob(f"{stem}.*"))) == 1
    assert (tmp_path / "out/images/rgb" / found[0]["image_name"]).is_file()


def test_pictures_are_those_that_the_renderer_makes(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    export(workspace, tmp_path / "out", color_form="png")
    pictures = WorkspacePictures(workspace)
    items = {item.item_id: item for item in workspace.items()}
    for entry in entries(tmp_path / "out"):
        item = items[entry["original_question_id"]]
        for modality, rgb, depth in (
            ("rgb_d", "rgb_bbox_path", "depth_bbox_path"),
            ("rgb_dm", "rgbm_bbox_path", "depthm_bbox_path"),
        ):
            rendered = render_question(
                pictures(item).pictures,
                item.marks,
                protocol=entry["referring_style"],
                modality=modality,
                style=STYLE,
            )
            shown = {picture.role: picture.image_rgb for picture in rendered}
            paths = {"rgb": entry[rgb], "depth": entry[depth], "mask": entry["mask_path"]}
            for role, path in paths.items():
                if path is not None:
                    data = (tmp_path / "out" / path).read_bytes()
                    np.testing.assert_array_equal(decode_color(data), shown[role])


def test_the_original_picture_goes_out_as_it_came(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    export(workspace, tmp_path / "out")
    (view,) = workspace.views()
    sent = (tmp_path / "out/images/rgb/pic_000.png").read_bytes()
    assert sent == workspace.read_picture(view, view.color)


def test_the_readme_counts_what_is_there_and_its_example_runs(make_workspace, tmp_path, capsys):
    summary = export(make_workspace(), tmp_path / "out")
    readme = (tmp_path / "out/README.md").read_text("utf-8")
    assert f"asks {summary.items} items about 2 pictures" in readme
    assert f"| `mc_003` | `same_object_verification` | {summary.by_template['mc_003']} |" in readme
    (example,) = re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    exec(example.replace("path/to/this/folder", str(tmp_path / "out")), {})
    shown = capsys.readouterr().out.splitlines()
    assert sum("images/rgb/pic_00" in line or "/bbox/rgb/" in line for line in shown) == (
        summary.entries
    )


def test_coloured_lines_survive_jpeg(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    style = RenderStyle(line_px=8, halo_px=0, box_labels="never", slot_colors=((255, 0, 0),))
    export(workspace, tmp_path / "out", style=style)
    entry = next(
        e
        for e in entries(tmp_path / "out")
        if e["template_id"] == "vc_001" and e["rgb_bbox_path"] and e["slot_values"] == {"X": "3"}
    )
    image_rgb = decode_color((tmp_path / "out" / entry["rgb_bbox_path"]).read_bytes())
    line = image_rgb[33:34, 8:20].reshape(-1, 3)
    assert (line[:, 0] > 200).all()
    assert (line[:, 1:] < 60).all()


def test_the_same_workspace_gives_the_same_bytes_with_several_processes_too(
    make_workspace, tmp_path
):
    workspace = make_workspace(pictures=3)
    export(workspace, tmp_path / "one")
    export(workspace, tmp_path / "two", workers=2)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_questions_come_back_into_a_workspace_without_any_and_go_out_the_same(
    make_workspace, tmp_path
):
    first, second = make_workspace("first"), make_workspace("second")
    export(first, tmp_path / "out")
    report = import_published(tmp_path / "out", second)
    assert report.findings == ()
    assert report.imported == report.items == sum(1 for _ in first.items())
    for before, after in zip(first.items(), second.items(), strict=True):
        kept = before.model_copy(update={"derivation": after.derivation, "source": "annotator"})
        assert after == kept
    export(second, tmp_path / "again")
    assert files(tmp_path / "again") == files(tmp_path / "out")


def test_items_without_their_picture_are_told_and_the_others_taken_over(make_workspace, tmp_path):
    two, one = make_workspace("two", pictures=2), make_workspace("one", pictures=1)
    export(two, tmp_path / "out")
    report = import_published(tmp_path / "out", one)
    assert {item.image_id for item in one.items()} == {"pic_000"}
    assert report.imported * 2 == report.items
    assert {finding.message for finding in report.findings} == {
        "the workspace has no picture 'pic_001'"
    }


def test_a_file_of_other_pictures_leaves_the_questions_as_they_were(make_workspace, tmp_path):
    workspace = make_workspace()
    export(workspace, tmp_path / "out")
    other = json.loads((tmp_path / "out/questions.json").read_bytes())
    for entry in other:
        entry["image_name"] = "elsewhere.png"
    path = tmp_path / "other.json"
    path.write_text(json.dumps(other))
    before = files(workspace.root / "qa")
    with pytest.raises(WorkspaceError, match="has no place for any .* no picture 'elsewhere'"):
        import_published(path, workspace)
    assert files(workspace.root / "qa") == before


def test_instances_that_nobody_drew_are_told(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    export(workspace, tmp_path / "out")
    changed = entries(tmp_path / "out")
    for entry in changed:
        if entry["template_id"] == "vc_001":
            entry["slot_values"] = {"X": "77"}
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(changed))
    report = import_published(path, workspace)
    assert {item.template_id for item in workspace.items()} == {
        *("mc_001", "mc_002", "mc_003", "vc_002", "vc_003")
    }
    assert {f.message for f in report.findings} == {"the annotation has no instance 77 (slot X)"}


def test_the_first_pictures_alone_go_out(make_workspace, tmp_path):
    summary = export(make_workspace(), tmp_path / "out", limit=1)
    assert summary.pictures == 1
    assert {entry["image_name"] for entry in entries(tmp_path / "out")} == {"pic_000.png"}


def test_what_review_rejected_stays_at_home(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    items = list(workspace.items())
    rejected = [items[0].model_copy(update={"review": "rejected"}), *items[1:]]
    pictures = WorkspacePictures(workspace)
    summary = write(rejected, pictures, tmp_path / "out")
    assert (summary.rejected, summary.items) == (1, len(items) - 1)
    asked = {entry["original_question_id"] for entry in entries(tmp_path / "out")}
    assert items[0].item_id not in asked


def test_a_picture_without_depth_has_no_depth_files(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    pictures = WorkspacePictures(workspace)

    def without_depth(item):
        source = pictures(item)
        scene = source.pictures
        plain = type(scene)(
            color_rgb=scene.color_rgb,
            surface_masks=scene.surface_masks,
            instance_masks=scene.instance_masks,
            image_id=scene.image_id,
        )
        return SourcePicture(plain, source.color, source.ending)

    write(workspace.items(), without_depth, tmp_path / "out")
    folders = {path.name for path in (tmp_path / "out/images").iterdir()}
    assert folders == {"rgb", "mirror_marked_rgb"}
    boxes = [entry for entry in entries(tmp_path / "out") if entry["rgb_bbox_path"]]
    assert boxes
    assert all(entry["depth_bbox_path"] is None for entry in boxes)


def test_a_picture_that_readers_would_turn_goes_out_upright(make_workspace, tmp_path):
    from PIL import Image

    workspace = make_workspace(pictures=1)
    pictures = WorkspacePictures(workspace)

    def turned(item):
        source = pictures(item)
        path = tmp_path / "turned.jpg"
        exif = Image.Exif()
        exif[0x0112] = 6
        Image.fromarray(source.pictures.color_rgb).save(path, exif=exif)
        return SourcePicture(source.pictures, path.read_bytes(), ".jpg")

    write(workspace.items(), turned, tmp_path / "out")
    sent = cv2.imread(str(tmp_path / "out/images/rgb/pic_000.png"))
    assert sent.shape == (120, 160, 3)


@pytest.mark.parametrize("image_id", ["../escaped", "/etc/passwd", "a/b", "", "con", "x" * 250])
def test_a_hostile_name_of_a_picture_writes_nothing(make_workspace, tmp_path, image_id):
    workspace = make_workspace(pictures=1)
    pictures = WorkspacePictures(workspace)
    (item, *_) = workspace.items()
    hostile = item.model_copy(update={"image_id": image_id})

    def renamed(_item):
        source = pictures(item)
        scene = source.pictures
        named = type(scene)(color_rgb=scene.color_rgb, image_id=image_id)
        return SourcePicture(named, source.color, source.ending)

    (tmp_path / "place").mkdir()
    with pytest.raises(MiraError):
        write([hostile], renamed, tmp_path / "place/out")
    assert list((tmp_path / "place").iterdir()) == []


def test_a_folder_with_anything_else_in_it_is_not_replaced(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    export(workspace, tmp_path / "out")
    export(workspace, tmp_path / "out")
    (tmp_path / "out/notes.txt").write_text("mine")
    with pytest.raises(MiraError, match=r"holds 'notes\.txt', which would be lost"):
        export(workspace, tmp_path / "out")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/questions.json").write_text("[]")
    with pytest.raises(MiraError, match="would be lost"):
        export(workspace, tmp_path / "theirs")


def test_an_export_that_fails_leaves_the_earlier_one(make_workspace, tmp_path):
    workspace = make_workspace()
    export(workspace, tmp_path / "out")
    before = files(tmp_path / "out")
    annotation = workspace.annotation("pic_001", "ann")
    workspace.put_annotation(annotation.model_copy(update={"status": "failed"}))
    with pytest.raises(WorkspaceError, match="pic_001: the annotation by 'ann' changed after"):
        export(workspace, tmp_path / "out")
    assert files(tmp_path / "out") == before


def test_items_of_one_picture_that_are_apart_are_refused(make_workspace, tmp_path):
    workspace = make_workspace()
    items = sorted(workspace.items(), key=lambda item: item.template_id)
    with pytest.raises(MiraError, match="expected its items one after the other"):
        write(items, WorkspacePictures(workspace), tmp_path / "out")


def test_nothing_to_write_is_told(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    with pytest.raises(MiraError, match="expected items to write, found none"):
        write([], WorkspacePictures(workspace), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_commands_write_and_read_the_layout(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=1), tmp_path / "out"
    told = CliRunner().invoke(
        app, ["qa", "export", str(workspace.root), "--to", "questions-json", "-o", str(out)]
    )
    assert told.exit_code == 0, told.output
    assert "about 1 picture" in told.stdout
    read = CliRunner().invoke(app, ["qa", "import", str(out), "--from", "questions-json", "--json"])
    assert read.exit_code == 0, read.output
    assert json.loads(read.stdout)["entries"] == len(entries(out))
    (out / "questions.json").write_text(json.dumps([{"question_id": 1}, *entries(out)]))
    read = CliRunner().invoke(app, ["qa", "import", str(out), "--from", "questions-json"])
    assert read.exit_code == 1
    assert "[0].question_id: expected text, found 1" in read.stdout
