"""What a question says to a model, whoever asks it."""

from __future__ import annotations

from collections.abc import Sequence

from mira.errors import ReleaseError
from mira.release.picture_files import ShownPicture
from mira.release.reader import Row
from mira.render.legend import picture_legend
from mira.render.prompt import format_prompt
from mira.taxonomy.catalogue import taxonomy


def question_text(row: Row, pictures: Sequence[ShownPicture], *, mirrors_tinted: bool) -> str:
    """Which pictures a model sees, the question, the options; how to reply is for others to add.

    Args:
        row: Its row of `qa`.
        pictures: Its pictures in the order they are shown.
        mirrors_tinted: Whether reflective regions are tinted on them.
    """
    options = [(option["label"], option["text"] or "") for option in row["options"] or ()]
    asked = format_prompt(row["question"], options)
    shown = [(picture.role, picture.depth) for picture in pictures]
    return "\n".join((*picture_legend(shown, mirrors_tinted=mirrors_tinted), asked))


def answer_words(row: Row) -> str:
    """What may be answered, in words, such as `A, B or C`; a count has none.

    Args:
        row: Its row of `qa`.

    Raises:
        ReleaseError: Its format is none of the taxonomy's.
    """
    kind = row["format"]
    if kind == "yes_no":
        return _one_of([option["text"] or option["label"] for option in row["options"]])
    if kind in ("single_choice", "single_choice_plus_text"):
        return _one_of([option["label"] for option in row["options"]])
    if kind == "spatial_3d_axes":
        return "; ".join(_one_of(axis) for axis in axis_words().values())
    if kind == "count":
        return ""
    raise ReleaseError(row["question_id"], f"format: expected one of the taxonomy, found {kind!r}")


def axis_words() -> dict[str, tuple[str, ...]]:
    """Words of each axis: horizontal, vertical, depth."""
    axes = taxonomy().option_sets["axes"]
    assert isinstance(axes, dict)
    return axes


def _one_of(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
