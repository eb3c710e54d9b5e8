"""People at a desk who review questions, and others who answer them as a model would."""

from __future__ import annotations

from typing import Any

import pytest

from annotate.desk.baseline import Asked
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.errors import DeskError
from mira.schema.qa import ItemEdit

BERTA = Person("berta", "annotator")
CORA, DORA = Person("cora", "reviewer"), Person("dora", "reviewer")


def code_of(call: Any, *arguments: Any, **named: Any) -> str:
    """What a desk refuses something with."""
    with pytest.raises(DeskError) as caught:
        call(*arguments, **named)
    return caught.value.code


def settle(
    desk: Desk,
    item_id: str,
    *,
    verdict: Any = "accepted",
    edit: ItemEdit | None = None,
    by: tuple[Person, Person] | tuple[Person] = (CORA, DORA),
) -> None:
    """Have two people say the same of a question."""
    for person in by:
        task = desk.reviews.open(person, "review", item_id)
        said = {"verdict": verdict, "edit": edit, "token": f"{person.name} {task.item_sha8}"}
        desk.reviews.judge(person, "review", item_id, shown=task.item_sha8, **said)


def next_for(
    desk: Desk, person: Person = BERTA, protocol: Any = "bbox_text", **more: Any
) -> Asked | None:
    """What somebody is asked next."""
    return desk.baseline.next_question(person, protocol, **more)


def reply_to(
    desk: Desk, asked: Asked, person: Person = BERTA, *, value: str = "B", **more: Any
) -> None:
    """Have somebody answer."""
    said = {"protocol": asked.wording.protocol, "modality": "rgb", "shown": asked.shown, **more}
    said.setdefault("token", f"{person.name} {asked.item.item_id}")
    desk.baseline.reply(person, asked.item.item_id, {"value": value}, **said)


def answer_all(desk: Desk, person: Person) -> list[str]:
    """Have somebody answer all they get, one after the other; tells what that was."""
    found = []
    while (asked := next_for(desk, person)) is not None:
        reply_to(desk, asked, person)
        found.append(asked.item.item_id)
    return found
