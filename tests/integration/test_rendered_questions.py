"""What `mira qa render` writes is what a model is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from mira.cli.app import app
from mira.errors import MiraError
from mira.item_pictures import WorkspacePictures
from mira.render.source import decode_color
from mira.render.style import RenderStyle
from mira.render.style_settings import parse_sweep
from mira.taxonomy.catalogue import taxonomy
from qa_gen.rendering.choice import choose_items
from qa_gen.rendering.records import RenderPagePolicy, RenderRecord
from qa_gen.rendering.writing import write_renders

STYLES = parse_sweep((), base=RenderStyle())


def render(workspace, out: Path, **options: Any):
    options = {
        "protocol": "visual_bbox",
        "modality": "rgb_dm",
        "styles": STYLES,
        "policy": RenderPagePolicy(),
        **options,
    }
    items = options.pop("items", None) or list(workspace.items())
    return write_renders(items, WorkspacePictures(workspace), out, **options)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def record(out: Path) -> RenderRecord:
    return RenderRecord.from_json((out / "meta.json").read_bytes(), where=out)


@pytest.mark.parametrize("protocol", [row.id for row in taxonomy().protocols])
@pytest.mark.parametrize("modality", ["rgb", "rgb_dm"])
def test_pictures_are_those_that_mira_load_gives(make_workspace, tmp_path, protocol, modality):
    import mira
    from export.build import build_release

    workspace = make_workspace(pictures=1)
    build_release(workspace, tmp_path / "release")
    loaded = mira.load(tmp_path / "release", protocol=protocol, modality=modality)
    render(workspace, tmp_path / "out", protocol=protocol, modality=modality)
    rendered = {one.question_id: one for one in record(tmp_path / "out").questions}
    assert len(rendered) == len(loaded)
    for row in loaded:
        question = rendered[row["question_id"]]
        assert [file.role for file in question.pictures] == row["image_roles"]
        assert question.prompt.startswith(row["question"])
        for file, image in zip(question.pictures, row["images"], strict=True):
            written = decode_color((tmp_path / "out" / file.path).read_bytes())
            np.testing.assert_array_equal(written, np.asarray(image))


def test_the_text_is_written_beside_the_pictures_and_tells_no_answer(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    render(workspace, tmp_path / "out")
    item = next(item for item in workspace.items() if item.template_id == "mc_001")
    folder = tmp_path / "out/questions" / f"{item.item_id}-visual_bbox"
    assert sorted(path.name for path in folder.iterdir()) == [
        "1-rgb.png",
        "2-depth.png",
        "prompt.txt",
    ]
    wording = next(one for one in item.wordings if one.protocol == "visual_bbox")
    lines = [f"{o.label}. {t}" for o, t in zip(item.options, wording.option_texts, strict=True)]
    assert (folder / "prompt.txt").read_text().splitlines() == [wording.question, *lines]
    assert "answer" not in (tmp_path / "out/meta.json").read_text()


def test_the_range_of_depth_is_told(make_workspace, tmp_path):
    render(make_workspace(pictures=1), tmp_path / "out")
    depth = record(tmp_path / "out").questions[0].pictures[1].metadata.depth
    assert (depth.unit, depth.color_map) == ("m", "jet")
    assert f"from {depth.near:.2f} to {depth.far:.2f} m" in (tmp_path / "out/index.html").read_text(
        "utf-8"
    )


def test_the_same_gives_the_same_bytes(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    for name in ("one", "two"):
        render(workspace, tmp_path / name)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_sweep_has_a_folder_a_style_and_all_of_them_side_by_side(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    styles = parse_sweep(["color=red,lime", "thickness=2,8"], base=RenderStyle())
    summary = render(workspace, tmp_path / "out", styles=styles, items=list(workspace.items())[:1])
    names = ["color-red_thickness-2", "color-red_thickness-8"]
    names += ["color-lime_thickness-2", "color-lime_thickness-8"]
    assert {path.name for path in (tmp_path / "out/questions").iterdir()} == set(names)
    assert (summary.items, summary.styles, summary.pictures) == (1, 4, 8)
    first = {one.style: one.pictures[0] for one in record(tmp_path / "out").questions}
    assert list(first) == names
    data = {(tmp_path / "out" / file.path).read_bytes() for file in first.values()}
    assert len(data) == 4
    page = (tmp_path / "out/index.html").read_text("utf-8")
    for title in ("color red, thickness 2", "color lime, thickness 8"):
        assert page.count(f"<h3>{title}</h3>") == 1


def test_the_page_needs_no_other_file_and_links_the_full_pictures(make_workspace, tmp_path):
    render(make_workspace(pictures=1), tmp_path / "out")
    page = (tmp_path / "out/index.html").read_text("utf-8")
    assert 'src="' in page
    assert all(part.startswith("data:image/jpeg;") for part in page.split('src="')[1:])
    for part in page.split('<a href="')[1:]:
        assert (tmp_path / "out" / part.split('"')[0]).is_file()


def test_hostile_words_stand_on_the_page_as_words(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    (item, *_) = workspace.items()
    wording = item.wordings[0].model_copy(
        update={"question": "<script>alert(1)</script> & {{ 7 }}"}
    )
    hostile = item.model_copy(update={"wordings": (wording,)})
    render(workspace, tmp_path / "out", items=[hostile], protocol=wording.protocol)
    page = (tmp_path / "out/index.html").read_text("utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{ 7 }}" in page


def test_a_page_that_is_full_says_so_and_the_folder_has_all(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    summary = render(workspace, tmp_path / "out", policy=RenderPagePolicy(max_thumbnails=4))
    assert (summary.on_page, summary.items) == (2, len(record(tmp_path / "out").questions))
    assert "2 of them are on this page" in (tmp_path / "out/index.html").read_text("utf-8")


def test_items_are_taken_in_turn_from_each_template(make_workspace):
    items = list(make_workspace(pictures=2).items())
    chosen = choose_items(items, protocol="visual_bbox", limit=7)
    counts = dict.fromkeys(sorted({item.template_id for item in items}), 0)
    for item in chosen.items:
        counts[item.template_id] += 1
    assert sorted(counts.values()) == [1, 1, 1, 1, 1, 2]
    assert (chosen.available, chosen.without_wording) == (len(items), 0)
    assert [items.index(item) for item in chosen.items] == sorted(map(items.index, chosen.items))


def test_items_that_are_named_are_taken_and_unknown_ones_told(make_workspace):
    items = list(make_workspace(pictures=1).items())
    chosen = choose_items(items, protocol="visual_bbox", item_ids=[items[3].item_id])
    assert chosen.items == (items[3],)
    with pytest.raises(MiraError, match="nobody: is no item of this workspace"):
        choose_items(items, protocol="visual_bbox", item_ids=["nobody"])


def test_what_points_at_nothing_is_shown_in_every_protocol(make_workspace, tmp_path):
    workspace = make_workspace(pictures=1)
    (item, *_) = workspace.items()
    pointless = item.model_copy(update={"marks": (), "wordings": item.wordings[:1]})
    chosen = choose_items([pointless], protocol="visual_mask")
    render(workspace, tmp_path / "out", items=chosen.items, protocol="visual_mask")
    (question,) = record(tmp_path / "out").questions
    assert question.question_id == f"{item.item_id}-bbox_text"
    assert [file.role for file in question.pictures] == ["rgb", "depth"]


def test_a_protocol_without_wordings_is_told(make_workspace):
    items = [item.model_copy(update={"wordings": ()}) for item in make_workspace().items()]
    with pytest.raises(MiraError, match="expected an item to render, found none"):
        choose_items(items, protocol="visual_bbox")


def test_the_command_renders_and_replaces_only_what_it_wrote(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=1), tmp_path / "out"
    command = ["qa", "render", str(workspace.root), "--out", str(out), "--limit", "2"]
    for _ in range(2):
        told = CliRunner().invoke(app, [*command, "--sweep", "labels=always,never"])
        assert told.exit_code == 0, told.output
    assert "8 pictures of 2 of" in told.stdout
    told = CliRunner().invoke(app, [*command, "--json"])
    assert json.loads(told.stdout)["pictures"] == 4
    (out / "notes.txt").write_text("mine")
    told = CliRunner().invoke(app, command)
    assert isinstance(told.exception, MiraError)
    assert (out / "notes.txt").is_file()
