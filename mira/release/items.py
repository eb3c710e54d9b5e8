"""Rows of `qa` as the items that they ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import orjson
from pydantic import ValidationError

from mira.errors import ReleaseError
from mira.release.reader import Row
from mira.schema.qa import QAItem
from mira.schema.record import describe_fault


def items_of_rows(rows: Iterable[Row]) -> Iterator[QAItem]:
    """The items that were written as rows, one a referring protocol.

    Args:
        rows: Of `qa`, with all columns; those of one item stand together.

    Raises:
        ReleaseError: A row is none of an item.
    """
    for item_id, group in groupby(rows, key=lambda row: row["item_id"]):
        try:
            yield _item(list(group))
        except ValidationError as error:
            raise _damaged(item_id, describe_fault(error)) from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise _damaged(item_id, f"misses something: {error}") from None


def _item(rows: list[Row]) -> QAItem:
    first = rows[0]
    parameters = orjson.loads(first["derivation"]["parameters"])
    return QAItem.model_validate(
        {
            "item_id": first["item_id"],
            "template_id": first["template_id"],
            "image_id": first["image_id"],
            "scene_id": first["scene_id"],
            "direction": first["direction"],
            "marks": first["marks"],
            "options": [_without_text(option) for option in first["options"]],
            "answer": _answer(first),
            "joint_group": _joint_group(first),
            "wordings": [_wording(row) for row in rows],
            "derivation": {**first["derivation"], "parameters": parameters},
            "margin": first["margin"],
            "source": first["answer_source"],
            "review": first["review"],
        }
    )


def _wording(row: Row) -> dict[str, Any]:
    texts = [option["text"] for option in row["options"]]
    return {"protocol": row["protocol"], "question": row["question"], "option_texts": texts}


def _without_text(option: Row) -> Row:
    return {"label": option["label"], "value": option["value"]}


def _answer(row: Row) -> dict[str, Any]:
    """The answer by its format, from the text that a reply is compared with."""
    answer = {"format": row["format"]}
    if row["format"] == "spatial_3d_axes":
        horizontal, vertical, depth = row["answer"].split(",")
        return answer | {"horizontal": horizontal, "vertical": vertical, "depth": depth}
    if row["format"] == "single_choice_plus_text":
        # Releases of older programs lack the column.
        answer["text"] = row.get("answer_words")
    return answer | {"value": row["answer"]}


def _joint_group(row: Row) -> str | None:
    """Rows count together within a protocol, items in all of them."""
    shared = row["joint_group"]
    return None if shared is None else shared.removesuffix(f"-{row['protocol']}")


def _damaged(item_id: object, problem: str) -> ReleaseError:
    return ReleaseError(str(item_id), problem, "see: mira export verify")
