"""Fill a page: one HTML file with its styles, scripts and pictures inside."""

from __future__ import annotations

import base64
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from numpy.typing import NDArray

_TEMPLATES = Path(__file__).parent / "templates"
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What would end a script element, or a line of one, as JSON writes it otherwise."""


def render_page(template: Path, **content: Any) -> str:
    """The HTML of a page.

    Args:
        template: A Jinja file; it extends `base.html.j2`, which brings the design.
        content: What the template shows. Text is escaped.
    """
    return _environment(template.parent).get_template(template.name).render(**content)


@lru_cache(maxsize=8)
def _environment(folder: Path) -> Environment:
    """Compiles the templates of a folder, each of them once."""
    env = Environment(
        loader=FileSystemLoader([folder, _TEMPLATES]),
        autoescape=select_autoescape(["html", "html.j2", "j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["percent"] = percent
    env.filters["thousands"] = lambda number: f"{number:,}"
    return env


def percent(value: float | None) -> str:
    """A share as text, one decimal; a dash where there is none."""
    return "–" if value is None else f"{100 * value:.1f}"


def json_for_script(text: str) -> str:
    """JSON as it may stand in a script, whatever its texts hold.

    Args:
        text: One JSON document.
    """
    for found, written in _UNSAFE.items():
        text = text.replace(found, written)
    return text.strip()


def jpeg_uri(image_rgb: NDArray[np.uint8], *, quality: int = 88) -> str:
    """A picture to put into a page, as a data URI; smaller than PNG, for looking at only.

    Args:
        image_rgb: Shape (height, width, 3).
        quality: JPEG quality, 1 to 100.
    """
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
    _, data = cv2.imencode(".jpg", cv2.cvtColor(image_rgb, cv2.COLOR_RGB2BGR), flags)
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode("ascii")
