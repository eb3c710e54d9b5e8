"""A release goes out in the published layout, as the workspace it was built from does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest

import export.harnesses.questions_json as harness
from export.build import build_release
from export.harnesses.questions_json import write_questions_json
from mira.errors import MiraError, ReleaseError
from mira.item_pictures import WorkspacePictures
from mira.published.writing import write_published
from mira.release.items import items_of_rows
from mira.release.reader import read_questions, read_scenes
from mira.render.style import RenderStyle
from mira.schema.export import SceneSplits
from mira.schema.qa import Mark, Option, QAItem, Wording
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.published.asked import asked_pictures
from qa_gen.published.items import published_items
from qa_gen.published.reading import read_published

INSTANCES = {"X": 2, "Y": 1, "X1": 2, "X2": 4}
ANSWERS: dict[str, dict[str, Any]] = {
    "yes_no": {"value": "no"},
    "single_choice": {"value": "B"},
    "spatial_3d_axes": {"horizontal": "left", "vertical": "aligned", "depth": "behind"},
    "count": {"value": 3},
    "single_choice_plus_text": {"value": "C", "text": "a red “sticker” | on its back"},
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def entries(out: Path) -> list[dict[str, Any]]:
    return json.loads((out / "questions.json").read_bytes())


def item_like(known: QAItem, boxes: dict[int, Any], template_id: str) -> QAItem:
    """An item of another template about the picture of a known one."""
    row = taxonomy().template(template_id)
    values = taxonomy().option_sets.get(row.options or "", ())
    lettered = row.format.startswith("single_choice")
    options = tuple(
        Option(label=letter if lettered else value.replace("_", " "), value=value)
        for letter, value in zip(ascii_uppercase, values, strict=False)
        if isinstance(values, tuple)
    )
    marks = tuple(
        Mark(label=slot, instance_id=(k := INSTANCES[slot]), role="slot", box_xyxy_px=boxes[k])
        for slot in row.slots
    )
    protocols = [wording.protocol for wording in known.wordings]
    parameters = {"count_max": 9, "threshold_m": 0.1} if row.format == "count" else {}
    item = {
        **known.model_dump(),
        "item_id": f"{template_id}-{known.image_id}",
        "template_id": template_id,
        "direction": taxonomy().directions[row.directions][0] if row.directions else None,
        "marks": marks,
        "options": options,
        "answer": {"format": row.format, **ANSWERS[row.format]},
        "joint_group": None,
        "margin": 0.25,
        "wordings": [
            Wording(
                protocol=protocol,
                question=f"Which “{protocol}”?",
                option_texts=tuple(option.value.replace("_", " ") for option in options),
            )
            for protocol in (protocols if marks else protocols[:1])
        ],
        "derivation": known.derivation.model_copy(update={"parameters": parameters}),
    }
    return QAItem.model_validate(item)


def ask_everything(workspace: Workspace) -> Workspace:
    """Give each picture an item of every template, the spatial ones among them."""
    known = list(workspace.items())
    asked = {item.template_id for item in known}
    others = [row.id for row in taxonomy().templates if row.id not in asked]
    items: list[QAItem] = []
    for image_id in dict.fromkeys(item.image_id for item in known):
        own = [item for item in known if item.image_id == image_id]
        boxes = {mark.instance_id: mark.box_xyxy_px for item in own for mark in item.marks}
        items += own
        items += [item_like(own[0], boxes, template_id) for template_id in others]
    summary = workspace.qa_summary()
    assert summary is not None
    workspace.put_questions(items, summary=lambda: summary)
    return workspace


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    """Three pictures with questions of all fourteen templates."""
    return ask_everything(make_workspace(pictures=3))


def from_workspace(workspace: Workspace, out: Path, **options: Any) -> None:
    asked = asked_pictures(workspace.items(), WorkspacePictures(workspace))
    write_published(asked, out, **{"style": RenderStyle(), **options})


def test_rows_of_a_release_are_the_items_of_its_workspace(workspace, tmp_path):
    build_release(workspace, tmp_path / "release")
    found = list(items_of_rows(read_questions(tmp_path / "release")))
    assert found == list(workspace.items())
    assert {item.template_id for item in found} == {row.id for row in taxonomy().templates}


def test_releases_of_older_programs_have_no_words_of_answers(workspace, tmp_path):
    build_release(workspace, tmp_path / "release")
    rows = [
        {name: value for name, value in row.items() if name != "answer_words"}
        for row in read_questions(tmp_path / "release")
    ]
    for before, after in zip(workspace.items(), items_of_rows(rows), strict=True):
        if before.template_id == "mpac_001":
            assert (after.answer.value, after.answer.text) == (before.answer.value, None)
        else:
            assert after == before


@pytest.mark.parametrize(
    "options",
    [{}, {"color_form": "png", "style": RenderStyle(line_px=6, depth_map="gray")}],
    ids=["as-ever", "other-looks"],
)
def test_a_release_and_its_workspace_give_the_same_bytes_file_by_file(workspace, tmp_path, options):
    build_release(workspace, tmp_path / "release")
    from_workspace(workspace, tmp_path / "ours", **options)
    summary = write_questions_json(tmp_path / "release", tmp_path / "out", **options)
    assert files(tmp_path / "out") == files(tmp_path / "ours")
    assert summary.items == sum(1 for _ in workspace.items())
    assert (summary.pictures, summary.rejected, summary.wordless) == (3, 0, 0)


def test_splits_do_not_change_the_order(workspace, tmp_path):
    scenes = {"pic_000": "test", "pic_001": "train", "pic_002": "test"}
    workspace.put_splits(SceneSplits(scenes=scenes))
    release = tmp_path / "release"
    build_release(workspace, release)
    assert [row["image_id"] for row in read_scenes(release)] == ["pic_001", "pic_000", "pic_002"]
    from_workspace(workspace, tmp_path / "ours")
    write_questions_json(release, tmp_path / "out")
    assert files(tmp_path / "out") == files(tmp_path / "ours")
    seen: list[tuple[int, int]] = []
    write_questions_json(
        release, tmp_path / "out", split="test", progress=lambda *now: seen.append(now)
    )
    assert {entry["image_name"] for entry in entries(tmp_path / "out")} == {
        "pic_000.png",
        "pic_002.png",
    }
    assert seen == [(1, 2), (2, 2)]
    with pytest.raises(ReleaseError, match=r"expected one of its splits \(train, test\)"):
        write_questions_json(release, tmp_path / "out", split="dev")


def test_several_processes_and_the_first_pictures_alone_give_the_same_bytes(workspace, tmp_path):
    build_release(workspace, tmp_path / "release")
    write_questions_json(tmp_path / "release", tmp_path / "one", limit=2)
    write_questions_json(tmp_path / "release", tmp_path / "two", limit=2, workers=2)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert {entry["image_name"] for entry in entries(tmp_path / "one")} == {
        "pic_000.png",
        "pic_001.png",
    }


def test_the_layout_is_read_without_a_finding(workspace, tmp_path):
    build_release(workspace, tmp_path / "release")
    write_questions_json(tmp_path / "release", tmp_path / "out")
    file = read_published(tmp_path / "out")
    read = published_items(file.questions, where="questions.json")
    assert file.findings == read.findings == ()
    for before, after in zip(workspace.items(), read.items, strict=True):
        assert (before.item_id, before.answer, before.wordings, before.joint_group) == (
            after.item_id,
            after.answer,
            after.wordings,
            after.joint_group,
        )


def test_pictures_without_depth_go_out_alike(workspace, tmp_path):
    (first, *_) = workspace.views()
    plain = first.model_copy(
        update={"depth_aligned": None, "depth_unit_m": None, "depth_kind": None}
    )
    workspace.put_view(plain, {"color.png": workspace.view_folder(first) / "color.png"})
    build_release(workspace, tmp_path / "release")
    from_workspace(workspace, tmp_path / "ours")
    write_questions_json(tmp_path / "release", tmp_path / "out")
    assert files(tmp_path / "out") == files(tmp_path / "ours")
    assert not list((tmp_path / "out/images/depth_colorized").glob("pic_000*"))
    assert list((tmp_path / "out/images/depth_colorized").glob("pic_001*"))


def test_a_folder_with_anything_else_in_it_is_left_alone(release, tmp_path):
    write_questions_json(release, tmp_path / "out")
    before = files(tmp_path / "out")
    write_questions_json(release, tmp_path / "out")
    assert files(tmp_path / "out") == before
    (tmp_path / "out/notes.txt").write_text("mine")
    with pytest.raises(MiraError, match=r"holds 'notes\.txt', which would be lost"):
        write_questions_json(release, tmp_path / "out")
    with pytest.raises(ReleaseError, match="is no release"):
        write_questions_json(tmp_path, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def changed(table: Any, **change: Any) -> Callable[..., Any]:
    """A reader of a table whose first row is another."""

    def read(*arguments: Any, **options: Any) -> Any:
        for number, row in enumerate(table(*arguments, **options)):
            yield row if number else {**row, **{k: v for k, v in change.items() if k in row}}

    return read


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"image_id": "../../../x"}, "expected letters, digits"),
        ({"image": None}, "picture pic_000: misses something"),
        ({"surfaces": [{"surface_id": 1}]}, "picture pic_000: misses something"),
        ({"options": None}, "misses something"),
        ({"answer": "nine", "format": "count"}, r"answer\.count\.value"),
        ({"derivation": {"parameters": "{"}}, "misses something"),
    ],
    ids=str,
)
def test_a_damaged_or_hostile_release_is_one_line_and_writes_nothing(
    release, tmp_path, monkeypatch, change, problem
):
    monkeypatch.setattr(harness, "rows_in_order", changed(harness.rows_in_order, **change))
    with pytest.raises(MiraError, match=problem):
        write_questions_json(release, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == []


def test_questions_that_are_in_another_order_than_their_pictures_are_not_dropped(
    release, tmp_path, monkeypatch
):
    rows = harness.rows_in_order

    def turned(release, config, *, split):
        found = rows(release, config, split=split)
        return reversed(list(found)) if config == "qa" else found

    monkeypatch.setattr(harness, "rows_in_order", turned)
    with pytest.raises(ReleaseError, match="'pic_000' are not in the order of the pictures"):
        write_questions_json(release, tmp_path / "out")
