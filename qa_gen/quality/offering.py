"""Whether an item's answer stays the same whatever the order of its options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mira.schema.qa import QAItem, Wording
from qa_gen.quality.reading import has_candidates, is_lettered, right_option

_WORD = re.compile(r"[^\W\d_]{3,}")
"""Words of three letters or more; numbers are places in the picture."""


def check_options(item: QAItem) -> Iterator[str]:
    """Why an item's answer would not survive another order of its options; nothing if it would.

    Options change places together with their text, their letter and their mark. The answer
    stays the same content if its letter, its text and its mark each belong to one option.
    """
    if not item.options:
        return
    right = right_option(item)
    if right is None:
        yield f"expected an option {getattr(item.answer, 'value', '')!r}, found none"
        return
    labels = [option.label for option in item.options]
    if len(set(labels)) < len(labels):
        yield f"expected each letter once, found {', '.join(labels)}"
        return
    place = labels.index(right.label)
    if [option.value for option in item.options].count(right.value) > 1:
        yield f"expected {right.value!r} once among the options, found it twice"
    yield from _text_faults(item, place)
    if is_lettered(item) and has_candidates(item):
        yield from _mark_faults(item)


def readable_words(item: QAItem) -> tuple[str, ...]:
    """Words of the question that the right option has and no other, where options are free text.

    Options from the taxonomy are the same for every item, so that their words tell nothing.
    """
    right = right_option(item)
    if right is None or not has_candidates(item):
        return ()
    place = item.options.index(right)
    found: set[str] = set()
    for wording in item.wordings:
        found |= _telling_words(wording, place)
    return tuple(sorted(found))


def _telling_words(wording: Wording, place: int) -> set[str]:
    if place >= len(wording.option_texts):
        return set()
    others = {
        word
        for k, text in enumerate(wording.option_texts)
        if k != place
        for word in _words_of(text)
    }
    return (_words_of(wording.option_texts[place]) - others) & _words_of(wording.question)


def _words_of(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _text_faults(item: QAItem, place: int) -> Iterator[str]:
    for wording in item.wordings:
        texts = [" ".join(text.casefold().split()) for text in wording.option_texts]
        if len(texts) != len(item.options):
            yield (
                f"{wording.protocol}: expected {len(item.options)} texts of options, "
                f"found {len(texts)}"
            )
        elif texts.count(texts[place]) > 1:
            yield (
                f"{wording.protocol}: expected the right option's text once, "
                f"found {wording.option_texts[place]!r} twice"
            )


def _mark_faults(item: QAItem) -> Iterator[str]:
    values = {option.label: option.value for option in item.options}
    for mark in item.marks:
        if mark.role == "candidate" and values.get(mark.label) != str(mark.instance_id):
            yield (
                f"expected mark {mark.label} on instance {values.get(mark.label, 'of no option')}, "
                f"found it on {mark.instance_id}"
            )
