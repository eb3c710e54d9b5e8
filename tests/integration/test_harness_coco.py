"""A release goes out as COCO, and COCO's own reader sees what the release holds."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from typer.testing import CliRunner

import export.harnesses.coco as harness
from annotate.checking import check_file
from export.build import build_release
from export.harnesses.coco import write_coco
from mira.cli.app import app
from mira.errors import MiraError, ReleaseError
from mira.geometry.mask import Rle, decode_rle
from mira.release.reader import read_info, read_scenes
from mira.schema.annotation import Correspondence, Instance
from mira.schema.export import SceneSplits
from mira.store.workspace import Workspace

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def opened(out: Path) -> COCO:
    with contextlib.redirect_stdout(io.StringIO()):
        return COCO(str(out / "annotations.json"))


def by_name(coco: COCO) -> dict[str, dict[str, Any]]:
    return {image["name"]: image for image in coco.loadImgs(coco.getImgIds())}


def redraw(workspace: Workspace, image_id: str, **change: Any) -> None:
    """Put another drawing in place of one, and its questions with it."""
    from mira.schema.qa import QAPolicy
    from qa_gen.generate import generate_questions

    annotation = workspace.annotation(image_id, "ann")
    assert annotation is not None
    workspace.put_annotation(annotation.model_copy(update=change))
    generate_questions(workspace, policy=QAPolicy())


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    """Two pictures; one has categories, parts, a hole in an object, and a reflection of a
    reflection."""
    made = make_workspace()
    annotation = made.annotation("pic_001", "ann")
    first, second, *others = annotation.instances
    far, near = ((4.5, 4.0), (24.0, 4.25), (14.0, 24.0)), ((40.0, 5.0), (50.0, 5.0), (45.0, 9.5))
    hole = ((12.0, 8.0), (16.0, 8.0), (16.0, 12.0), (12.0, 12.0))
    twice = Instance(
        instance_id=7,
        visibility="reflected",
        seen_in=(100, 100),
        polygons_px=(((120.0, 40.0), (130.0, 40.0), (130.0, 50.0)),),
        category="cup",
    )
    cups = (
        first.model_copy(update={"category": "cup", "polygons_px": (far, near)}),
        second.model_copy(update={"category": "cup", "holes_px": (hole,)}),
        others[0].model_copy(update={"holes_px": (((10, 40), (14, 40), (14, 44)),)}),
    )
    chain = Correspondence(reflected_id=7, real_id=1, reflection_of_id=2, counterpart="in_frame")
    redraw(
        made,
        "pic_001",
        instances=(*cups, *others[1:], twice),
        links=(*annotation.links, chain),
    )
    return made


@pytest.fixture
def drawn(workspace: Workspace, tmp_path: Path) -> Path:
    """The release of it."""
    build_release(workspace, tmp_path / "drawn")
    return tmp_path / "drawn"


def test_coco_s_reader_sees_the_masks_and_boxes_of_the_release(drawn, tmp_path):
    summary = write_coco(drawn, tmp_path / "out")
    coco = opened(tmp_path / "out")
    images = by_name(coco)
    count = 0
    for row in read_scenes(drawn):
        image = images[row["image_id"]]
        entries = {one["instance_id"]: one for one in coco.imgToAnns[image["id"]]}
        regions = {one["surface_id"]: one for one in row["surfaces"]}
        regions |= {one["instance_id"]: one for one in row["instances"]}
        assert entries.keys() == regions.keys()
        for number, region in regions.items():
            mask = decode_rle(Rle.model_validate(region["segmentation"]))
            np.testing.assert_array_equal(coco.annToMask(entries[number]), mask)
            x, y, width, height = entries[number]["bbox"]
            assert [x, y, x + width, y + height] == region["box_xyxy_px"]
            assert entries[number]["area"] == mask.sum()
            count += 1
    assert len(coco.anns) == count == sum(summary.by_category.values())
    assert (summary.pictures, summary.with_depth) == (2, 2)


def test_files_are_those_of_the_release_and_what_is_known_of_a_picture_stands_with_it(
    drawn, tmp_path
):
    write_coco(drawn, tmp_path / "out")
    coco = opened(tmp_path / "out")
    images = by_name(coco)
    assert coco.dataset["info"]["release_digest"] == read_info(drawn).digest
    for row in read_scenes(drawn):
        image = images[row["image_id"]]
        assert (tmp_path / "out" / image["file_name"]).read_bytes() == row["image"]["bytes"]
        assert (tmp_path / "out" / image["depth_file_name"]).read_bytes() == row["depth"]["bytes"]
        for name in ("split", "scene_id", "depth_unit_m", "depth_kind", "intrinsics", "consent"):
            assert image[name] == row[name]
        assert (image["width"], image["height"]) == (row["width_px"], row["height_px"])
        (licence,) = coco.dataset["licenses"]
        assert (image["license"], licence["name"]) == (licence["id"], row["licence"])


def test_visibility_links_and_the_light_s_way_stand_in_fields_of_their_own(drawn, tmp_path):
    summary = write_coco(drawn, tmp_path / "out")
    coco = opened(tmp_path / "out")
    image = by_name(coco)["pic_001"]
    entries = {one["instance_id"]: one for one in coco.imgToAnns[image["id"]]}
    names = {number: coco.cats[one["category_id"]]["name"] for number, one in entries.items()}
    assert (names[100], names[1], names[7]) == ("surface", "cup", "cup_reflection")
    assert (names[3], names[4]) == ("object", "object_reflection")
    assert entries[100]["surface_type"] == "planar_mirror"
    assert entries[1]["visibility"] == "direct"
    assert not {"seen_in", "reflection_of", "real_id"} & entries[1].keys()
    fields = ("visibility", "seen_in", "in_mirror", "reflection_of", "real_id", "counterpart")
    assert [entries[7][name] for name in fields] == ["reflected", [100, 100], 100, 2, 1, "in_frame"]
    assert [entries[6][name] for name in fields[3:]] == [None, None, "out_of_frame"]
    assert summary.links == 5


def test_a_perfect_detector_scores_one(drawn, tmp_path):
    write_coco(drawn, tmp_path / "out")
    coco = opened(tmp_path / "out")
    found = [
        {
            **{key: one[key] for key in ("image_id", "category_id", "bbox")},
            "segmentation": coco.annToRLE(one),
            "score": 0.9,
        }
        for one in coco.anns.values()
    ]
    for kind in ("bbox", "segm"):
        with contextlib.redirect_stdout(io.StringIO()):
            scored = COCOeval(coco, coco.loadRes(found), kind)
            scored.evaluate()
            scored.accumulate()
            scored.summarize()
        assert scored.stats[0] == pytest.approx(1)


def test_our_own_reader_has_nothing_to_say(drawn, tmp_path):
    write_coco(drawn, tmp_path / "out")
    report = check_file(tmp_path / "out/annotations.json")
    assert [one for one in report.findings if one.severity in ("error", "warning")] == []


def test_every_split_has_the_same_ids_of_categories(workspace, tmp_path):
    workspace.put_splits(SceneSplits(scenes={"pic_000": "train", "pic_001": "test"}))
    build_release(workspace, tmp_path / "release")
    categories = {}
    for split in (None, "train", "test"):
        summary = write_coco(tmp_path / "release", tmp_path / "out", split=split)
        coco = opened(tmp_path / "out")
        categories[split] = coco.dataset["categories"]
        shown = {image["split"] for image in coco.imgs.values()}
        assert shown == ({split} if split else {"train", "test"}) == set(summary.by_split)
    assert categories[None] == categories["train"] == categories["test"]
    assert [one["name"] for one in categories[None]] == [
        *("surface", "object", "object_reflection", "cup", "cup_reflection")
    ]
    with pytest.raises(ReleaseError, match=r"expected one of its splits \(train, test\)"):
        write_coco(tmp_path / "release", tmp_path / "out", split="dev")


def test_the_same_release_gives_the_same_bytes_and_the_first_pictures_alone_if_asked(
    drawn, tmp_path
):
    seen: list[tuple[int, int]] = []
    write_coco(drawn, tmp_path / "out", limit=1, progress=lambda *now: seen.append(now))
    assert seen == [(1, 1)]
    assert list(by_name(opened(tmp_path / "out"))) == ["pic_000"]
    write_coco(drawn, tmp_path / "out")
    write_coco(drawn, tmp_path / "again")
    assert files(tmp_path / "out") == files(tmp_path / "again")


@pytest.mark.parametrize("touch", ["change", "add", "theirs"])
def test_what_people_did_in_a_folder_is_never_lost(release, tmp_path, touch):
    out = tmp_path / "out"
    if touch == "theirs":
        (out / "images").mkdir(parents=True)
        (out / "annotations.json").write_text('{"images": []}')
    else:
        write_coco(release, out)
        name = "annotations.json" if touch == "change" else "images/mine.png"
        (out / name).write_text("{}")
    before = files(out)
    with pytest.raises(MiraError, match="out"):
        write_coco(release, out)
    assert files(out) == before


def test_pictures_without_depth_have_none_beside_them(workspace, tmp_path):
    (first, *_) = workspace.views()
    plain = first.model_copy(
        update={"depth_aligned": None, "depth_unit_m": None, "depth_kind": None}
    )
    workspace.put_view(plain, {"color.png": workspace.view_folder(first) / "color.png"})
    build_release(workspace, tmp_path / "release")
    summary = write_coco(tmp_path / "release", tmp_path / "out")
    assert summary.with_depth == 1
    assert by_name(opened(tmp_path / "out"))["pic_000"]["depth_file_name"] is None
    assert [path.name for path in (tmp_path / "out/depth").iterdir()] == ["pic_001.png"]


def test_the_readme_counts_what_is_there_and_its_example_runs(drawn, tmp_path, capsys):
    summary = write_coco(drawn, tmp_path / "out")
    readme = (tmp_path / "out/README.md").read_text("utf-8")
    assert f"| `cup_reflection` | 5 | {summary.by_category['cup_reflection']} |" in readme
    assert "| CC0-1.0 | 2 |" in readme
    (example,) = re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    exec(example.replace("path/to/this/folder", str(tmp_path / "out")), {})
    lines = [line for line in capsys.readouterr().out.splitlines() if " shows " in line]
    assert len(lines) == summary.links


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"image_id": "../../../x"}, "expected letters, digits"),
        ({"image": None}, "picture pic_000: misses something"),
        ({"image": {"bytes": b"text", "path": None}}, "pic_000: expected PNG or JPEG"),
        ({"surfaces": [{"surface_id": 1}]}, "picture pic_000: misses something"),
        ({"links": [{"reflected_id": "x"}]}, "picture pic_000: misses something"),
        ({"image_id": "pic_001"}, "exists"),
    ],
    ids=str,
)
def test_a_damaged_or_hostile_release_is_one_line_and_writes_nothing(
    release, tmp_path, monkeypatch, change, problem
):
    rows = harness.rows_in_order

    def changed(*arguments: Any, **options: Any) -> Any:
        for number, row in enumerate(rows(*arguments, **options)):
            yield row if number else {**row, **change}

    monkeypatch.setattr(harness, "rows_in_order", changed)
    with pytest.raises(MiraError, match=problem):
        write_coco(release, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == []


def test_a_document_is_one_entry_a_line(release, tmp_path):
    write_coco(release, tmp_path / "out")
    text = (tmp_path / "out/annotations.json").read_text("utf-8")
    entries = [line for line in text.splitlines() if line.startswith('{"id":')]
    assert len(entries) == sum(len(json.loads(text)[key]) for key in ("images", "annotations"))


@pytest.mark.parametrize(
    ("to", "file"), [("coco", "annotations.json"), ("questions-json", "questions.json")]
)
def test_the_command_writes_the_folder_and_refuses_flags_without_use(
    release: Path, tmp_path: Path, to: str, file: str
) -> None:
    command = ["export", "tasks", str(release), "--to", to, "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / file).is_file()
    refused = CliRunner().invoke(app, [*command, "--protocol", "visual_mask"])
    assert f"--protocol: is for vlmevalkit or lmms-eval, not for {to}" in str(refused.exception)
