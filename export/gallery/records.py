"""What the page of a gallery knows of pictures and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from mira.release.reader import Row, instance_words
from mira.render.depth import DepthScale

Record = dict[str, Any]


def question_records(rows: Iterable[Row]) -> list[Record]:
    """Items of a picture with a wording a protocol, in the order of their first row."""
    items: dict[str, Record] = {}
    for row in rows:
        item = items.get(row["item_id"])
        if item is None:
            item = items[row["item_id"]] = _item(row)
        item["wordings"][row["protocol"]] = {
            "id": row["question_id"],
            "text": row["question"],
            "options": [option["text"] for option in row["options"]],
        }
    return list(items.values())


def picture_record(row: Row, questions: list[Record], depth: DepthScale | None) -> Record:
    """A picture with its outlines and questions.

    Args:
        row: Its row of `scenes`.
        questions: As `question_records` gives them.
        depth: What the colours of its depth picture mean.
    """
    return {
        "id": row["image_id"],
        "size": [row["width_px"], row["height_px"]],
        "depth": None if depth is None else depth.in_words or "no reading",
        "surfaces": [_region(one, one["surface_id"]) for one in row["surfaces"]],
        "instances": [
            {
                **_region(one, one["instance_id"]),
                "reflected": one["visibility"] == "reflected",
                "words": instance_words(one),
            }
            for one in row["instances"]
        ],
        "facts": dict(_facts(row)),
        "questions": questions,
    }


def tile_of(row: Row, questions: list[Record]) -> Record:
    """What pictures are chosen by, before they are opened."""
    protocols = dict.fromkeys(name for item in questions for name in item["wordings"])
    return {
        "id": row["image_id"],
        "scene": row["scene_id"],
        "split": row["split"],
        "place": row["place"] or "",
        "depth": row["depth"] is not None,
        "words": " ".join(one["description"] or one["category"] or "" for one in row["instances"]),
        "templates": Counter(item["template"] for item in questions),
        "protocols": list(protocols),
    }


def _item(row: Row) -> Record:
    return {
        "id": row["item_id"],
        "template": row["template_id"],
        "answer": row["answer"],
        "said": row.get("answer_words"),
        "labels": [option["label"] for option in row["options"]],
        "marks": [
            [mark["label"], mark["instance_id"], mark["role"], mark["box_xyxy_px"]]
            for mark in row["marks"]
        ],
        "source": row["answer_source"],
        "review": row["review"],
        "wordings": {},
    }


def _region(region: Row, number: int) -> Record:
    parts, holes = (list(map(_path, region[name])) for name in ("polygons_px", "holes_px"))
    return {"id": number, "parts": parts, "holes": holes}


def _path(ring: list[list[float]]) -> str:
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in ring) + "Z"


def _facts(row: Row) -> Iterator[tuple[str, str]]:
    for name in ("scene_id", "split", "place", "environment", "lighting", "source", "licence"):
        if row[name]:
            yield name.replace("_id", ""), row[name]
