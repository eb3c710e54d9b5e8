"""What a model is told: which pictures it sees, the question, the options, and how to reply."""

from __future__ import annotations

from collections.abc import Sequence

from export.harnesses.pictures import ShownPicture
from mira.errors import ReleaseError
from mira.release.reader import Row
from mira.render.legend import picture_legend
from mira.render.prompt import format_prompt
from mira.taxonomy.catalogue import taxonomy


def prompt_of(row: Row, pictures: Sequence[ShownPicture], *, mirrors_tinted: bool) -> str:
    """The text that goes with the pictures of a question.

    Args:
        row: Its row of `qa`.
        pictures: Its pictures in the order they are shown.
        mirrors_tinted: Whether reflective regions are tinted on them.

    Raises:
        ReleaseError: Its format is none of the taxonomy's.
    """
    options = [(option["label"], option["text"] or "") for option in row["options"] or ()]
    asked = format_prompt(row["question"], options)
    shown = [(picture.role, picture.depth) for picture in pictures]
    legend = picture_legend(shown, mirrors_tinted=mirrors_tinted)
    return "\n".join((*legend, asked, _how_to_reply(row)))


def _how_to_reply(row: Row) -> str:
    """The shortest reply that is read, so that none is lost for its form."""
    kind = row["format"]
    if kind == "yes_no":
        words = [option["text"] or option["label"] for option in row["options"]]
        return f"Reply with {_one_of(words)} and nothing else."
    if kind == "single_choice":
        return f"Reply with {_one_of([one['label'] for one in row['options']])} and nothing else."
    if kind == "single_choice_plus_text":
        labels = _one_of([one["label"] for one in row["options"]])
        return f"Reply with {labels}; a full stop and words of your own may follow."
    if kind == "spatial_3d_axes":
        axes = "; ".join(_one_of(axis) for axis in axis_words().values())
        return f"Reply with three words with commas between them and nothing else: {axes}."
    if kind == "count":
        return "Reply with one whole number in digits and nothing else."
    raise ReleaseError(row["question_id"], f"format: expected one of the taxonomy, found {kind!r}")


def axis_words() -> dict[str, tuple[str, ...]]:
    """Words of each axis: horizontal, vertical, depth."""
    axes = taxonomy().option_sets["axes"]
    assert isinstance(axes, dict)
    return axes


def _one_of(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
