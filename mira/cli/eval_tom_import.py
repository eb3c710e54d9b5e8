"""`mira eval tom import`: a published set as a run of questions."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, say_next

if TYPE_CHECKING:
    from mira.evals.tom.importing import TomImport

_SHOWN_OF_A_REASON = 3


class TomSet(StrEnum):
    """Published sets."""

    tomi = "tomi"
    hitom = "hitom"
    fantom = "fantom"
    tombench = "tombench"
    simpletom = "simpletom"
    bigtom = "bigtom"
    mmtom = "mmtom"
    mumatom = "mumatom"


class Context(StrEnum):
    """How much of a conversation is told."""

    short = "short"
    full = "full"


class Language(StrEnum):
    """Languages of ToMBench."""

    en = "en"
    zh = "zh"


class Prompting(StrEnum):
    """Copies of Hi-ToM's questions."""

    both = "both"
    vp = "vp"
    cotp = "cotp"


def import_(
    source: Annotated[
        Path,
        typer.Argument(help="A file, folder or zip archive as published.", metavar="SOURCE"),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder for the run.", metavar="RUN", file_okay=False),
    ],
    published: Annotated[
        TomSet | None, typer.Option("--from", help="The set; seen from the files by default.")
    ] = None,
    circulate: Annotated[
        bool,
        typer.Option("--circulate", help="Ask each question with its options in every rotation."),
    ] = False,
    context: Annotated[
        Context, typer.Option("--context", help="FANToM: how much of the conversation is told.")
    ] = Context.short,
    language: Annotated[Language, typer.Option("--language", help="ToMBench.")] = Language.en,
    prompting: Annotated[
        Prompting,
        typer.Option(
            "--prompting", help="Hi-ToM: both copies of its questions held together, or one."
        ),
    ] = Prompting.both,
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence", help="Of this copy; that of its repository by default.", metavar="SPDX"
        ),
    ] = None,
    show_all: Annotated[
        bool, typer.Option("--all", help="List every question and file that is left out.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import a published set; questions whose answer cannot be right are left out and listed."""
    from mira.evals.tom.importing import import_set
    from mira.evals.tom.sets.choices import ImportChoices

    found = import_set(
        source,
        out,
        name=None if published is None else published.value,
        choices=ImportChoices(
            context=context.value, language=language.value, prompting=prompting.value
        ),
        turns_options=circulate,
        licence=licence,
    )
    if as_json:
        print_json({**found.model_dump(mode="json"), "reasons": found.reasons})
        return
    _show(found, most=None if show_all else _SHOWN_OF_A_REASON)
    say_next("mira", "eval", "tom", "baseline", out, "--out", f"{out}-random.jsonl")


def _show(found: TomImport, *, most: int | None) -> None:
    from mira.evals.tom.drafts import REASONS

    taken = format_count(found.items, "question")
    stories = format_count(found.stories, "story", "stories")
    turned = f", {found.rotations:,} with options in turn" if found.rotations > found.items else ""
    print(f"{found.source}: {taken} about {stories}{turned}; licence {found.licence}")
    print(f"by kind: {_listed(found.by_kind)}")
    print(f"by order: {_listed(found.by_order)}")
    if found.joint_groups:
        print(f"counting together: {format_count(found.joint_groups, 'group')}")
    if found.note:
        print(f"note: {found.note}")
    for name in found.not_read[:most]:
        print(f"not read: {name}: holds nothing of {found.source}")
    if most is not None and len(found.not_read) > most:
        print(f"not read: {len(found.not_read) - most:,} more; --all lists them")
    shown: Counter[str] = Counter()
    for reason, count in found.reasons.items():
        print(f"left out: {count:,} [{reason}] {REASONS[reason]}")  # type: ignore[index]
        for one in found.left_out:
            if one.reason == reason and (most is None or shown[reason] < most):
                shown[reason] += 1
                print(f"  {one.item_id}: {one.detail} ({one.where})")
        if count > shown[reason]:
            print(f"  and {count - shown[reason]:,} more; --all lists them")
    print(f"Run: {found.out}")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
