"""English articles: `a` or `an`, and one of them at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qa_gen.linting.places import Fault, Reading
from qa_gen.linting.policy import LintPolicy

_ARTICLE = re.compile(r"\b(an?)\s+[\"'“(]?([^\W_][\w'’-]*)", re.IGNORECASE)
_DOUBLED = re.compile(r"\b(a|an|the)\s+(a|an|the)\b", re.IGNORECASE)
_ARTICLES = ("a", "an", "the")
_CONSONANT_SOUND = re.compile(
    # A y or a w that is heard and not written: unit, user, European, one, once.
    r"(?:uni[cfloqstv]|u[bt]i[lq]|ubiquit|us(?:e|a[bg]|u(?:al|r))|ut(?:ensil|opi)|ura[nl]"
    r"|u(?:kulele|nanimous|rin)|eu|ewe|one(?![a-z])|once|ouija)",
    re.IGNORECASE,
)
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_VOWEL_NUMBER = re.compile(r"(?:8\d*|1[18](?:\d{3})*)(?!\d)")
_VOWEL_NAMES = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel: an X-ray, an LED."""


def check_articles(reading: Reading, _policy: LintPolicy) -> Iterator[Fault]:
    """`a` before a vowel that is heard, `an` before anything else, and two articles in a row."""
    text = reading.text
    for match in _ARTICLE.finditer(text):
        article, word = match.groups()
        if article == "A" and not _begins_a_sentence(text, match.start()):
            # A letter, as in "object A is".
            continue
        if word.lower() in _ARTICLES:
            continue
        if article.lower() not in _articles_before(word):
            right = "an" if article.lower() == "a" else "a"
            message = f"expected {right} before {word!r}, found {reading.around(*match.span())}"
            yield Fault("article-wrong", *match.span(), message)
    for match in _DOUBLED.finditer(text):
        one, other = match.groups()
        if one.lower() != other.lower() and (one != "A" or _begins_a_sentence(text, match.start())):
            message = f"expected one article, found two at {reading.around(*match.span())}"
            yield Fault("article-doubled", *match.span(), message)


def _articles_before(word: str) -> tuple[str, ...]:
    """The article that a word takes; both where a reader may spell it out or not."""
    if word[0].isdigit():
        return ("an",) if _VOWEL_NUMBER.match(word) else ("a",)
    first = re.split(r"[-'’]", word)[0]
    if len(first) == 1 and first.isupper():
        return ("an",) if first in _VOWEL_NAMES else ("a",)
    vowel = word[0].lower() in "aeiouáàâäåãæéèêëíìîïóòôöøœúùûü"
    spelt_out_or_not = first.isupper() and (first[0] in _VOWEL_NAMES) != vowel
    if spelt_out_or_not or not (word[0].isascii() or vowel) or word.lower().startswith("herb"):
        return ("a", "an")
    heard = _VOWEL_SOUND.match(word) or (vowel and not _CONSONANT_SOUND.match(word))
    return ("an",) if heard else ("a",)


def _begins_a_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“(")
    return not before or before[-1] in ".?!:"
