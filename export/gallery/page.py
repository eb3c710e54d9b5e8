"""The page of a gallery."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mira.render.style import RenderStyle
from mira.report.page import render_page
from mira.schema.export import ReleaseInfo
from mira.taxonomy.catalogue import taxonomy

_TEMPLATE = Path(__file__).with_name("gallery.html.j2")


def gallery_page(
    info: ReleaseInfo, name: str, tiles: list[dict[str, Any]], style: RenderStyle
) -> str:
    """The HTML of the page; pictures and questions are in files beside it.

    Args:
        info: What the release says of itself.
        name: Name of its folder.
        tiles: Pictures, as `tile_of` gives them.
        style: Colours of boxes and mirrors.
    """
    rows = {config.name: sum(part.rows for part in config.splits) for config in info.configs}
    templates: Counter[str] = Counter()
    for tile in tiles:
        templates.update(tile["templates"])
    names = {row.id: row.name for row in taxonomy().subtasks}
    return render_page(
        _TEMPLATE,
        title=info.name,
        folder=name,
        stage=info.stage,
        digest=info.digest,
        pictures=len(tiles),
        all_pictures=rows["scenes"],
        questions=rows["qa"],
        version=version("mira-toolkit"),
        templates=[
            (row.id, f"{row.id} · {names[row.subtask]}", templates[row.id])
            for row in taxonomy().templates
            if templates[row.id]
        ],
        protocols=[
            (row.id, row.name)
            for row in taxonomy().protocols
            if any(row.id in tile["protocols"] for tile in tiles)
        ],
        splits=sorted({tile["split"] for tile in tiles}),
        places=sorted({tile["place"] for tile in tiles if tile["place"]}),
        content={
            "tiles": tiles,
            "style": {
                "slots": [_css(color) for color in style.slot_colors],
                "candidates": [_css(color) for color in style.candidate_colors],
                "line": style.line_px,
                "label": style.label_px,
                "mirror": _css(style.mirror_color),
                "mirrorAlpha": style.mirror_alpha,
                "mirrorDepth": _css(style.mirror_depth_color),
                "mirrorDepthAlpha": style.mirror_depth_alpha,
            },
            "templates": [row.id for row in taxonomy().templates],
            "drawn": [row.id for row in taxonomy().protocols if row.drawn_box],
            "masked": [row.id for row in taxonomy().protocols if row.mask_picture],
        },
    )


def _css(color: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
