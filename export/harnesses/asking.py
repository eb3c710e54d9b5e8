"""What a model is told: which pictures it sees, the question, the options, and how to reply."""

from __future__ import annotations

from collections.abc import Sequence

from export.harnesses.pictures import ShownPicture
from mira.errors import ReleaseError
from mira.release.reader import Row
from mira.render.prompt import format_prompt
from mira.taxonomy.catalogue import taxonomy

_ORDINALS = ("first", "second", "third")


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
    return "\n".join((*_legend(pictures, mirrors_tinted), asked, _how_to_reply(row)))


def _legend(pictures: Sequence[ShownPicture], mirrors_tinted: bool) -> list[str]:
    """What each picture is, where there is anything to say."""
    lines = []
    if len(pictures) > 1:
        named = zip(_ORDINALS, pictures, strict=False)
        lines.append(" ".join(_described(place, picture) for place, picture in named))
    if mirrors_tinted:
        white = ", and white in the depth" if any(one.role == "depth" for one in pictures) else ""
        lines.append(f"Mirrors and other reflective surfaces are tinted green{white}.")
    return lines


def _described(place: str, picture: ShownPicture) -> str:
    if picture.role == "rgb":
        return f"The {place} picture shows the scene."
    if picture.role == "mask":
        return f"The {place} picture is a mask of it: white regions on black."
    span = picture.depth.in_words if picture.depth else None
    reach = f" ({span})" if span else ""
    colors = "blue is near, red is far, black is not measured"
    return f"The {place} picture shows its depth{reach}: {colors}."


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
