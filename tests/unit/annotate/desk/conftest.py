from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from baseline_people import settle

from annotate.desk.desk import Desk
from mira.schema.qa import (
    ChoiceAnswer,
    Derivation,
    Mark,
    Option,
    QAItem,
    QAPolicy,
    QASummary,
    Wording,
)
from mira.store.workspace import Workspace


class Clock:
    """A clock that goes when it is told."""

    def __init__(self):
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.now

    def go(self, **time):
        self.now += timedelta(**time)


@pytest.fixture
def clock():
    return Clock()


def make_item(k, by=("anna",)):
    return QAItem(
        item_id=f"mc_001-{k:04d}",
        template_id="mc_001",
        image_id=f"i{k // 4}",
        scene_id="s",
        marks=(Mark(label="X", instance_id=1, role="slot", box_xyxy_px=(0, 0, 5, 5)),),
        options=(Option(label="A", value="2"), Option(label="B", value="3")),
        answer=ChoiceAnswer(value="A"),
        wordings=(Wording(protocol="bbox_text", question=f"Which {k}?", option_texts=("2", "3")),),
        derivation=Derivation(
            rule="r",
            annotator=by[0],
            annotation_sha256="0" * 64,
            parameters={"by": list(by[1:])},
        ),
    )


@pytest.fixture
def make_desk(tmp_path, clock):
    """A desk with so many questions, and people of all roles."""
    made = []

    def _make(items=6, **more):
        workspace = Workspace.create(tmp_path / "w")
        found = [make_item(k, **more) for k in range(items)]
        summary = QASummary(
            items=items,
            questions=items,
            drops={},
            by_template={},
            gold_positions={},
            policy=QAPolicy(),
        )
        workspace.put_questions(found, summary=lambda: summary)
        desk = Desk(workspace, clock=clock)
        made.append(desk)
        desk.import_items()
        for name, role in PEOPLE.items():
            if name not in {person.name for person in desk.people.all()}:
                desk.people.add(name, "long enough", role)
        return desk

    yield _make
    for desk in made:
        desk.close()


@pytest.fixture
def settled(make_desk):
    """A desk whose questions cora and dora accepted, with others at it."""

    def _settled(items=4, *, people=("berta",)):
        desk = make_desk(items=items)
        for name in people:
            desk.people.add(name, "long enough", "annotator")
        for item in desk.workspace.items():
            settle(desk, item.item_id)
        return desk

    return _settled


PEOPLE = {
    "anna": "annotator",
    "cora": "reviewer",
    "dora": "reviewer",
    "emil": "adjudicator",
    "root": "admin",
}
