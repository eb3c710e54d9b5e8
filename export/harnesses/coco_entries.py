"""Entries of a COCO document from rows of a release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mira.release.drawings import ReleasedDrawing
from mira.release.reader import Row
from mira.store.coco import CATEGORIES
from mira.store.subjects import Role, label_of

Json = dict[str, Any]
_OF_IMAGE = (
    *("scene_id", "split", "depth_unit_m", "depth_kind", "intrinsics"),
    *("environment", "lighting", "place", "source", "consent"),
)
"""Columns of `scenes` that the entry of a picture has under the same name."""


def image_entry(row: Row, *, file_name: str, depth_file_name: str | None) -> Json:
    """The entry of a picture, without its ids.

    Args:
        row: Of `scenes`.
        file_name: Path of the colour file, from the folder of the document on.
        depth_file_name: The same of its depth, if it has any.
    """
    return {
        "file_name": file_name,
        "width": row["width_px"],
        "height": row["height_px"],
        "name": row["image_id"],
        "depth_file_name": depth_file_name,
        **{name: row[name] for name in _OF_IMAGE},
    }


def fields_by_instance(drawing: ReleasedDrawing) -> dict[int, Json]:
    """What a release says of instances that drawings of other sources have no field for."""
    real_ids = {link.reflected_id: link.real_id for link in drawing.links}
    fields: dict[int, Json] = {}
    for instance in drawing.instances:
        own: Json = {"visibility": instance.visibility}
        if instance.visibility == "reflected":
            real_id = real_ids.get(instance.instance_id)
            own |= {"seen_in": instance.seen_in, "real_id": real_id}
        fields[instance.instance_id] = own
    return fields


def categories_of(rows: Iterable[Row]) -> dict[str, Role]:
    """Categories of a whole release in the order of their ids: our own words, then by name.

    Args:
        rows: Of `scenes`, those of all splits; `instances` alone is read.
    """
    found: dict[str, Role] = {}
    for row in rows:
        for one in row["instances"]:
            reflected = one["visibility"] == "reflected"
            name = label_of(one["category"], one["visibility"])
            found[name] = "reflected" if reflected else "direct"
    # Regions out of scope are in no release.
    ours = {name: role for name, role in CATEGORIES.items() if role != "ignore"}
    return ours | {name: found[name] for name in sorted(found.keys() - ours.keys())}
