from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from mira.schema.evaluation import MetricResult, ScoreTable
from mira.taxonomy.catalogue import taxonomy

Row = dict[str, Any]
LETTERS = "ABCDEFGHIJ"


def row(
    question_id: str,
    template_id: str,
    *,
    answer: str,
    options: Sequence[str] = (),
    scene_id: str = "s0",
    split: str | None = "test",
    protocol: str | None = "visual_bbox",
    joint_group: str | None = None,
    count_max: int | None = None,
) -> Row:
    """One question as the reader of a release gives it."""
    template = taxonomy().template(template_id)
    lettered = template.format in ("single_choice", "single_choice_plus_text")
    return {
        "question_id": question_id,
        "question_sha8": f"{zlib.crc32(question_id.encode()):08x}",
        "item_id": question_id,
        "scene_id": scene_id,
        "image_id": f"{scene_id}-0",
        "split": split,
        "template_id": template_id,
        "subtask": template.subtask,
        "level": taxonomy().level_of(template_id),
        "protocol": protocol,
        "format": template.format,
        "question": "?",
        "options": [
            {
                "label": LETTERS[place] if lettered else value.replace("_", " "),
                "value": value,
                "text": value.replace("_", " "),
            }
            for place, value in enumerate(options)
        ],
        "answer": answer,
        "joint_group": joint_group,
        "count_max": count_max,
    }


def triple(group: str, *, gold: int = 0, **keys: Any) -> list[Row]:
    """The three visibility questions of one object; `gold` is the one that is true."""
    return [
        row(
            f"{group}-{place}",
            template_id,
            answer="yes" if place == gold else "no",
            options=("yes", "no"),
            joint_group=group,
            **keys,
        )
        for place, template_id in enumerate(("vc_001", "vc_002", "vc_003"))
    ]


def release(scenes: int, *, protocols: Iterable[str] = ("visual_bbox",)) -> list[Row]:
    """Every template, once a scene and protocol; collision risk once a scene."""
    yes_no, unsure = ("yes", "no"), ("yes", "no", "not_sure")
    objects, actions = ("3", "5", "8", "9"), ("move_left", "stop", "turn_around", "none", "a", "b")
    added = ("not_sure", "nothing_added", "same_side_only", "other_side_distinct")
    rows: list[Row] = []
    for scene in range(scenes):
        where: dict[str, Any] = {"scene_id": f"s{scene}", "split": ("train", "test")[scene % 2]}
        rows.append(
            row(
                f"{scene}-ac4",
                "ac_004",
                answer="yes",
                options=unsure,
                **{**where, "protocol": None},
            )
        )
        for protocol in protocols:
            name = f"{scene}-{protocol}"
            where["protocol"] = protocol
            rows += triple(f"{name}-vc", gold=scene % 3, **where)
            for template_id, answer, options in (
                ("mc_001", LETTERS[scene % 4], objects),
                ("mc_002", "A", objects[:2]),
                ("mc_003", yes_no[scene % 2], yes_no),
                ("mr_001", "left,aligned,same_depth", ()),
                ("mr_003", "aligned,below,behind", ()),
                ("ct_001", str(scene % 5), ()),
                ("mpac_001", LETTERS[scene % 4], added),
                ("ac_001", yes_no[scene % 2], unsure),
                ("ac_002", LETTERS[scene % 6], actions),
                ("ac_003", "C", actions),
            ):
                count_max = 4 + scene % 3 if template_id == "ct_001" else None
                made = row(
                    f"{name}-{template_id}",
                    template_id,
                    answer=answer,
                    options=options,
                    count_max=count_max,
                    **where,
                )
                rows.append(made)
    return rows


def row_of(table: ScoreTable, name: str) -> MetricResult:
    return next(entry for entry in table.rows if entry.name == name)


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """Builders of synthetic questions, and a look-up in a table."""
    return SimpleNamespace(row=row, triple=triple, release=release, row_of=row_of)
