"""Episodes go out as tables beside pictures and questions, or alone."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import subprocess
import sys

import cv2
import datasets
import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import export.building.cuts as cuts
from export.build import build_release
from export.building.running import Execution
from export.diff import diff_releases
from export.verify import verify_release
from mira.cli.app import app
from mira.errors import EpisodeError, ExportError
from mira.release.columns import features
from mira.release.digest import RULE, combined_digest
from mira.release.episode_rows import episode_of_row, step_of_row, tom_of_row
from mira.release.reader import INFO_PATH, read_info, read_rows
from mira.schema.episode import (
    Episode,
    EpisodeAgent,
    EpisodeMoment,
    EpisodeRun,
    MosaicDetails,
    ReachDetails,
    TomDetails,
    TomItem,
)
from mira.schema.qa import Option
from mira.schema.record import FileRef, Provenance
from mira.schema.step import MirrorStep, MosaicStep
from mira.store.episodes import EpisodeStore


def _png(seed):
    noise = np.random.default_rng(seed).integers(0, 255, (24, 32, 3), dtype=np.uint8)
    return cv2.imencode(".png", noise)[1].tobytes()


def _reach(episode_id, moves=3):
    episode = Episode(
        episode_id=episode_id,
        task="mira/MirrorReach-v0",
        seed=7,
        agents=(EpisodeAgent(role="agent", name="scripted"),),
        model="provider/model",
        num_steps=moves,
        max_steps=moves,
        success=False,
        termination="max_steps",
        details=ReachDetails(
            level=2,
            body="male_0",
            hand="bare",
            mark="dot",
            setting="human",
            threshold_m=0.1,
            step_m=0.1,
            d0_m=1.0,
            prompt="Touch the mark.",
        ),
    )
    pictures = {f"{k}.png": _png(k) for k in range(1, moves + 1)}
    steps = [
        MirrorStep(
            episode_id=episode_id,
            step=k,
            image=FileRef(
                path=f"{k}.png",
                sha256=hashlib.sha256(pictures[f"{k}.png"]).hexdigest(),
                size_bytes=len(pictures[f"{k}.png"]),
            ),
            action="up" if k > 1 else None,
            raw_reply="up" if k > 1 else "I cannot say",
            legal=True if k > 1 else None,
            hand_world_m=(0, 0, 0.1 * k),
            mark_world_m=(0, 0, 2),
            manhattan_m=2 - 0.1 * k,
            terminated=False,
            truncated=k == moves,
        )
        for k in range(1, moves + 1)
    ]
    return episode, steps, pictures


def _mosaic(episode_id):
    episode = Episode(
        episode_id=episode_id,
        task="mira/Treasure-v0",
        seed=None,
        agents=(
            EpisodeAgent(role="subject", name="honest"),
            EpisodeAgent(role="participant", name="attentive"),
        ),
        model=None,
        num_steps=10,
        max_steps=10,
        success=True,
        termination="completed",
        details=MosaicDetails(
            mode="competitive",
            tom_order=1,
            boxes_cells=((2, 0), (-2, 0)),
            reward_box=1,
            choice=1,
            participant_score=1,
            subject_score=-1,
        ),
    )
    steps = [
        MosaicStep(
            episode_id=episode_id,
            round=k,
            role=role,
            position_cells=(0, k / 3),
            preference_boxes=(0.1, -0.7),
            move="stay_idle",
            utterance="the light one" if k == 3 else None,
            raw_replies=("{}", "again"),
        )
        for k in range(1, 11)
        for role in ("subject", "participant")
    ]
    return episode, steps, {}


def _story(episode_id):
    episode = Episode(
        episode_id=episode_id,
        task="mira/Story-v0",
        seed=None,
        agents=(EpisodeAgent(role="agent", name="human"),),
        model=None,
        num_steps=1,
        max_steps=None,
        success=True,
        termination="completed",
        details=TomDetails(source="tales", story_id="1"),
    )
    return episode, [], {}


def _items():
    options = (Option(label="A", value="the box"), Option(label="B", value="the bag"))
    shared = {"question": "Where will she look?", "options": options, "answer": "A", "order": 1}
    return [
        TomItem(item_id="t1", story="She left.", kind="belief", source="tales", **shared),
        TomItem(
            item_id="t2",
            moment=EpisodeMoment(episode_id="m-000", step=3, role="participant"),
            kind="action",
            source="treasure",
            licence="CC-BY-NC-4.0",
            **shared,
        ),
    ]


@pytest.fixture
def run(tmp_path):
    """A folder with episodes of all families and two questions."""
    provenance = Provenance(tool="tests", tool_version="1")
    record = EpisodeRun(name="trial", licence="CC-BY-4.0", provenance=provenance)
    store = EpisodeStore.create(tmp_path / "run", record)
    for made in (*(_reach(f"r-{k:03d}") for k in range(3)), _mosaic("m-000"), _story("s-000")):
        episode, steps, pictures = made
        store.put(episode, steps, pictures=pictures)
    store.put_tom_items(_items())
    return store


@pytest.fixture
def released(run, tmp_path):
    build_release(None, tmp_path / "out" / "release", runs=[run])
    return tmp_path / "out" / "release"


def _rows(release, table):
    return [{k: v for k, v in row.items() if k != "split"} for row in read_rows(release, table)]


def test_every_record_comes_back_from_its_row(released, run):
    episodes = [episode_of_row(row) for row in read_rows(released, "episodes")]
    assert episodes == [run.episode(episode_id) for episode_id in run.episode_ids()]
    for table, family in (("mirror_steps", "mirror_reach"), ("mosaic_steps", "mosaic")):
        found = [step_of_row(table, row) for row in read_rows(released, table)]
        kept = [one for one in episodes if one.family == family]
        expected = [step for one in kept for step in run.steps(one)]
        assert found == [step.model_copy(update={"image": None}) for step in expected]
    licensed = [
        item.model_copy(update={"licence": item.licence or "CC-BY-4.0"}) for item in _items()
    ]
    assert [tom_of_row(row) for row in read_rows(released, "tom_qa")] == licensed


def test_pictures_of_steps_are_the_very_files(released, run):
    rows = _rows(released, "mirror_steps")
    assert len(rows) == 9
    assert [row["image"]["bytes"] for row in rows[:3]] == [_png(1), _png(2), _png(3)]
    assert rows[0]["image"]["path"] == "r-000_0001.png"


@pytest.mark.parametrize("table", ["episodes", "mirror_steps", "mosaic_steps", "tom_qa"])
def test_load_dataset_reads_every_table(released, table):
    loaded = datasets.load_dataset(str(released), table, split="test")
    assert loaded.features == features(table)
    assert len(loaded) == len(_rows(released, table))


@pytest.mark.parametrize("table", ["episodes", "mirror_steps", "mosaic_steps", "tom_qa"])
def test_rows_fit_the_schema_beside_them(released, table):
    jsonschema = pytest.importorskip("jsonschema", reason="needs the package `jsonschema`")
    document = json.loads((released / "meta" / "rows.schema.json").read_text())
    validator = jsonschema.Draft202012Validator({**document, "$ref": f"#/$defs/{table}"})
    for row in _rows(released, table):
        if row.get("image"):
            row["image"]["bytes"] = base64.b64encode(row["image"]["bytes"]).decode()
        validator.validate(row)
    assert not validator.is_valid({**row, "more": 1})


@pytest.mark.skipif(
    importlib.util.find_spec("mlcroissant") is None, reason="needs the package `mlcroissant`"
)
def test_a_croissant_reader_takes_episodes(released):
    program = (
        "import sys, mlcroissant\n"
        "rows = list(mlcroissant.Dataset(sys.argv[1]).records('mosaic_steps'))\n"
        "print(len(rows), rows[0]['mosaic_steps/episode_id'].decode())\n"
    )
    # In a process of its own: what it is made of warns of itself.
    command = [sys.executable, "-W", "ignore", "-c", program, str(released / "croissant.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "20 m-000\n", done.stderr


def test_episodes_alone_hold_what_they_say(released):
    assert verify_release(released) == ()
    card = (released / "README.md").read_text()
    assert "load_dataset" in card
    assert '"qa"' not in card
    assert "CC-BY-NC-4.0" in card
    assert "license: other" in card


def test_episodes_go_out_beside_questions(make_workspace, run, tmp_path):
    info = build_release(make_workspace(), tmp_path / "both", runs=[run])
    assert [config.name for config in info.configs] == [
        *("qa", "scenes", "qa_preview", "episodes", "mirror_steps", "mosaic_steps", "tom_qa")
    ]
    assert {found.severity for found in verify_release(tmp_path / "both")} == {"warning"}
    assert "question" in datasets.load_dataset(str(tmp_path / "both"), split="test").column_names


def test_several_processes_write_the_same_bytes(run, released, tmp_path, monkeypatch):
    build_release(None, tmp_path / "two" / "release", runs=[run], execution=Execution(tasks=2))
    first, second = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (released, tmp_path / "two" / "release")
    )
    assert first == second
    monkeypatch.setattr(cuts, "SHARD_BYTES", 5000)
    cut = build_release(None, tmp_path / "cut" / "release", runs=[run])
    steps = next(config for config in cut.configs if config.name == "mirror_steps")
    assert len(steps.splits[0].files) > 1
    assert cut.digest == read_info(released).digest


@pytest.mark.parametrize("tasks", [1, 2])
@pytest.mark.parametrize("order", [1, -1])
def test_a_run_without_licence_stays_out_of_a_final_release(run, tmp_path, order, tasks):
    record = EpisodeRun(name="open", provenance=Provenance(tool="tests", tool_version="1"))
    store = EpisodeStore.create(tmp_path / "open", record)
    store.put(*_story("s-900")[:2])
    item = _items()[0].model_copy(update={"item_id": "t9"})
    store.put_tom_items([item])
    runs, several = [run, store][::order], Execution(tasks=tasks)
    info = build_release(None, tmp_path / "rel", runs=runs, stage="final", execution=several)
    assert info.left_out == {
        "episodes of runs without licence": 1,
        "questions of runs without licence": 1,
        "runs without licence": 1,
    }
    assert verify_release(tmp_path / "rel") == ()
    assert {row["run"] for row in read_rows(tmp_path / "rel", "episodes")} == {"trial"}
    assert len(list(read_rows(tmp_path / "rel", "tom_qa"))) == 2
    build_release(None, tmp_path / "draft", runs=runs)
    assert {found.code for found in verify_release(tmp_path / "draft")} == {"licence-open"}
    with pytest.raises(ExportError, match="nothing may go out"):
        build_release(None, tmp_path / "none", runs=[store], stage="final")


def test_runs_that_hold_nothing_are_no_release(run, tmp_path):
    record = EpisodeRun(name="empty", provenance=Provenance(tool="tests", tool_version="1"))
    store = EpisodeStore.create(tmp_path / "empty", record)
    with pytest.raises(ExportError, match="nothing may go out: the runs are empty"):
        build_release(None, tmp_path / "release", runs=[store])


def test_a_question_about_a_moment_that_does_not_go_out_is_refused(run, tmp_path):
    record = EpisodeRun(name="other", licence="CC0-1.0", provenance=run.run().provenance)
    store = EpisodeStore.create(tmp_path / "other", record)
    store.put_tom_items([_items()[1].model_copy(update={"item_id": "t7"})])
    with pytest.raises(ExportError, match="t7 is about m-000, step 3, which does not go out"):
        build_release(None, tmp_path / "release", runs=[store])
    build_release(None, tmp_path / "release", runs=[store, run])


def test_episodes_that_were_changed_by_hand_are_refused(run, tmp_path):
    path = run.root / "episodes" / "r-001" / "steps.jsonl"
    path.write_text(path.read_text().replace("I cannot say", "I can say so"))
    with pytest.raises(EpisodeError, match=r"steps\.jsonl: is not what was written"):
        build_release(None, tmp_path / "release", runs=[run])


def test_the_same_episode_in_two_runs_is_refused(run, tmp_path):
    record = EpisodeRun(name="more", provenance=Provenance(tool="tests", tool_version="1"))
    store = EpisodeStore.create(tmp_path / "more", record)
    store.put(*_story("s-000")[:2])
    with pytest.raises(ExportError, match=f"expected 's-000' once, found it in {run.root} too"):
        build_release(None, tmp_path / "release", runs=[run, store])


def test_what_one_model_did_in_two_tasks_goes_into_one_release(run, tmp_path):
    more = EpisodeStore.create(tmp_path / "more", run.run())
    more.put(*_story("s-009")[:2])
    build_release(None, tmp_path / "release", runs=[run, more])
    assert {one["run"] for one in _rows(tmp_path / "release", "episodes")} == {run.run().name}


def test_a_picture_that_changed_is_refused(run, tmp_path):
    path = run.root / "episodes" / "r-001" / "2.png"
    path.write_bytes(_png(99))
    with pytest.raises(EpisodeError, match=r"r-001: 2\.png: is not what was written"):
        build_release(None, tmp_path / "release", runs=[run])


@pytest.mark.parametrize(
    ("table", "change", "code"),
    [
        ("episodes", lambda rows: [rows[0], {**rows[1], "success": True}], "row-malformed"),
        ("episodes", lambda rows: [rows[0], *rows], "duplicate-id"),
        ("episodes", lambda rows: rows[1:], "steps-without-episode"),
        ("mirror_steps", lambda rows: rows[1:], "steps-not-of-episode"),
        ("mirror_steps", lambda rows: rows[3:], "steps-not-of-episode"),
        ("mirror_steps", lambda rows: [rows[1], rows[0], *rows[2:]], "steps-not-of-episode"),
        (
            "mirror_steps",
            lambda rows: [{**rows[0], "manhattan_m": 9.0}, *rows[1:]],
            "row-malformed",
        ),
        ("mosaic_steps", lambda rows: rows[:-1], "steps-not-of-episode"),
        ("tom_qa", lambda rows: [{**rows[0], "answer": "C"}, *rows[1:]], "row-malformed"),
        ("tom_qa", lambda rows: [rows[0], {**rows[1], "step": 11}], "moment-missing"),
        ("tom_qa", lambda rows: [rows[0], rows[0]], "duplicate-id"),
    ],
)
def test_what_could_not_have_happened_is_found(released, write_table, table, change, code):
    info = read_info(released)
    rows = change(_rows(released, table))
    for path in (released / table).iterdir():
        path.unlink()
    written = write_table(released, table, {"test": rows})
    configs = tuple(written if one.name == table else one for one in info.configs)
    digest = combined_digest((config.name, config.digest) for config in configs)
    # The card names other files, which is not what is tried here.
    from export.card import write_card
    from mira.store.atomic import file_ref

    card = write_card(released, name="n", digest=digest, configs=configs, statistics={})
    changed = info.model_copy(
        update={
            "configs": configs,
            "digest": digest,
            "digest_rule": RULE,
            "card": file_ref(card, relative_to=released),
        }
    )
    (released / INFO_PATH).write_bytes(changed.to_json())
    assert code in {found.code for found in verify_release(released)}


def test_a_changed_episode_is_told_by_its_fields(run, released, tmp_path):
    episode, steps, pictures = _reach("r-001")
    run.put(
        episode, [steps[0].model_copy(update={"raw_reply": "?"}), *steps[1:]], pictures=pictures
    )
    build_release(None, tmp_path / "new", runs=[run])
    found = diff_releases(released, tmp_path / "new")
    assert {name for name, table in found.tables.items() if table.changed} == {"mirror_steps"}
    assert found.tables["mirror_steps"].changed == {"r-001/1": ("raw_reply",)}


def test_the_command_takes_runs(run, make_workspace, tmp_path):
    out = tmp_path / "release"
    done = CliRunner().invoke(
        app, ["export", "build", "--episodes", str(run.root), "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "mirror_steps" in done.output
    shown = CliRunner().invoke(app, ["export", "inspect", str(out)])
    assert "episodes by family: mirror_reach 3, mosaic 1, tom 1" in shown.output
    nothing = CliRunner().invoke(app, ["export", "build", "--out", str(out)])
    assert "expected a workspace or --episodes" in str(nothing.exception)
    gallery = CliRunner().invoke(
        app, ["export", "inspect", str(out), "--html", str(tmp_path / "gallery")]
    )
    assert "expected a config of episodes" in str(gallery.exception)


# The folder


def test_a_folder_of_episodes_takes_an_episode_whole_or_not(run):
    episode, steps, pictures = _reach("r-500")
    with pytest.raises(EpisodeError, match="expected 3 steps by num_steps = 3"):
        run.put(episode, steps[:2], pictures=dict(list(pictures.items())[:2]))
    with pytest.raises(EpisodeError, match=r"found 3\.png in one of them only"):
        run.put(episode, steps, pictures=dict(list(pictures.items())[:2]))
    assert not run.has("r-500")
    run.put(episode, steps, pictures=pictures)
    assert run.has("r-500")
    run.put(*_reach("r-500", moves=2)[:2], pictures=_reach("r-500", moves=2)[2])
    assert run.episode("r-500").num_steps == 2
    assert not (run.root / "episodes" / "r-500" / "3.png").exists()


def test_an_aborted_trial_may_end_between_two_turns(run):
    episode, steps, _ = _mosaic("m-500")
    details = episode.details.model_copy(
        update={"choice": None, "participant_score": None, "subject_score": None}
    )
    aborted = {"termination": "aborted", "num_steps": 2, "success": None, "details": details}
    run.put(Episode.model_validate({**episode.model_dump(), **aborted}), steps[:3])
    assert run.has("m-500")


def test_another_folder_is_no_folder_of_episodes(run, tmp_path):
    with pytest.raises(EpisodeError, match=r"found no run\.json in it"):
        EpisodeStore.open(tmp_path)
    with pytest.raises(EpisodeError, match="expected a new or empty folder"):
        EpisodeStore.create(tmp_path, run.run())
    other = run.run().model_copy(update={"name": "other"})
    with pytest.raises(EpisodeError, match="name: expected trial as before, found other"):
        EpisodeStore.create(run.root, other)


def test_a_card_is_found_by_what_is_in_the_release(run, released, tmp_path):
    def tags(release):
        head = (release / "README.md").read_text("utf-8").split("---")[1]
        return yaml.safe_load(head)["tags"]

    assert {"self-recognition", "multi-agent", "theory-of-mind"} <= set(tags(released))
    stories = EpisodeStore.create(tmp_path / "stories", run.run().model_copy(update={"name": "s"}))
    stories.put_tom_items(_items()[:1])
    build_release(None, tmp_path / "out" / "told", runs=[stories])
    assert tags(tmp_path / "out" / "told") == ["theory-of-mind"]
    assert "in a story" in (tmp_path / "out" / "told" / "README.md").read_text("utf-8")
