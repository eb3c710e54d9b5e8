from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_uppercase
from typing import Any

import pytest

from mira.schema.qa import Derivation, Mark, Option, QAItem, Wording
from mira.taxonomy.catalogue import taxonomy
from qa_gen.wording import WordingBook

CANDIDATES = ("direct_candidates", "reflected_candidates")
BOOK = WordingBook.read()


def first_answer(format_: str, labels: Sequence[str]) -> dict[str, Any]:
    """A right answer of a format."""
    return {
        "yes_no": {"format": "yes_no", "value": "yes"},
        "single_choice": {"format": "single_choice", "value": (*labels, "A")[0]},
        "spatial_3d_axes": {
            "format": "spatial_3d_axes",
            "horizontal": "left",
            "vertical": "above",
            "depth": "behind",
        },
        "count": {"format": "count", "value": 3},
        "single_choice_plus_text": {
            "format": "single_choice_plus_text",
            "value": (*labels, "A")[0],
            "text": "a red sticker",
        },
    }[format_]


def build_item(
    template_id: str,
    *,
    values: Sequence[str] | None = None,
    answer: dict[str, Any] | None = None,
    protocols: Sequence[str] | None = None,
    direction: str | None = None,
    sentence: str = "What of it?",
    **fields: Any,
) -> QAItem:
    """An item of a template with marks, options and wordings as the generator gives them."""
    row = taxonomy().template(template_id)
    listed = taxonomy().option_sets.get(row.options or "", ())
    lettered = row.format in ("single_choice", "single_choice_plus_text")
    if row.options in CANDIDATES:
        values = values or ("11", "12", "13")
    elif row.format in ("spatial_3d_axes", "count"):
        values = ()
    else:
        values = values or tuple(listed)
    options = tuple(
        Option(label=letter if lettered else value.replace("_", " "), value=value)
        for letter, value in zip(ascii_uppercase, values, strict=False)
    )
    marks = [
        Mark(label=name, instance_id=k, role="slot", box_xyxy_px=(10 * k, 5, 10 * k + 8, 30))
        for k, name in enumerate(row.slots, start=1)
    ]
    if row.options in CANDIDATES:
        marks += [
            Mark(
                label=o.label, instance_id=int(o.value), role="candidate", box_xyxy_px=(0, 0, 9, 9)
            )
            for o in options
        ]
    wordings = tuple(
        Wording(
            protocol=protocol.id,
            question=f"{sentence} ({protocol.name})",
            option_texts=tuple(
                f"the object {o.label} ({protocol.name})"
                if row.options in CANDIDATES
                else BOOK.option_text(o.value)
                for o in options
            ),
        )
        for protocol in taxonomy().protocols
        if protocols is None or protocol.id in protocols
    )
    if direction is None and row.directions:
        direction = taxonomy().directions[row.directions][0]
    return QAItem(
        item_id=f"{template_id}-0123456789abcdef",
        template_id=template_id,
        image_id="picture",
        scene_id="scene",
        direction=direction,
        marks=tuple(marks),
        options=options,
        answer=answer or first_answer(row.format, [o.label for o in options]),
        joint_group="vc-77aa" if template_id.startswith("vc_") else None,
        wordings=wordings if marks else wordings[:1],
        derivation=Derivation(rule="rule", annotator="ann", annotation_sha256="0" * 64),
        **fields,
    )


@pytest.fixture
def make_item() -> Callable[..., QAItem]:
    """Make an item of a template."""
    return build_item
