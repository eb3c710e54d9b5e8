"""A selection as a table of comma-separated values, one row a view."""

from __future__ import annotations

import csv
import io

from capture.selection.records import Selection, ViewJudgement

COLUMNS = (
    "scene_id",
    "view_id",
    "image_id",
    "verdict",
    "twin_of",
    "codes",
    "region",
    "surfaces",
    "surface_share",
    "rim_share",
    "sides_touched",
    "surface_width",
    "direct",
    "reflected",
    "direct_cells",
    "reflected_cells",
    "sharpness",
    "dark_fraction",
    "bright_fraction",
    "valid_depth_fraction",
    "surface_valid_depth_fraction",
    "reasons",
)
"""In order; what was not measured is empty."""


def format_table(selection: Selection) -> bytes:
    """The table in UTF-8 with its header; equal selections give equal bytes."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_row(view) for view in selection.views)
    return text.getvalue().encode()


def _row(view: ViewJudgement) -> dict[str, object]:
    row: dict[str, object] = {
        "scene_id": view.scene_id,
        "view_id": view.view_id,
        "image_id": view.image_id,
        "verdict": view.verdict,
        "twin_of": view.twin_of,
        "codes": " ".join(remark.code for remark in view.remarks),
        "reasons": "; ".join(remark.text for remark in view.remarks),
    }
    if (measures := view.measures) is None:
        return row
    row |= {"region": measures.region, **measures.quality.model_dump()}
    if (surfaces := measures.surfaces) is not None:
        row |= {
            "surfaces": surfaces.count,
            "surface_share": surfaces.share,
            "rim_share": surfaces.rim_share,
            "sides_touched": surfaces.sides_touched,
            "surface_width": surfaces.width,
            "surface_valid_depth_fraction": surfaces.valid_depth_fraction,
        }
    for counts in (measures.objects, measures.structure):
        row |= counts.model_dump() if counts is not None else {}
    return row
