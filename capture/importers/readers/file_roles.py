"""What a file is by the words in its name: a picture, its depth, or a mask."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Role = Literal["color", "depth", "mask"]

_ROLES: dict[str, Role] = {
    **dict.fromkeys(
        ("color", "colors", "colour", "colours", "rgb", "image", "images", "img", "imgs"), "color"
    ),
    **dict.fromkeys(("depth", "depths"), "depth"),
    **dict.fromkeys(
        ("mask", "masks", "segmentation", "instance", "instances", "label", "labels"), "mask"
    ),
}
_BESIDE = frozenset(
    {"aligned", "registered", "rectified", "undistorted", "raw", "sensor", "map", "to"}
)
"""Words that go with those of a role and tell nothing of which picture it is."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|[0-9]+")


class FileRole(NamedTuple):
    """What a file is, and of which picture."""

    role: Role
    folder: str
    """Its folder less all words of roles; empty for the source itself and folders of a role."""
    key: tuple[str, ...]
    """Words of its name less those of roles, numbers without zeros in front."""
    name: str
    """Its name less the words of roles; empty where nothing else is in it."""


def role_of(path: str) -> FileRole:
    """What a file is, by the last word of a role in its name, or else in its folders' names.

    Args:
        path: Path below the source. A picture without such a word is one in colour.
    """
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0]
    found = [role for text in (stem, *reversed(folders)) if (role := _role_in(text)) is not None]
    kept = (_without_words(folder) for folder in folders)
    return FileRole(
        role=found[0] if found else "color",
        folder="/".join(filter(None, kept)),
        key=tuple(_plain(word) for word, _, _ in _words_kept(stem)),
        name=_without_words(stem),
    )


def is_aligned(path: str) -> bool:
    """Whether the name of a depth map says that it is on the picture's grid."""
    words = [word.casefold() for word in _WORD.findall(path.rpartition("/")[2])]
    return "aligned" in words or "registered" in words


def _role_in(text: str) -> Role | None:
    """The role of the last word that has one; what comes after `to` is whose grid it is on."""
    words = [word.casefold() for word in _WORD.findall(text)]
    if "to" in words and any(word in _ROLES for word in words[: words.index("to")]):
        words = words[: words.index("to")]
    return next((_ROLES[word] for word in reversed(words) if word in _ROLES), None)


def _words_kept(text: str) -> list[tuple[str, int, int]]:
    """Words that tell pictures apart, each with its start and end."""
    words = [(match[0], *match.span()) for match in _WORD.finditer(text)]
    plain = [word.casefold() for word, _, _ in words]
    dropped = {k for k, word in enumerate(plain) if word in _ROLES}
    for k in sorted(dropped):
        for step in (-1, 1):
            beside = k + step
            while 0 <= beside < len(plain) and plain[beside] in _BESIDE:
                dropped.add(beside)
                beside += step
    return [word for k, word in enumerate(words) if k not in dropped]


def _without_words(text: str) -> str:
    """A name less the words of roles, and the separators that they leave behind."""
    kept = _words_kept(text)
    if len(kept) == len(_WORD.findall(text)):
        return text
    pieces: list[str] = []
    end = 0
    for _, start, stop in kept:
        gap = text[end:start]
        if pieces:
            pieces.append("_" if _WORD.search(gap) else gap)
        pieces.append(text[start:stop])
        end = stop
    return "".join(pieces)


def _plain(word: str) -> str:
    return word.lstrip("0") or "0" if word[0] in "0123456789" else word.casefold()
