"""A desk with one settled question of each format, for tests of the human baseline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from desk_server import HOSTILE, PASSWORD, draw_desk

from annotate.desk.desk import Desk
from mira.reviews import item_sha8
from mira.schema.qa import (
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    ItemEdit,
    Option,
    QAItem,
    QAPolicy,
    QASummary,
    YesNoAnswer,
)
from mira.store.workspace import Workspace

SECRET = "only-reviewers-know"
"""Stands in all that nobody who answers may read: reason, gold words, what review changed."""
GOLD: dict[str, Any] = {
    "vc_001": YesNoAnswer(value="yes"),
    "mc_001": ChoiceAnswer(value="B"),
    "mr_001": AxesAnswer(horizontal="left", vertical="aligned", depth="behind"),
    "ct_001": CountAnswer(value=12),
    "mpac_001": ChoiceTextAnswer(value="A", text=SECRET),
}
"""The right answer by template: one question of each, and so one of each format."""
_OPTIONS = {
    "vc_001": (("yes", "yes"), ("no", "no")),
    "mc_001": (("A", "2"), ("B", "3")),
    "mpac_001": (("A", "existence"), ("B", "not_sure")),
}


def draw_baseline_desk(root: Path) -> Workspace:
    """A workspace whose questions cora and dora have settled, and berta, who knows none of them.

    They corrected the choice: it was held for A before.
    """
    workspace = draw_desk(root, items=1)
    (drawn,) = workspace.items()
    items = [_item(drawn, template_id) for template_id in GOLD]
    none: dict[str, Any] = {"drops": {}, "by_template": {}, "gold_positions": {}}
    workspace.put_questions(
        items, summary=lambda: QASummary(items=5, questions=5, policy=QAPolicy(), **none)
    )
    desk = Desk(workspace)
    desk.import_items()
    desk.people.add("berta", PASSWORD, "annotator")
    for item in items:
        settle(desk, item)
    desk.close()
    return workspace


def settle(desk: Desk, item: QAItem, *, verdict: Any = "accepted") -> None:
    """Have two reviewers say the same of a question."""
    gold = GOLD[item.template_id]
    edit = ItemEdit(answer=gold) if gold != item.answer and verdict == "accepted" else None
    for name in ("cora", "dora"):
        person = next(one for one in desk.people.all() if one.name == name)
        desk.reviews.open(person, "review", item.item_id)
        desk.reviews.judge(
            person,
            "review",
            item.item_id,
            verdict=verdict,
            shown=item_sha8(item),
            token=f"{name} {item.item_id} {item_sha8(item)} {verdict}",
            reason=SECRET,
            edit=edit,
        )


def _item(drawn: QAItem, template_id: str) -> QAItem:
    options = tuple(Option(label=k, value=v) for k, v in _OPTIONS.get(template_id, ()))
    answer = ChoiceAnswer(value="A") if template_id == "mc_001" else GOLD[template_id]
    texts = tuple(one.value if one.label == one.value else HOSTILE for one in options)
    derivation = drawn.derivation.model_copy(update={"parameters": {"reason": SECRET}})
    return drawn.model_copy(
        update={
            "item_id": f"{template_id}-0000",
            "template_id": template_id,
            "options": options,
            "answer": answer,
            "derivation": derivation,
            "joint_group": "group" if template_id == "vc_001" else None,
            "wordings": tuple(
                one.model_copy(
                    update={"question": f"{template_id}? {HOSTILE}", "option_texts": texts}
                )
                for one in drawn.wordings
            ),
        }
    )
