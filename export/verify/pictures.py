"""What the table `scenes` says of each picture, checked and kept for the questions about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from export.verify.findings import FindingList, finding
from export.verify.sightings import Link, Seen, Sightings, find_sightings
from mira.geometry.mask import Rle, box_of_rle
from mira.release.reader import read_scenes
from mira.schema.annotation import Visibility
from mira.schema.finding import Finding, Severity
from mira.schema.qa import Box
from mira.schema.record import describe_fault

_COLUMNS = (
    *("image_id", "scene_id", "width_px", "height_px", "licence", "consent"),
    *("surfaces", "instances", "links"),
)


class _Stated(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Region(_Stated):
    box_xyxy_px: Box
    segmentation: Rle


class _Surface(_Region):
    surface_id: int


class _Instance(_Region):
    instance_id: int
    visibility: Visibility
    category: str | None


class _Picture(_Stated):
    image_id: str
    scene_id: str
    split: str
    width_px: int
    height_px: int
    licence: str | None
    consent: str | None
    surfaces: tuple[_Surface, ...]
    instances: tuple[_Instance, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What questions about a picture are held against."""

    scene_id: str
    split: str
    width_px: int
    height_px: int
    boxes: dict[int, Box]
    """Box of every instance, by id."""
    sightings: Sightings
    """Which instances show one object, and how it is seen."""


def read_pictures(
    release: Path, *, found: FindingList, open_matters: Severity
) -> dict[str, PictureFacts]:
    """Facts of every picture by id: a few numbers an instance, neither outlines nor pictures.

    Args:
        release: The folder.
        found: Takes what is wrong with or open in the table.
        open_matters: How grave what is open is.
    """
    facts: dict[str, PictureFacts] = {}
    open_scenes: dict[str, set[str]] = {"licence": set(), "consent": set()}
    for row in read_scenes(release, columns=_COLUMNS):
        where = str(row["image_id"])
        try:
            picture = _Picture.model_validate(row)
        except ValidationError as error:
            found.add(finding("row-malformed", release, where, describe_fault(error)))
            continue
        if where in facts:
            found.add(finding("duplicate-id", release, where, "two pictures have this id"))
        for fault in _check_regions(release, picture):
            found.add(fault)
        facts[where] = _facts(picture)
        for name, scenes in open_scenes.items():
            if getattr(picture, name) in (None, "", "unknown"):
                scenes.add(picture.scene_id)
    for name, scenes in open_scenes.items():
        if scenes:
            found.add(
                finding(
                    f"{name}-open",
                    release,
                    f"scenes.{name}",
                    f"{len(scenes)} scenes have no {name} on record",
                    severity=open_matters,
                )
            )
    return facts


def _facts(picture: _Picture) -> PictureFacts:
    instances = picture.instances
    return PictureFacts(
        scene_id=picture.scene_id,
        split=picture.split,
        width_px=picture.width_px,
        height_px=picture.height_px,
        boxes={entry.instance_id: entry.box_xyxy_px for entry in instances},
        sightings=find_sightings(
            {entry.instance_id: Seen(entry.visibility, entry.category) for entry in instances},
            {link.reflected_id: link for link in picture.links},
        ),
    )


def _check_regions(release: Path, picture: _Picture) -> Iterator[Finding]:
    size = (picture.height_px, picture.width_px)
    regions: list[tuple[int, _Region]] = [
        *((surface.surface_id, surface) for surface in picture.surfaces),
        *((instance.instance_id, instance) for instance in picture.instances),
    ]
    ids = Counter(region_id for region_id, _ in regions)
    for region_id, count in ids.items():
        if count > 1:
            where = f"{picture.image_id}/{region_id}"
            yield finding("duplicate-id", release, where, f"{count} regions have this id")
    for region_id, region in regions:
        where = f"{picture.image_id}/{region_id}"
        if region.segmentation.size != size:
            yield finding(
                "segmentation-size",
                release,
                where,
                f"expected height and width {size}, found {region.segmentation.size}",
            )
        elif (box := box_of_rle(region.segmentation)) != region.box_xyxy_px:
            yield finding(
                "region-box",
                release,
                where,
                f"expected the box {box} around its mask, found {region.box_xyxy_px}",
            )
    known = {instance.instance_id for instance in picture.instances}
    for link in picture.links:
        ends = (link.reflected_id, link.real_id, link.reflection_of_id)
        missing = [end for end in ends if end is not None and end not in known]
        if missing:
            where = f"{picture.image_id}/{link.reflected_id}"
            yield finding("instance-unknown", release, where, f"a link names {missing}")
