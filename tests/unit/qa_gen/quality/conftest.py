from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mira.schema.qa import Derivation, Mark, Option, QAItem, Wording
from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.policy import QualityPolicy
from qa_gen.quality.records import QualityReport
from qa_gen.quality.surveying import SurveySources, survey_questions

MakeItem = Callable[..., QAItem]
_SLOTS = {"mr_001": ("X", "Y"), "mr_003": ("X1", "X2"), "mc_003": ("X", "Y"), "ac_004": ()}


def _answer(template_id: str, gold: Any, labels: dict[str, str]) -> dict[str, Any]:
    form = taxonomy().template(template_id).format
    if form == "spatial_3d_axes":
        return {"format": form, **dict(zip(("horizontal", "vertical", "depth"), gold, strict=True))}
    value = labels[str(gold)] if form.startswith("single") else gold
    return {"format": form, "value": value}


@pytest.fixture
def make() -> MakeItem:
    """Make an item: template, right answer, instances of the slots, and what is to differ."""
    number = 0

    def _make(
        template_id: str,
        gold: Any,
        slots: tuple[int, ...] | None = None,
        *,
        image: str = "pic",
        scene: str = "scene",
        candidates: tuple[int, ...] = (),
        offered: tuple[str, ...] = (),
        question: str | None = None,
        texts: tuple[str, ...] | None = None,
        protocol: str = "visual_bbox",
        **more: Any,
    ) -> QAItem:
        nonlocal number
        number += 1
        row = taxonomy().template(template_id)
        names = _SLOTS.get(template_id, ("X",))
        slots = tuple(range(1, len(names) + 1)) if slots is None else slots
        values = tuple(map(str, candidates)) or offered
        known = taxonomy().option_sets.get(row.options or "")
        if not values and isinstance(known, tuple):
            values = known
        lettered = row.format.startswith("single")
        labels = {v: "ABCDEFGHIJ"[k] if lettered else v for k, v in enumerate(values)}
        boxes = [
            *((name, k, "slot") for name, k in zip(names, slots, strict=True)),
            *((labels[str(k)], k, "candidate") for k in candidates),
        ]
        marks = tuple(
            Mark(label=a, instance_id=k, role=role, box_xyxy_px=(4 * k, 0, 4 * k + 3, 3))
            for a, k, role in boxes
        )
        wording = Wording(
            protocol=protocol,
            question=question or f"Question {number}?",
            option_texts=texts if texts is not None else tuple(f"text {v}" for v in values),
        )
        fields = {
            "item_id": f"{template_id}-{number:04d}",
            "template_id": template_id,
            "image_id": image,
            "scene_id": scene,
            "marks": marks,
            "options": tuple(Option(label=labels[v], value=v) for v in values),
            "answer": _answer(template_id, gold, labels),
            "wordings": (wording,),
            "derivation": Derivation(rule="test", annotator="ann", annotation_sha256="0"),
            **more,
        }
        return QAItem.model_validate(fields)

    return _make


@pytest.fixture
def survey() -> Callable[..., QualityReport]:
    """Survey items with a policy that judges few of them too."""

    def _survey(items: list[QAItem], *, sources: SurveySources | None = None, **policy: Any):
        bounds = QualityPolicy(**{"least_items": 4, **policy})
        return survey_questions(items, policy=bounds, sources=sources)

    return _survey


@pytest.fixture
def codes() -> Callable[[QualityReport], list[str]]:
    """Codes of the errors and warnings of a report."""
    return lambda report: [f.code for f in report.findings if f.severity != "info"]
