"""Words of published files beside those of the taxonomy, and how one becomes the other.

Names of fields, types, styles and sub-tasks, the order and words of spatial answers and what their
tools compare are those of the evaluation code that came with MIRA-Bench (arXiv 2610.41651).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Literal, NamedTuple, get_args

from mira.schema.qa import AxesAnswer, Protocol, QAItem
from mira.taxonomy.catalogue import taxonomy

PLAIN_STYLE = "original"
"""Referring style of a question that points at nothing."""
DIRECTION_SLOT, TEXT_SLOT = "DIR", "ANSWER_TEXT"
"""Keys of `slot_values` that name no object."""

_CATEGORIES = {"perception": "perception", "spatial": "reasoning", "decision": "action"}
_SUBCATEGORIES = {
    "vc_001": "visibility_classification",
    "vc_002": "visibility_classification",
    "vc_003": "visibility_classification",
    "mc_001": "mirror_correspondence_m2r",
    "mc_002": "mirror_correspondence_r2m",
    "mc_003": "same_object_verification",
    "mr_001": "mirror_to_real_spatial_inference",
    "mr_002": "mirror_to_real_spatial_inference",
    "mr_003": "mirror_to_real_spatial_inference",
    "ct_001": "counting_based_spatial_reasoning",
    "mpac_001": "mirror_provided_attribute_completion",
    "ac_001": "reachability",
    "ac_002": "next_step_action_selection_real_target",
    "ac_003": "next_step_action_selection_real_target",
    "ac_004": "collision_risk_awareness",
}
_STYLES: dict[str, Protocol] = {
    **{style: style for style in get_args(Protocol)},
    "visual_bbox_text_desc": "visual_bbox_desc",
    PLAIN_STYLE: "bbox_text",
}
_DECIDED_BY_DISTANCE = {"mr_001", "mr_003", "ac_001", "ac_002", "ac_004"}
"""Templates with an axis of depth, free space to judge, or a distance at which to stop."""
_ASKED_OF_ANYTHING = {"ac_001", "ac_002"}
"""Templates that can be answered without a mirror where their object has no reflection."""

_VERTICAL = {"upper": "above", "aligned": "aligned", "lower": "below"}
_DEPTH = {"front": "front", "same_depth": "same_depth", "back": "behind"}
_HORIZONTAL = {"left": "left", "aligned": "aligned", "right": "right"}
_AXIS_CUES = {
    "vertical": {"above": "upper above top", "below": "lower below bottom"},
    "depth": {"front": "front", "behind": "back behind", "same_depth": "same_depth"},
    "horizontal": {"left": "left", "right": "right"},
}
_FILLING = {"of", "in", "aligned", "center", "centre", "and", "the", "to"}
_OBJECT_ID = re.compile(r"(?:mirror[_\-\s]*)?([0-9]{1,18})", re.IGNORECASE)


class Needs(NamedTuple):
    """What a question asks of whoever answers it."""

    mirror_reasoning: bool
    depth: bool


def needs_of(item: QAItem) -> Needs:
    """Whether a reflection has to be understood, and whether a distance along the view decides.

    Every template turns on reflections, save reachability and the next action of an object that
    has none. Depth decides where an axis of depth is asked for (`mr`, counts in front and behind),
    where free space has to be judged (`ac_001`, `ac_004`) and where an action may be to stop
    (`ac_002`).
    """
    derivation = item.derivation
    reflected = bool(derivation.surface_ids or derivation.links)
    free_of_mirrors = item.template_id in _ASKED_OF_ANYTHING and not reflected
    counted_along_view = item.template_id == "ct_001" and item.direction in ("front", "behind")
    return Needs(
        not free_of_mirrors, item.template_id in _DECIDED_BY_DISTANCE or counted_along_view
    )


def category_of(template_id: str) -> str:
    """The published name of a template's level."""
    return _CATEGORIES[taxonomy().level_of(template_id)]


def subcategory_of(template_id: str) -> str:
    """The published name of a template's sub-task."""
    return _SUBCATEGORIES[template_id]


def known_templates() -> frozenset[str]:
    """Templates that a file may have, those included that are only reserved."""
    catalogue = taxonomy()
    return frozenset((*(row.id for row in catalogue.templates), *catalogue.reserved_templates))


def protocol_of(style: str | None) -> Protocol | None:
    """The referring protocol of a style; None where there is none like it."""
    return _STYLES.get(style or PLAIN_STYLE)


def format_axes(answer: AxesAnswer) -> str:
    """A spatial answer in the published words and order, such as `upper-front-left of`."""
    words = (
        _published(_VERTICAL, answer.vertical),
        _published(_DEPTH, answer.depth),
        _published(_HORIZONTAL, answer.horizontal),
    )
    return f"{'-'.join(words)} of"


@cache
def axis_choices() -> tuple[str, ...]:
    """All 27 spatial answers."""
    return tuple(f"{'-'.join(words)} of" for words in product(_VERTICAL, _DEPTH, _HORIZONTAL))


def parse_axes(answer: object) -> AxesAnswer | None:
    """A spatial answer from text in either vocabulary and any order, or from one word an axis.

    An axis that the text does not name is aligned, or at the same depth: published tools read
    `upper-left of` so.

    Returns:
        The answer; None where a word is unknown, one axis has two, or there is none.
    """
    if isinstance(answer, dict):
        if set(answer) - set(_AXIS_CUES):
            return None
        answer = " ".join(str(word) for word in answer.values())
    if not isinstance(answer, str):
        return None
    text = re.sub(r"(same|equal|aligned)[ _-]?depth", "same_depth", answer.casefold())
    words = re.split(r"[\s,;/.-]+", text.strip())
    found: dict[str, str] = {}
    for word in filter(None, words):
        axis, meaning = _axis_of(word)
        if axis is None:
            if word not in _FILLING:
                return None
        elif found.setdefault(axis, meaning) != meaning:
            return None
    if not found and not {"aligned", "center", "centre"} & set(words):
        return None
    still = {"vertical": "aligned", "depth": "same_depth", "horizontal": "aligned"}
    return AxesAnswer.model_validate({**still, **found})


def parse_object_id(name: object) -> int | None:
    """The number in the name of an object, such as `17`, `07` or `Mirror_07`."""
    match = _OBJECT_ID.fullmatch(str(name).strip())
    return int(match[1]) if match else None


def parse_direction(template_id: str, word: object) -> str | None:
    """The value of a slot DIR as the taxonomy has it; None where it has no such direction."""
    kind: Literal["movement", "relation"] = "movement" if template_id == "ac_004" else "relation"
    known = taxonomy().directions[kind]
    text = str(word).strip().casefold()
    synonyms = {"up": "above", "upper": "above", "down": "below", "lower": "below"}
    synonyms |= {"back": "backward" if kind == "movement" else "behind"}
    synonyms |= {"backwards": "backward", "forwards": "forward", "upward": "above"}
    meant = synonyms.get(text, text)
    return meant if meant in known else None


def _published(words: dict[str, str], meaning: str) -> str:
    return next(word for word, known in words.items() if known == meaning)


def _axis_of(word: str) -> tuple[str | None, str]:
    for axis, meanings in _AXIS_CUES.items():
        for meaning, cues in meanings.items():
            if word in cues.split():
                return axis, meaning
    return None, ""
