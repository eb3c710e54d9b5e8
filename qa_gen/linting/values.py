"""Words for values: options and directions that one can tell apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from mira.schema.finding import Finding
from mira.taxonomy.catalogue import taxonomy
from qa_gen.linting.finding import made
from qa_gen.linting.places import Place
from qa_gen.wording_files import WordingFiles


def check_values(files: WordingFiles) -> Iterator[Finding]:
    """Options and directions that read alike, and options that begin as another one reads."""
    path = files.options_file
    for values in taxonomy().option_sets.values():
        if isinstance(values, tuple):
            yield from _equal(files.words.options, values, path, "options")
            yield from _prefixes(files.words.options, values, path)
    for name, values in taxonomy().directions.items():
        yield from _equal(files.words.directions[name], values, path, f"directions.{name}")


def _equal(
    words: Mapping[str, str], values: Sequence[str], path: str, field: str
) -> Iterator[Finding]:
    said: dict[tuple[str, ...], str] = {}
    for value in values:
        same = said.setdefault(_plain(words[value]), value)
        if same != value:
            message = f"expected words of its own, found those of {same}: {words[value]!r}"
            yield made("words-equal", Place(path, f"{field}.{value}"), message)


def _prefixes(words: Mapping[str, str], values: Sequence[str], path: str) -> Iterator[Finding]:
    spoken = {value: _plain(words[value]) for value in values}
    for value, mine in spoken.items():
        for other, theirs in spoken.items():
            if mine and len(mine) < len(theirs) and theirs[: len(mine)] == mine:
                message = (
                    f"expected words that no other option begins with, found {words[value]!r} "
                    f"and {words[other]!r} ({other})"
                )
                yield made("words-prefix", Place(path, f"options.{value}"), message)


def _plain(text: str) -> tuple[str, ...]:
    """Words and numbers, without case, spaces and marks."""
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))
