"""What the demo page shows, gathered from a release and its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import Row, read_info, read_questions, read_scenes
from mira.render.depth import DepthScale, render_depth
from mira.render.pictures import RenderedPicture, ScenePictures
from mira.render.question import render_question
from mira.render.style import RenderStyle
from mira.report.page import jpeg_uri, render_page
from mira.schema.evaluation import MetricResult, ScoreTable
from mira.taxonomy.catalogue import taxonomy

_TEMPLATE = Path(__file__).with_name("demo_page.html.j2")
_FIRST_PROTOCOL = "visual_bbox"
_FIRST_MODALITY = "rgb_dm"
_CAPTIONS = {"rgb": "RGB", "mask": "Mask of the marked objects", "depth": "Depth"}
_SHOWN_TEMPLATES = ("vc_003", "mc_001", "mc_003")


@dataclass(frozen=True)
class Step:
    """One step of the pipeline, for the strip at the top."""

    name: str
    result: str
    command: str


def demo_page(release: Path, *, steps: Sequence[Step], tables: dict[str, ScoreTable]) -> str:
    """The HTML of the page.

    Args:
        release: What was built.
        steps: What was done.
        tables: For each player, its scores.
    """
    info = read_info(release)
    scenes = {row["image_id"]: row for row in read_scenes(release)}
    style = RenderStyle()
    album = _Album()
    questions = [
        _question(rows, scenes[rows[0]["image_id"]], album, style)
        for rows in _examples(release, list(scenes))
    ]
    return render_page(
        _TEMPLATE,
        figures=_figures(info.statistics, len(scenes)),
        steps=steps,
        scenes=[_scene(row, style) for row in scenes.values()],
        questions=questions,
        pictures=album.pictures,
        protocols=taxonomy().protocols,
        modalities=taxonomy().modalities,
        first_protocol=_FIRST_PROTOCOL,
        first_modality=_FIRST_MODALITY,
        players=[{"name": name} for name in tables],
        score_rows=_score_rows(list(tables.values())),
        digest=info.digest,
        release_name=release.name,
        version=version("mira-toolkit"),
        content={
            "protocol": _FIRST_PROTOCOL,
            "modality": _FIRST_MODALITY,
            "pictures": album.pictures,
            "questions": [
                {key: question[key] for key in ("answer", "wordings", "shown")}
                for question in questions
            ],
        },
    )


class _Album:
    """Pictures of the page, each kept once."""

    def __init__(self) -> None:
        self.pictures: dict[str, str] = {}

    def add(self, picture: RenderedPicture) -> str:
        key = hashlib.sha256(picture.image_rgb.tobytes()).hexdigest()[:12]
        if key not in self.pictures:
            self.pictures[key] = jpeg_uri(picture.image_rgb)
        return key


def _figures(statistics: dict[str, dict[str, int]], pictures: int) -> list[dict[str, Any]]:
    def total(table: str) -> int:
        return sum(statistics.get(table, {}).values())

    linked = statistics.get("reflections by counterpart", {}).get("in_frame", 0)
    return [
        {"name": "pictures", "value": pictures},
        {"name": "reflective surfaces", "value": total("surfaces by type")},
        {"name": "outlined instances", "value": total("instances by visibility")},
        {"name": "reflections linked to their object", "value": linked},
        {"name": "questions", "value": total("questions by template")},
    ]


def _scene(row: Row, style: RenderStyle) -> dict[str, Any]:
    pictures = pictures_of_row(row)
    depth = None
    if pictures.depth is not None:
        depth = render_depth(pictures.depth, unit_m=pictures.metric_unit_m, style=style)
    boxes = {entry["instance_id"]: entry["box_xyxy_px"] for entry in row["instances"]}
    return {
        "image_id": row["image_id"],
        "width_px": row["width_px"],
        "height_px": row["height_px"],
        "color_uri": jpeg_uri(pictures.color_rgb),
        "depth_uri": jpeg_uri(depth.image_rgb) if depth else None,
        "depth_range": _range(depth.scale) if depth else None,
        "regions": list(_regions(row)),
        "lines": [
            _line(boxes[link["reflected_id"]], boxes[link["real_id"]])
            for link in row["links"]
            if link["real_id"] is not None
        ],
        "summary": _summary(row),
    }


def _range(scale: DepthScale) -> str | None:
    if scale.near is None or scale.far is None:
        return None
    if scale.unit == "m":
        return f"{scale.near:.2f} to {scale.far:.2f} m"
    return f"{scale.near:.0f} to {scale.far:.0f} steps"


def _regions(row: Row) -> Iterator[dict[str, str]]:
    for surface in row["surfaces"]:
        title = (surface["surface_type"] or "reflective surface").replace("_", " ")
        yield {"kind": "surface", "title": title, "path": _path(surface)}
    for instance in row["instances"]:
        words = instance["description"] or instance["category"] or "object"
        seen = "seen directly" if instance["visibility"] == "direct" else "reflection"
        yield {
            "kind": instance["visibility"],
            "title": f"{instance['instance_id']}: {words} ({seen})",
            "path": _path(instance),
        }


def _path(region: dict[str, Any]) -> str:
    rings = (*region["polygons_px"], *region["holes_px"])
    return " ".join("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in ring) + "Z" for ring in rings)


def _line(first: list[int], second: list[int]) -> tuple[float, float, float, float]:
    return (
        (first[0] + first[2]) / 2,
        (first[1] + first[3]) / 2,
        (second[0] + second[2]) / 2,
        (second[1] + second[3]) / 2,
    )


def _summary(row: Row) -> str:
    direct = sum(entry["visibility"] == "direct" for entry in row["instances"])
    reflected = len(row["instances"]) - direct
    linked = sum(link["real_id"] is not None for link in row["links"])
    return f"{direct} seen directly, {reflected} reflections, {linked} of them linked"


def _examples(release: Path, image_ids: list[str]) -> list[list[Row]]:
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


def _question(rows: list[Row], scene: Row, album: _Album, style: RenderStyle) -> dict[str, Any]:
    first, pictures = rows[0], pictures_of_row(scene)
    return {
        "template_id": first["template_id"],
        "subtask": taxonomy().subtask(first["subtask"]).name,
        "answer": first["answer"],
        "why": _why(first),
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
    row: Row, pictures: ScenePictures, modality: Any, album: _Album, style: RenderStyle
) -> list[dict[str, str]]:
    rendered = render_question(
        pictures, marks_of_row(row), protocol=row["protocol"], modality=modality, style=style
    )
    return [
        {"picture": album.add(picture), "caption": _CAPTIONS[picture.role]} for picture in rendered
    ]


def _why(row: Row) -> str:
    derivation = row["derivation"]
    instances = ", ".join(str(k) for k in derivation["instance_ids"])
    links = "; ".join(f"{a} shows {b}" for a, b in derivation["links"]) or "none"
    return (
        f"Why: rule {derivation['rule']} on instances {instances}; links: {links}; "
        f"annotated by {derivation['annotator']}."
    )


def _score_rows(tables: list[ScoreTable]) -> list[dict[str, Any]]:
    return [
        {
            "name": _row_name(results[0]),
            "sum": results[0].group != "subtask",
            "n": results[0].n,
            "chance": results[0].chance,
            "cells": [{"value": r.value, "interval": r.interval} for r in results],
        }
        for results in zip(*(table.rows for table in tables), strict=True)
    ]


def _row_name(result: MetricResult) -> str:
    if result.group == "subtask":
        return taxonomy().subtask(result.name).name
    if result.group == "level":
        level_id = result.name.removeprefix("level:")
        return next(level.name for level in taxonomy().levels if level.id == level_id)
    return "Overall"
