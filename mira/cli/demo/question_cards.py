"""A question of the demo page in every protocol and modality, with its answer and why."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import Row, instance_words, read_questions
from mira.render.pictures import RenderedPicture, ScenePictures
from mira.render.question import render_question
from mira.render.style import RenderStyle
from mira.report.page import jpeg_uri
from mira.schema.qa import Modality
from mira.taxonomy.catalogue import taxonomy

_SHOWN_TEMPLATES = ("vc_003", "mc_001", "mc_003")


class Album:
    """Pictures of the page, each kept once."""

    def __init__(self) -> None:
        self.pictures: dict[str, str] = {}

    def add(self, picture: RenderedPicture) -> str:
        """The key of a picture."""
        key = hashlib.sha256(picture.image_rgb.tobytes()).hexdigest()[:12]
        if key not in self.pictures:
            self.pictures[key] = jpeg_uri(picture.image_rgb)
        return key


def examples(release: Path, image_ids: list[str]) -> list[list[Row]]:
    """One item of each shown template, each about another picture; all protocols of each."""
    chosen: dict[str, str] = {}
    grouped: dict[str, list[Row]] = {}
    for row in read_questions(release):
        if row["template_id"] not in _SHOWN_TEMPLATES:
            continue
        turn = _SHOWN_TEMPLATES.index(row["template_id"])
        if row["image_id"] != image_ids[turn % len(image_ids)]:
            continue
        if row["template_id"] == "vc_003" and row["answer"] != "yes":
            continue
        if chosen.setdefault(row["template_id"], row["item_id"]) == row["item_id"]:
            grouped.setdefault(row["template_id"], []).append(row)
    protocols = len(taxonomy().protocols)
    return [
        grouped[template_id]
        for template_id in _SHOWN_TEMPLATES
        if len(grouped.get(template_id, ())) == protocols
    ]


def question_card(rows: list[Row], scene: Row, album: Album, style: RenderStyle) -> dict[str, Any]:
    """What the page shows of one item.

    Args:
        rows: Its rows of `qa`, one a protocol.
        scene: The row of `scenes` that it is about.
        album: Takes the pictures.
        style: How pictures look.
    """
    first, pictures = rows[0], pictures_of_row(scene)
    return {
        "template_id": first["template_id"],
        "subtask": taxonomy().subtask(first["subtask"]).name,
        "answer": first["answer"],
        "why": reason_in_words(first, scene),
        "wordings": {
            row["protocol"]: {"question": row["question"], "options": row["options"]}
            for row in rows
        },
        "shown": {
            f"{row['protocol']}/{modality.id}": _shown(row, pictures, modality.id, album, style)
            for row in rows
            for modality in taxonomy().modalities
        },
    }


def _shown(
    row: Row, pictures: ScenePictures, modality: Modality, album: Album, style: RenderStyle
) -> list[dict[str, str]]:
    rendered = render_question(
        pictures, marks_of_row(row), protocol=row["protocol"], modality=modality, style=style
    )
    mirrors = "mirror" if len(pictures.surface_masks) == 1 else "mirrors"
    return [
        {"picture": album.add(picture), "caption": _caption(picture, mirrors)}
        for picture in rendered
    ]


def _caption(picture: RenderedPicture, mirrors: str) -> str:
    metadata = picture.metadata
    marked = ", ".join(metadata.marked)
    if picture.role == "mask":
        return f"Mask of {marked}" if len(metadata.marked) > 1 else "Mask of the object"
    parts = [{"rgb": "RGB", "depth": "Depth"}[picture.role]]
    if metadata.depth is not None and (span := metadata.depth.in_words):
        parts.append(span)
    if metadata.mirror_overlay:
        parts.append(f"{mirrors} marked {'green' if picture.role == 'rgb' else 'white'}")
    if marked:
        parts.append(f"{'boxes' if len(metadata.marked) > 1 else 'box'} {marked}")
    return ", ".join(parts)


def reason_in_words(row: Row, scene: Row) -> str:
    """The derivation of a row of `qa` in words, with what its row of `scenes` calls things."""
    words = {entry["instance_id"]: instance_words(entry) for entry in scene["instances"]}
    seen = {entry["instance_id"]: entry["visibility"] for entry in scene["instances"]}
    derivation = row["derivation"]
    asked = next(mark["instance_id"] for mark in row["marks"] if mark["role"] == "slot")
    thing = f"the {words[asked]}"
    if derivation["rule"] == "link-of-pair" and row["answer"] == "no":
        shown, other = (mark["instance_id"] for mark in row["marks"] if mark["role"] == "slot")
        reason = f"the reflection shows the {words[shown]}, and the other is the {words[other]}"
    elif derivation["links"]:
        reason = f"the reflection of {thing} is linked to it"
    elif all(seen[instance_id] == "direct" for instance_id in derivation["instance_ids"]):
        reason = f"no reflection is linked to {thing}"
    else:
        reason = f"{thing} is itself outside the picture"
    return f"Why: {reason}. Annotated by: {derivation['annotator']}."
