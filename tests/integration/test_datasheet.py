"""What a release says of how it came to be: its datasheet, and what of that is in the card."""

from __future__ import annotations

import re

import pytest

from export.build import build_release
from export.diff import diff_releases
from export.facts import Facts, SplitCount
from export.limits import known_limits
from export.splits import split_scenes
from export.verify import verify_release
from mira.errors import WorkspaceError
from mira.release.reader import read_info
from mira.schema.qa import QAPolicy
from mira.store.settings import SETTINGS_TEXT, DatasheetSettings, read_settings
from qa_gen.generate import generate_questions

SAID = {
    "motivation": "To see what is **real**.",
    "creators": "Two people.",
    "funding": "Nobody.",
    "collection": "With a D435.",
    "annotation": "Students, paid by the hour.",
    "privacy": "All were asked.",
    "intended_uses": "Evaluation.",
    "unsuitable_uses": "Finding people.",
    "known_limits": "Few mirrors outdoors.",
    "citation": "@misc{mirrors,\n  title={Mirrors}\n}",
    "contact": "write@example.org",
    "maintenance": "Twice a year.",
}


def say(workspace, **texts):
    lines = [f'{name} = """{text}"""' for name, text in texts.items()]
    (workspace.root / "mira.toml").write_text("\n".join(["[datasheet]", *lines]) + "\n")


def sheet(release):
    return (release / "DATASHEET.md").read_text("utf-8")


def card(release):
    return (release / "README.md").read_text("utf-8")


def change(workspace, scene_id, **fields):
    workspace.put_scene(workspace.scene(scene_id).model_copy(update=fields))


def answer(text, question):
    """What stands below a question."""
    found = re.search(rf"^\*\*{re.escape(question)}\*\*(.*?)(?=^\*\*|^## |\Z)", text, re.M | re.S)
    return found.group(1).strip()


def test_what_nobody_said_is_not_made_up(release):
    text = sheet(release)
    for question in ("Who made it?", "Who paid for it?", "By whom, when and where?"):
        assert answer(text, question) == "*Not stated.*"
    assert text.count("*Not stated.*") == len(SAID)
    assert "How to cite this data set is not stated." in card(release)


def test_what_its_makers_say_stands_where_it_is_asked(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    say(workspace, **SAID)
    build_release(workspace, out)
    text = sheet(out)
    assert "Not stated" not in text
    for name, said in SAID.items():
        assert said in text, name
    assert answer(text, "Who paid for it?") == "Nobody."
    assert answer(text, "How is it cited?") == f"```bibtex\n{SAID['citation']}\n```"
    for said in (SAID["known_limits"], SAID["citation"]):
        assert said in card(out)
    assert "[datasheet](DATASHEET.md)" in card(out)


def test_sources_are_told_with_their_terms_and_how_to_cite_them(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=4), tmp_path / "release"
    change(workspace, "pic_001", source="crew | A", licence="CC-BY-4.0", consent="granted")
    change(workspace, "pic_002", licence=None)
    (workspace.root / "mira.toml").write_text(
        '[datasheet.sources]\n"crew | A" = "@misc{a,\\n  title={A}\\n}"\n"gone" = "nobody"\n'
    )
    build_release(workspace, out)
    for text in (sheet(out), card(out)):
        assert "| crew \\| A | CC-BY-4.0 | granted | 1 | 1 |\n" in text
        assert "| drawn | CC0-1.0 | not_needed | 2 | 2 |\n" in text
        assert "| drawn | not given | not_needed | 1 | 1 |\n" in text
        assert "- crew \\| A:\n\n  ```bibtex\n  @misc{a,\n    title={A}\n  }\n  ```\n" in text
        assert "- drawn: *how to cite it is not stated*\n" in text
        assert "nobody" not in text


def test_numbers_are_those_of_the_release(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=3), tmp_path / "release"
    split_scenes(workspace, listed={"pic_000": "train"}, shares={"test": 1})
    info = build_release(workspace, out)
    rows = {(one.name, part.split): part.rows for one in info.configs for part in one.splits}
    text = sheet(out)
    assert f"| train | 1 | 1 | {rows['qa', 'train']} |" in text
    assert f"| test | 2 | 2 | {rows['qa', 'test']} |" in text
    assert "| metric, in steps of 0.001 m | 3 |" in text
    assert "| 160 x 120 | 3 |" in text
    assert f"| auto | {rows['qa', 'train'] + rows['qa', 'test']} |" in text
    assert info.digest in text
    assert str(tmp_path) not in text


def test_what_was_left_out_is_told(make_workspace, tmp_path):
    workspace, out = make_workspace(pictures=3), tmp_path / "release"
    change(workspace, "pic_000", consent="unknown")
    items = [item.model_copy(update={"review": "accepted"}) for item in workspace.items()]
    summary = workspace.qa_summary()
    workspace.put_questions(iter(items), summary=lambda: summary)
    build_release(workspace, out, stage="final")
    text = sheet(out)
    assert "| scenes without consent | 1 |" in text
    assert "Draft" not in text
    assert "| test | 2 | 2 |" in text


def test_a_text_that_is_no_text_is_one_line_with_its_field(tmp_path):
    path = tmp_path / "mira.toml"
    path.write_text("[datasheet]\nfunding = 3\n")
    with pytest.raises(WorkspaceError, match=r"mira\.toml: datasheet\.funding: "):
        read_settings(path)


def test_the_settings_file_names_every_text():
    named = set(re.findall(r"^# (\w+) = \"\" ", SETTINGS_TEXT.split("[datasheet]")[1], re.M))
    assert named == DatasheetSettings.model_fields.keys() - {"sources"} == SAID.keys()


def test_a_release_of_before_there_were_datasheets_still_holds(release, tmp_path):
    path = release / "meta" / "info.json"
    info = read_info(release)
    older = info.model_copy(update={"datasheet": None, "plots": ()})
    data = older.model_dump(mode="json", exclude={"datasheet", "plots"})
    path.write_bytes(type(info).model_validate(data).to_json())
    (release / "DATASHEET.md").unlink()
    assert {finding.code for finding in verify_release(release)} == {"unreviewed"}
    assert diff_releases(release, release).is_same


def test_a_changed_datasheet_is_found(release):
    (release / "DATASHEET.md").write_text("All is well.")
    assert [finding.code for finding in verify_release(release)] == ["file-changed"]


def test_a_release_with_a_datasheet_is_replaced(make_workspace, tmp_path):
    workspace, out = make_workspace(), tmp_path / "release"
    build_release(workspace, out)
    first = sheet(out)
    generate_questions(workspace, policy=QAPolicy(seed=1))
    build_release(workspace, out)
    assert sheet(out) != first
    assert not [f for f in verify_release(out) if f.severity == "error"]


def test_limits_rest_on_counts():
    facts = Facts(
        sources=(),
        splits=(SplitCount("test", 5, 10, 100),),
        places={"bathroom": {"indoor": 7}, "not given": {"not given": 3}},
        depths={"none": 2, "metric, in steps of 0.001 m": 5, "normalised over the image": 3},
        sizes={},
        cameras=1,
        without_camera=4,
        with_times=0,
        annotators=1,
        answered_by={},
    )
    counts = {
        "reflections by counterpart": {"ambiguous": 1, "in_frame": 6, "not given": 2},
        "questions by review state": {"accepted": 60, "unreviewed": 40},
        "questions by template": {"vc_001": 60, "mc_001": 40},
    }
    assert known_limits(facts, counts, audited=True) == (
        "2 of 10 pictures have no depth.",
        "3 of 10 pictures have depth without metres: it tells near from far alone.",
        "4 of 10 pictures come without the intrinsics of their camera.",
        "Of 3 of 10 pictures the kind of place is not on record.",
        "7 of 10 pictures show one kind of place: bathroom.",
        "Of 1 of 9 reflections it cannot be told what they show.",
        "Of 2 of 9 reflections nobody decided what they show.",
        "40 of 100 questions were accepted by no reviewer.",
        "All questions are English sentences from 2 templates.",
    )
    perfect = facts._replace(
        places={"bathroom": {"indoor": 5}, "hall": {"indoor": 5}},
        depths={"metric, in steps of 0.001 m": 10},
        without_camera=0,
    )
    accepted = {"questions by review state": {"accepted": 100}, "questions by template": {"a": 1}}
    assert len(known_limits(perfect, accepted, audited=True)) == 1
    assert len(known_limits(perfect, accepted, audited=False)) == 2
