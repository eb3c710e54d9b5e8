"""Texts of options as values of the taxonomy."""

from __future__ import annotations

from functools import cache

from mira.taxonomy.catalogue import taxonomy
from qa_gen.wording import WordingBook

_YES_NO = {"true": "yes", "false": "no", "unknown": "not_sure", "uncertain": "not_sure"}
_ADDED_INFORMATION = (
    ("not_sure", ("not sure",)),
    ("nothing_added", ("no additional info", "adds nothing", "nothing is added")),
    ("other_side_nothing_distinct", ("no distinct", "without anything distinct")),
    ("other_side_distinct", ("something distinct", "distinct new")),
    ("same_side_only", ("only the same", "same visible side", "only the side")),
)
"""Words that tell the options of attribute completion apart, tried in this order."""


def option_value(template_id: str, text: str) -> str:
    """The value of the taxonomy that a text of an option stands for.

    Args:
        template_id: Whose options they are.
        text: As the file has it, without a letter before it.

    Returns:
        The value. In attribute completion the text that stands for no other is what somebody
        wrote of the other side; elsewhere such a text is its own value.
    """
    plain = " ".join(text.replace("_", " ").casefold().split()).removesuffix(".")
    known = _values_by_text(template_id)
    if plain in known:
        return known[plain]
    if template_id == "mpac_001":
        return next(
            (value for value, cues in _ADDED_INFORMATION if any(cue in plain for cue in cues)),
            "other_side_distinct",
        )
    return _YES_NO.get(plain, text)


@cache
def _values_by_text(template_id: str) -> dict[str, str]:
    """Values by their own name and by our words for them."""
    rows = {row.id: row for row in taxonomy().templates}
    named = rows[template_id].options if template_id in rows else None
    values = taxonomy().option_sets.get(named or "", ())
    if named == "yes_no":
        values = taxonomy().option_sets["yes_no_unsure"]
    book = _our_words()
    texts = {value.replace("_", " "): value for value in values if isinstance(values, tuple)}
    return texts | {
        book.option_text(value).casefold(): value for value in values if isinstance(values, tuple)
    }


@cache
def _our_words() -> WordingBook:
    return WordingBook.read()
