"""Styles of rendered pictures from what people write on a command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from PIL import ImageColor
from pydantic import ValidationError

from mira.errors import MiraError
from mira.render.style import Color, RenderStyle
from mira.schema.record import describe_fault

SHORT_NAMES = {
    "color": "slot_colors",
    "candidate-color": "candidate_colors",
    "thickness": "line_px",
    "rim": "halo_px",
    "rim-color": "halo_color",
    "labels": "box_labels",
    "label-size": "label_px",
    "depth-map": "depth_map",
    "mirror-alpha": "mirror_alpha",
}
"""Short names of the settings that are swept most, beside the names of `RenderStyle`."""
MAX_STYLES = 64
"""A sweep of more is taken for a slip."""
_FIELDS = frozenset(RenderStyle.model_fields) - {"schema_version"}


class NamedStyle(NamedTuple):
    """A style of a sweep, under a name that can be a folder's."""

    name: str
    style: RenderStyle
    settings: tuple[tuple[str, str], ...] = ()
    """Name and value of what is swept."""


def parse_style(settings: Iterable[str]) -> RenderStyle:
    """A style from settings such as `thickness=6` and from JSON files of them; the last one wins.

    Raises:
        MiraError: A name is unknown, a value does not fit, or a file cannot be read.
    """
    fields: dict[str, Any] = {}
    for setting in settings:
        if "=" in setting:
            name, value = _split(setting, "--style")
            field = _field(name, "--style")
            fields[field] = _value(field, value, "--style")
        else:
            fields |= _read_settings(Path(setting))
    return _style(fields, "--style")


def parse_sweep(swept: Sequence[str], *, base: RenderStyle) -> tuple[NamedStyle, ...]:
    """Every combination of values such as `color=red,lime` and `thickness=2,4`, in that order.

    Args:
        swept: A name and its values with commas; none gives the base alone, without a name.
        base: What is not swept.

    Raises:
        MiraError: A name is unknown or there twice, a value does not fit or is there twice, or
            there are too many styles.
    """
    if not swept:
        return (NamedStyle("", base),)
    axes = [_split(setting, "--sweep") for setting in swept]
    fields = [_field(name, "--sweep") for name, _ in axes]
    values = [text.split(",") for _, text in axes]
    for what in (fields, *values):
        if len(set(what)) < len(what):
            twice = next(one for one in what if what.count(one) > 1)
            raise MiraError("--sweep", f"expected each name and value once, found {twice!r} twice")
    styles = []
    for chosen in product(*values):
        parts = [f"{axis}-{value}" for (axis, _), value in zip(axes, chosen, strict=True)]
        own = {f: _value(f, value, "--sweep") for f, value in zip(fields, chosen, strict=True)}
        name = re.sub(r"[^\w.\-+]", "", "_".join(parts))
        settings = tuple(zip((name for name, _ in axes), chosen, strict=True))
        style = _style({**base.model_dump(), **own}, "--sweep")
        styles.append(NamedStyle(name, style, settings))
        if len(styles) > MAX_STYLES:
            raise MiraError("--sweep", f"expected at most {MAX_STYLES} styles, found more")
    return tuple(styles)


def style_words(changes: Mapping[str, Any]) -> str:
    """What is not as it is by default, as `parse_style` takes it; nothing where all is.

    Args:
        changes: Fields by name, as `RenderStyle.changes` gives them.
    """
    short = {field: name for name, field in SHORT_NAMES.items()}
    return ", ".join(
        f"{short.get(field, field)}={_value_words(changes[field], several=field.endswith('s'))}"
        for field in sorted(changes)
    )


def _value_words(value: Any, *, several: bool) -> str:
    if isinstance(value, (list, tuple)):
        colors = value if several else [value]
        return "+".join("#" + "".join(f"{channel:02x}" for channel in one) for one in colors)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _split(setting: str, where: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise MiraError(where, f"expected NAME=VALUE, found {setting!r}")
    return name.strip(), value.strip()


def _field(name: str, where: str) -> str:
    field = SHORT_NAMES.get(name.replace("_", "-"), name.replace("-", "_"))
    if field not in _FIELDS:
        known = ", ".join((*SHORT_NAMES, *sorted(_FIELDS)))
        raise MiraError(where, f"expected one of {known}, found {name!r}")
    return field


def _value(field: str, text: str, where: str) -> Any:
    text = text.strip()
    if field.endswith("_colors"):
        return tuple(_color(one, where) for one in text.split("+"))
    if field == "label_color" and text == "none":
        return None
    return _color(text, where) if field.endswith("_color") else text


def _color(text: str, where: str) -> Color:
    try:
        red, green, blue, *_ = ImageColor.getrgb(text.strip())
    except ValueError:
        raise MiraError(where, f"expected a colour by name or as #rrggbb, found {text!r}") from None
    return red, green, blue


def _read_settings(path: Path) -> dict[str, Any]:
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        problem = f"expected NAME=VALUE or a JSON file of them, found {str(path)!r}: "
        raise MiraError("--style", problem + (error.strerror or str(error))) from None
    except orjson.JSONDecodeError as error:
        raise MiraError(path, f"expected one JSON document, found a fault: {error}") from None
    if not isinstance(content, dict):
        raise MiraError(path, f"expected settings by name, found {type(content).__name__}")
    RenderStyle.from_json(orjson.dumps(content), where=path)
    return content


def _style(fields: dict[str, Any], where: str) -> RenderStyle:
    try:
        return RenderStyle.model_validate(fields)
    except ValidationError as error:
        raise MiraError(where, describe_fault(error)) from None
