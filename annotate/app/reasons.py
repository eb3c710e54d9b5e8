"""Why an answer holds, in sentences for who reviews it."""

from __future__ import annotations

from collections.abc import Iterator

from mira.schema.qa import QAItem

_RULES = {
    "visibility-of-object": "Labels and links say how the object is seen.",
    "link-of-instance": "A link says which object the reflection shows.",
    "link-of-pair": "Links say whether both are the same object.",
    "relation-of-places": "Measured: the real places of both objects, in the camera's frame.",
    "count-of-places": "Measured: the real places of all objects and surfaces.",
    "reach-over-seen-floor": "Measured: floor that is seen all the way, and height.",
    "next-action-by-bearing": "Measured: the bearing of the real place, and reach.",
    "view-after-action": "Measured: how large the object would be after each action.",
    "collision-with-what-is-seen": "Measured: what is in the way, seen directly or in a mirror.",
    "answer-of-person": "People answered.",
}
_SOURCES = {
    "auto": "Answered by a rule.",
    "annotator": "Answered by people.",
    "simulated": "Answered by the simulation, which knows the truth.",
}


def reasons(item: QAItem) -> list[dict[str, str]]:
    """What an answer rests on, as pairs of a name and a sentence, most telling first."""
    return [{"name": name, "text": text} for name, text in _reasons(item)]


def _reasons(item: QAItem) -> Iterator[tuple[str, str]]:
    found = item.derivation
    if reason := found.parameters.get("reason"):
        yield "Reason", str(reason)
    told = _RULES.get(found.rule, "")
    yield "Rule", f"{told} ({found.rule})" if told else found.rule
    if found.instance_ids:
        yield "Instances", _list(found.instance_ids)
    if found.links:
        yield "Links", ", ".join(f"{one} shows {real}" for one, real in found.links)
    if found.surface_ids:
        yield "Surfaces", _list(found.surface_ids)
    if item.margin is not None:
        unit = found.parameters.get("margin_unit", "")
        yield "Margin", f"{item.margin:.3g} {unit} from the nearest threshold".replace("  ", " ")
    if found.parameters.get("as_proposed") is not None:
        same = "the same" if found.parameters["as_proposed"] else "something else"
        yield "Geometry", f"proposed {same}"
    yield "Source", _SOURCES[item.source]


def _list(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids))
