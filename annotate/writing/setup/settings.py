"""Files that set up X-AnyLabeling: attributes, labels and settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import orjson
import yaml

from annotate.writing.setup.labels import labels_of
from mira.schema.annotation import Counterpart
from mira.schema.capture import SurfaceType
from mira.store.subjects import UNSET

Json = dict[str, Any]

_SURFACE_TYPES = (UNSET, *get_args(SurfaceType))
_COUNTERPARTS = (UNSET, *get_args(Counterpart))
_IDS_OFFERED = 99
"""Ids in the drop-downs of versions that cannot fill them from the picture."""
_SURFACE, _DIRECT, _REFLECTED = [18, 161, 80], [29, 111, 209], [217, 100, 15]
_HOLE, _IGNORE = [196, 28, 140], [128, 128, 128]


def attributes_json(categories: Sequence[str]) -> bytes:
    """`attributes.json` for X-AnyLabeling 4: radio buttons, and drop-downs of the ids in use.

    The program writes the first option of a radio button without being asked, so that is `unset`.
    """
    links: Json = {"reflection_of": [], "in_mirror": [], "counterpart": _COUNTERPARTS}
    widgets = {"reflection_of": "group_id", "in_mirror": "group_id", "counterpart": "radiobutton"}
    reflections = _reflections(categories)
    return _json(
        {
            "surface": {"surface_type": _SURFACE_TYPES},
            **dict.fromkeys(reflections, links),
            "__widget_types__": {
                "surface": {"surface_type": "radiobutton"},
                **dict.fromkeys(reflections, widgets),
            },
        }
    )


def older_attributes_json(categories: Sequence[str]) -> bytes:
    """The same for versions before 4: drop-downs with a fixed list of ids."""
    ids = (UNSET, *map(str, range(1, _IDS_OFFERED + 1)))
    links = {"reflection_of": ids, "in_mirror": ids, "counterpart": _COUNTERPARTS}
    return _json(
        {
            "surface": {"surface_type": _SURFACE_TYPES},
            **dict.fromkeys(_reflections(categories), links),
        }
    )


def classes_txt(categories: Sequence[str]) -> bytes:
    """The labels, one a line."""
    return "".join(f"{label}\n" for label in labels_of(categories)).encode()


def settings_yaml(categories: Sequence[str]) -> bytes:
    """Settings for X-AnyLabeling 4: our labels and no others, one colour a role.

    Pictures are not put into the annotation, and not turned on disk by their EXIF orientation.
    Labels on the canvas show the ids already; boxes and answers beside them would hide the picture.
    """
    labels = list(labels_of(categories))
    settings = {
        "labels": labels,
        "validate_label": "exact",
        "sort_labels": False,
        "shape_color": "manual",
        "label_colors": {label: _color(label) for label in labels},
        "auto_save": True,
        "store_data": False,
        "exif_scan_enabled": False,
        "auto_use_last_gid": False,
        "show_labels": True,
        "show_groups": False,
        "show_attributes": False,
    }
    text: str = yaml.safe_dump(settings, allow_unicode=True, sort_keys=False)
    return f"# Settings for X-AnyLabeling 4: --config {SETTINGS_NAME}\n{text}".encode()


ATTRIBUTES_NAME = "attributes.json"
CLASSES_NAME = "classes.txt"
SETTINGS_NAME = "xanylabelingrc.yaml"
OLDER = "older"


def _reflections(categories: Sequence[str]) -> list[str]:
    return [label for label in labels_of(categories) if label.endswith("_reflection")]


def _color(label: str) -> list[int]:
    own = {"surface": _SURFACE, "hole": _HOLE, "ignore": _IGNORE}
    return list(own.get(label) or (_REFLECTED if label.endswith("_reflection") else _DIRECT))


def _json(content: Json) -> bytes:
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
