"""Folders for other harnesses: what is in them, and what they never harm."""

from __future__ import annotations

import ast
import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from PIL import Image
from typer.testing import CliRunner

from export.harnesses import selection
from export.harnesses.lmms_eval import write_lmms_eval
from export.harnesses.options import TaskOptions
from export.harnesses.vlmevalkit import write_vlmevalkit
from mira.cli.app import app
from mira.errors import MiraError, ReleaseError
from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import read_questions, read_scenes
from mira.render.question import render_question
from mira.render.style import RenderStyle

WRITERS = pytest.mark.parametrize("write", [write_vlmevalkit, write_lmms_eval])
ALL = TaskOptions(protocol="visual_mask", modality="rgb_dm", color_form="png")
HOSTILE = 'a "quoted"\tthing\r\nNULL\n\'; \\n, é 鏡 \u2028 =1+1'


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def table(folder: Path) -> list[dict[str, str]]:
    (path,) = folder.glob("*.tsv")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def documents(folder: Path) -> list[dict]:
    (path,) = folder.glob("*.jsonl")
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


@pytest.fixture
def changed_questions(monkeypatch):
    """Have every question of a release read with other fields."""

    def _change(**fields):
        def changed(*arguments, **options):
            for row in read_questions(*arguments, **options):
                yield {**row, **fields}

        monkeypatch.setattr(selection, "read_questions", changed)

    return _change


def test_every_question_has_the_pictures_that_the_renderer_makes_in_their_order(
    full_release, tmp_path
):
    write_vlmevalkit(full_release, tmp_path / "kit", options=ALL)
    write_lmms_eval(full_release, tmp_path / "lmms", options=ALL)
    scenes = {row["image_id"]: pictures_of_row(row) for row in read_scenes(full_release)}
    asked = {r["question_id"]: r for r in read_questions(full_release)}
    asked = {
        name: row
        for name, row in asked.items()
        if row["protocol"] == "visual_mask" or row["subtask"] == "cr"
    }
    rows = {row["index"]: row for row in table(tmp_path / "kit")}
    docs = {doc["question_id"]: doc for doc in documents(tmp_path / "lmms")}
    assert rows.keys() == docs.keys() == asked.keys()
    for name, row in asked.items():
        doc = docs[name]
        assert ast.literal_eval(rows[name]["image_path"]) == doc["images"]
        rendered = render_question(
            scenes[row["image_id"]],
            marks_of_row(row),
            protocol="visual_mask",
            modality="rgb_dm",
            style=RenderStyle(),
        )
        assert [picture.role for picture in rendered] == doc["image_roles"]
        for picture, path in zip(rendered, doc["images"], strict=True):
            shown = np.asarray(Image.open(tmp_path / "lmms" / path))
            assert np.array_equal(shown, picture.image_rgb)
    named = {path for doc in docs.values() for path in doc["images"]}
    assert named == {name for name in files(tmp_path / "kit") if name.startswith("images/")}


def test_a_model_is_told_what_each_picture_is_what_is_asked_and_how_to_reply(
    full_release, tmp_path
):
    write_vlmevalkit(full_release, tmp_path / "kit", options=ALL)
    for row in table(tmp_path / "kit"):
        pictures, tint, *lines = row["prompt"].split("\n")
        assert pictures.startswith("The first picture shows the scene.")
        assert ("mask" in pictures) == ("mask" in row["image_roles"])
        assert "green" in tint
        assert lines[0] == row["question"]
        assert lines[-1].startswith("Reply with")
        assert len(lines) - 2 == sum(bool(row[letter]) for letter in "ABCDEF") or (
            row["format"] == "yes_no"
        )


@WRITERS
def test_the_same_release_gives_the_same_bytes_and_replaces_earlier_tasks(
    full_release, tmp_path, write
):
    out = tmp_path / "out"
    write(full_release, out, options=replace(ALL, limit=1))
    first_picture = files(out)
    write(full_release, out, options=ALL)
    (out / "__pycache__").mkdir()
    (out / "__pycache__" / "mira_scoring.cpython-311.pyc").write_bytes(b"code")
    write(full_release, out, options=ALL)
    write(full_release, tmp_path / "again", options=ALL)
    assert files(out) == files(tmp_path / "again")
    assert len(files(out)) > len(first_picture)
    assert json.loads((out / "tasks.json").read_bytes())["files"] == sorted(
        files(out), key=lambda name: (name == "tasks.json", name)
    )
    assert str(tmp_path).encode() not in b"".join(files(out).values())


@WRITERS
@pytest.mark.parametrize("name", ["notes.txt", "images/holiday.jpg", "__pycache__/thesis.docx"])
def test_a_file_of_somebody_elses_is_never_lost(full_release, tmp_path, write, name):
    for folder in ("empty", "tasks"):
        out = tmp_path / folder
        if folder == "tasks":
            write(full_release, out, options=replace(ALL, limit=1))
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("mine")
        before = files(out)
        with pytest.raises(MiraError, match="which would be lost"):
            write(full_release, out, options=ALL)
        assert files(out) == before


def test_a_mark_of_somebody_elses_is_no_mark(full_release, tmp_path):
    for k, text in enumerate(['{"files": ["tasks.json"]}', "[]", "no JSON"]):
        mark = tmp_path / str(k) / "tasks.json"
        mark.parent.mkdir()
        mark.write_text(text)
        with pytest.raises(MiraError, match="which would be lost"):
            write_lmms_eval(full_release, mark.parent, options=ALL)
        assert mark.read_text() == text


@WRITERS
def test_a_fault_on_the_way_leaves_the_earlier_tasks_whole(
    full_release, tmp_path, write, changed_questions
):
    out = tmp_path / "out"
    write(full_release, out, options=ALL)
    before = files(out)
    changed_questions(answer="perhaps")
    with pytest.raises(ReleaseError, match="answer: expected one of format .*, found 'perhaps'"):
        write(full_release, out, options=ALL)
    assert files(out) == before
    assert sorted(path.name for path in tmp_path.iterdir() if "out" in path.name) == ["out"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"format": "essay"}, "format: expected one of the taxonomy, found 'essay'"),
        ({"subtask": "zz"}, "subtask: expected one of the taxonomy, found 'zz'"),
        ({"joint_group": None}, "joint_group: vc is scored jointly, found none"),
        ({"image_id": "gone"}, "questions are about pictures that it does not hold"),
        ({"options": [{"label": "A"}]}, "misses something"),
        ({"marks": [{"label": "A"}]}, "misses something"),
    ],
    ids=str,
)
def test_a_damaged_release_is_one_line(full_release, tmp_path, changed_questions, fields, problem):
    changed_questions(**fields)
    with pytest.raises(ReleaseError, match=problem) as caught:
        write_lmms_eval(full_release, tmp_path / "out", options=ALL)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_table_without_a_column_is_one_line(full_release, tmp_path, monkeypatch):
    def without(*arguments, **options):
        for row in read_questions(*arguments, **options):
            del row["joint_group"]
            yield row

    monkeypatch.setattr(selection, "read_questions", without)
    with pytest.raises(ReleaseError, match="qa: expected a column joint_group, found none"):
        write_lmms_eval(full_release, tmp_path / "out", options=ALL)


def test_a_model_that_says_nothing_at_all_was_heard(full_release, tmp_path):
    write_lmms_eval(full_release, tmp_path / "out", options=ALL)
    path = tmp_path / "out" / "mira_task.py"
    space: dict = {"__file__": str(path), "__name__": "mira_task"}
    exec(path.read_text("utf-8"), space)
    doc = documents(tmp_path / "out")[0]
    said = [
        space["process_results"](doc, [reply])["overall"]["raw_text"]
        for reply in (None, "B", "[LMMS_EVAL_REQUEST_FAILED after 5 retries] time is up")
    ]
    assert said == ["", "B", None]


def test_hostile_text_survives_the_tsv_as_the_kit_reads_it(
    full_release, tmp_path, changed_questions
):
    options = [{"label": letter, "value": letter, "text": HOSTILE + letter} for letter in "AB"]
    changed_questions(question=HOSTILE, options=options, answer="B", format="single_choice")
    summary = write_vlmevalkit(full_release, tmp_path / "kit", options=ALL)
    # As `vlmeval.smp.load` does.
    read = pd.read_csv(tmp_path / "kit" / f"{summary.name}.tsv", sep="\t")
    assert len(read) == sum(summary.questions.values())
    assert set(read["question"]) == {HOSTILE}
    assert set(read["B"]) == {HOSTILE + "B"}
    assert all(f"A. {HOSTILE}A\nB. {HOSTILE}B\n" in prompt for prompt in read["prompt"])
    write_lmms_eval(full_release, tmp_path / "lmms", options=ALL)
    assert all(f"{HOSTILE}\nA. " in doc["prompt"] for doc in documents(tmp_path / "lmms"))


def test_questions_whose_picture_has_no_depth_are_refused_or_counted(
    full_release, tmp_path, monkeypatch
):
    def without(*arguments, **options):
        for row in read_scenes(*arguments, **options):
            gone = {"depth": None, "depth_sha256": None} if row["image_id"] == "pic_000" else {}
            yield {**row, **{name: value for name, value in gone.items() if name in row}}

    monkeypatch.setattr(selection, "read_scenes", without)
    with pytest.raises(ReleaseError, match="expected depth for modality 'rgb_dm', found 30 of 60"):
        write_lmms_eval(full_release, tmp_path / "out", options=ALL)
    skipping = replace(ALL, missing_depth="skip")
    summary = write_lmms_eval(full_release, tmp_path / "out", options=skipping)
    assert summary.without_depth > 0
    assert f"Left out: {summary.without_depth} questions" in (
        tmp_path / "out" / "README.md"
    ).read_text("utf-8")
    whole = write_lmms_eval(full_release, tmp_path / "out", options=replace(ALL, modality="rgb_m"))
    assert sum(whole.questions.values()) == sum(summary.questions.values()) + summary.without_depth


@pytest.mark.parametrize("harness", ["vlmevalkit", "lmms-eval"])
def test_the_command_tells_what_it_wrote_and_where(full_release, tmp_path, harness):
    out = tmp_path / "out"
    words = ["export", "tasks", str(full_release), "--to", harness, "--out", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "60 questions" in done.stdout
    assert "writing tasks: 2/2" in done.stderr
    assert f"Tasks: {out}" in done.stderr
    document = json.loads(CliRunner().invoke(app, [*words, "--limit", "1", "--json"]).stdout)
    assert document["to"] == harness
    assert document["name"] in (out / "README.md").read_text("utf-8")
    assert all(path.endswith(".jpg") for path in files(out) if path.startswith("images/"))
    for flag, value, problem in (
        ("--split", "dev", r"its splits \(test\), found 'dev'"),
        ("--out", str(out / "README.md"), "expected a folder, found a file"),
    ):
        fault = CliRunner().invoke(app, [*words, flag, value])
        assert isinstance(fault.exception, MiraError)
        assert re.search(problem, str(fault.exception))


def test_the_task_file_names_functions_that_the_folder_has(full_release, tmp_path):
    write_lmms_eval(full_release, tmp_path / "out", options=ALL)
    (path,) = (tmp_path / "out").glob("*.yaml")

    class Loader(yaml.SafeLoader):
        """Reads functions as their names."""

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    task = yaml.load(path.read_bytes(), Loader)
    (data,) = task["dataset_kwargs"]["data_files"].values()
    assert (path.parent / data).is_file()
    functions = {task[name] for name in task if name.startswith(("doc_to", "process"))}
    functions |= {figure["aggregation"] for figure in task["metric_list"]}
    space: dict = {"__file__": str(path.parent / "mira_task.py"), "__name__": "mira_task"}
    exec((path.parent / "mira_task.py").read_text("utf-8"), space)
    for function in functions:
        module, name = function.split(".")
        assert module == "mira_task"
        assert callable(space.get(name) or space["__getattr__"](name))
