"""The folder that annotators are given."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from annotate.writing.setup.drawings import HEIGHT, WIDTH, drawings
from annotate.writing.setup.labels import labels_of, parse_categories
from annotate.writing.setup.settings import (
    ATTRIBUTES_NAME,
    CLASSES_NAME,
    OLDER,
    SETTINGS_NAME,
    attributes_json,
    classes_txt,
    older_attributes_json,
    settings_yaml,
)
from mira.report.page import render_page
from mira.store.atomic import os_faults, replace_folder
from mira.store.exported_folder import require_unchanged, write_sums

GUIDE_NAME = "guide.html"
_TEMPLATE = Path(__file__).parent / "templates" / "guide.html.j2"
_MEANINGS = {
    "surface": "a mirror or another reflecting region, without its frame",
    "object": "an object, where it is seen directly",
    "object_reflection": "an object, where it is seen in a surface",
    "hole": "what is cut out of the shape with the same id",
    "ignore": "a region that nobody is to look at",
}


class AnnotatorSetup(NamedTuple):
    """What was written for annotators."""

    out: str
    labels: tuple[str, ...]
    files: tuple[str, ...]
    """By path from the folder on."""


def write_setup(out: Path, *, categories: Sequence[str] = ()) -> AnnotatorSetup:
    """Write labels, attributes, settings and the guide, in place of `out`, in one step.

    Args:
        out: The folder; an earlier one is replaced, unless somebody changed it.
        categories: Kinds of object with labels of their own.

    Raises:
        MiraError: A category cannot be used, `out` holds other files, or cannot be written.
    """
    categories = parse_categories(categories)
    files = {
        ATTRIBUTES_NAME: attributes_json(categories),
        CLASSES_NAME: classes_txt(categories),
        SETTINGS_NAME: settings_yaml(categories),
        GUIDE_NAME: guide_html(categories),
        f"{OLDER}/{ATTRIBUTES_NAME}": older_attributes_json(categories),
        f"{OLDER}/{CLASSES_NAME}": classes_txt(categories),
    }
    require_unchanged(out)
    with replace_folder(out) as root, os_faults(out):
        for name, data in files.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(data)
        write_sums(root, {name: hashlib.sha256(data).hexdigest() for name, data in files.items()})
    return AnnotatorSetup(str(out), labels_of(categories), tuple(files))


def guide_html(categories: Sequence[str]) -> bytes:
    """The guide: one page to print, with drawings."""
    page = render_page(
        _TEMPLATE,
        labels=[{"label": label, "meaning": words} for label, words in _MEANINGS.items()],
        categories=categories,
        drawings=drawings(),
        width=WIDTH,
        height=HEIGHT,
    )
    return page.encode()
