"""Names of rows, for people."""

from __future__ import annotations

from mira.evals.tom.records import RowGroup, TomRow

GROUPS: dict[RowGroup, str] = {
    "overall": "",
    "kind": "By kind",
    "order": "By order of the belief",
    "order_jointly": "By order, right with all lower ones",
    "condition": "True and false beliefs, controls",
    "category": "In the words of the set",
    "joint": "Jointly",
    "with_controls": "Given right controls",
}
_NAMES = {
    "overall": "All questions",
    "all of a group": "All questions of a group right",
    "belief": "Belief and knowledge",
    "state": "Goals, wishes, feelings",
    "action": "What somebody will do",
    "judgement": "Whether it is sensible",
    "control": "Controls",
    "true_belief": "True belief",
    "false_belief": "False belief",
    "memory": "Memory",
    "reality": "Reality",
    "fact": "The fact",
    "random_event": "Another event",
}


def title_of(row: TomRow) -> str:
    """The name of a row."""
    return title_of_name(row.group, row.name)


def title_of_name(group: RowGroup, name: str) -> str:
    """The name of a row of a group."""
    if group == "order":
        return f"Order {name}"
    if group == "order_jointly":
        return f"Orders 0 to {name}" if name != "0" else "Order 0"
    if group == "category":
        return name.replace("_", " ")
    if group == "with_controls":
        return "False belief, memory and reality right"
    first, _, kind = name.partition(", ")
    title = _NAMES.get(first, first)
    return f"{title}, {_NAMES.get(kind, kind).lower()}" if kind else title
