"""From questions to the score of a person: generate, review, answer, export, build, score."""

from __future__ import annotations

import json
import shlex

import pytest
from typer.testing import CliRunner

from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.cli.app import app
from mira.questions import answer_text
from mira.schema.qa import QAItem


def _run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, (done.output, done.exception)
    return done


def _said(item: QAItem, *, right: bool) -> dict[str, str]:
    """An answer to a question of options."""
    labels = [option.label for option in item.options]
    gold = answer_text(item)
    return {"value": gold if right else next(one for one in labels if one != gold)}


@pytest.fixture
def answered(make_workspace):
    """A workspace whose desk berta answered: three of four right."""
    workspace = make_workspace(pictures=1)
    desk = Desk(workspace)
    desk.import_items()
    people = [desk.people.add(name, "long enough", "reviewer") for name in ("cora", "dora")]
    berta = desk.people.add("berta", "long enough", "annotator")
    for item in workspace.items():
        for person in people:
            task = desk.reviews.open(person, "review", item.item_id)
            said = {"verdict": "accepted", "shown": task.item_sha8}
            token = f"{person.name} {item.item_id}"
            desk.reviews.judge(person, "review", item.item_id, token=token, **said)
    count = 0
    while (asked := desk.baseline.next_question(berta, "visual_bbox")) is not None:
        _reply(desk, berta, asked, right=count % 4 != 3)
        count += 1
    desk.close()
    return workspace


def _reply(desk: Desk, person: Person, asked, *, right: bool) -> None:
    item = asked.item
    names = {"protocol": "visual_bbox", "modality": "rgb_d", "shown": asked.shown}
    said = _said(item, right=right)
    desk.baseline.reply(person, item.item_id, said, token=item.item_id, seconds=4.2, **names)


def test_a_person_is_scored_like_a_model(answered, tmp_path):
    told = _run("annotate", "app", "export", "-w", answered.root)
    assert "berta.jsonl" in told.stdout
    assert "visual_bbox with rgb_d" in told.stdout
    (line,) = [one for one in told.stderr.splitlines() if "eval score" in one]
    _run("export", "build", "-w", answered.root, "--out", tmp_path / "release")
    words = shlex.split(line.removeprefix("Next: mira "))
    words[words.index("RELEASE")] = str(tmp_path / "release")
    table = json.loads(_run(*words, "--json").stdout)
    overall = table["rows"][-1]
    replies = (answered.root / "baseline" / "berta.jsonl").read_text("utf-8").splitlines()
    assert table["complete"]
    assert overall["n"] == len(replies) > 4
    assert overall["n_unparsable"] == overall["n_unscored"] == 0
    assert 0 < overall["value"] < 1


def test_what_was_exported_is_told_as_json(answered):
    found = json.loads(_run("annotate", "app", "export", "-w", answered.root, "--json").stdout)
    (file,) = found["baseline"]["files"]
    assert (file["person"], file["ways"]) == ("berta", [["visual_bbox", "rgb_d"]])
    assert found["baseline"]["left_out"] == 0
