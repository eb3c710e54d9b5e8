"""Flags of `mira eval run` as what is asked of whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mira.evals.inspect_runner.options import AskingOptions
    from mira.render.style_settings import NamedStyle

_NAMED_IN_WORDS = {
    *("mirror_color", "mirror_depth_color", "depth_map", "no_reading_color"),
    *("mask_fill", "mask_background"),
}


def asking_options(
    *,
    protocols: str,
    modalities: str,
    reached: dict[str, Any],
    style: Iterable[str] = (),
    sweep: Sequence[str] = (),
    **others: Any,
) -> AskingOptions:
    """What is asked of whom.

    Args:
        protocols: `all`, or ids with commas between them.
        modalities: The same.
        reached: Which model, and how.
        style: Settings of markers, `NAME=VALUE` or files of them.
        sweep: A setting and its values each.
        others: Fields of `AskingOptions` as they are.
    """
    from mira.evals.inspect_runner.options import AskingOptions
    from mira.taxonomy.catalogue import taxonomy

    known_protocols: list[str] = [one.id for one in taxonomy().protocols]
    chosen: Any = _chosen(protocols, known_protocols, "--protocol")
    shown: Any = _chosen(modalities, [one.id for one in taxonomy().modalities], "--modality")
    return AskingOptions(
        protocols=None if set(chosen) == set(known_protocols) else chosen,
        modalities=shown,
        styles=_styles(style, sweep),
        **reached,
        **others,
    )


def _chosen(text: str, known: Sequence[str], flag: str) -> tuple[str, ...]:
    if text == "all":
        return tuple(known)
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"expected all, or some of {', '.join(known)}, found {name!r}", param_hint=flag
            )
    return names


def _styles(style: Iterable[str], sweep: Sequence[str]) -> tuple[NamedStyle, ...]:
    """Looks of markers; what the words beside a picture name by its colour stays as it is."""
    from mira.render.style_settings import parse_style, parse_sweep

    styles = parse_sweep(sweep, base=parse_style(style))
    for one in styles:
        if named := _NAMED_IN_WORDS & set(one.style.changes()):
            raise typer.BadParameter(
                f"{', '.join(sorted(named))}: the words that go with the pictures name these "
                "colours; expected a setting of boxes and labels",
                param_hint="--style",
            )
    return styles
