"""What a model is told: the question as every harness words it, and how to reply."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mira.release.asking import answer_words, question_text
from mira.release.picture_files import ShownPicture
from mira.release.reader import Row

_PATH = Path(__file__).with_name("prompt.yaml")
_DIGITS = 8


@dataclass(frozen=True)
class ReplyWording:
    """How a model is told to reply.

    Attributes:
        version: Of the words: a number, and digits of a digest of them, so that no word changes
            unseen.
    """

    version: str
    _words: dict[str, Any]

    @classmethod
    @cache
    def read(cls) -> ReplyWording:
        """The words that come with the package."""
        data = _PATH.read_bytes()
        words = yaml.safe_load(data)
        digest = hashlib.sha256(data).hexdigest()[:_DIGITS]
        return cls(f"{words['version']}-{digest}", words)

    def prompt(self, row: Row, pictures: Sequence[ShownPicture], *, mirrors_tinted: bool) -> str:
        """The text that goes with the pictures of a question.

        Args:
            row: Its row of `qa`.
            pictures: Its pictures in the order they are shown.
            mirrors_tinted: Whether reflective regions are tinted on them.

        Raises:
            ReleaseError: Its format is none of the taxonomy's.
        """
        asked = question_text(row, pictures, mirrors_tinted=mirrors_tinted)
        return f"{asked}\n{self.how_to_reply(row)}"

    def how_to_reply(self, row: Row) -> str:
        """The form of a reply to a question."""
        words, kind = answer_words(row), row["format"]
        what = self._words["what"][kind].format(words=words)
        told: str = self._words["reply"].format(form=self._words["forms"][kind], what=what)
        return told

    def repair(self, row: Row) -> str:
        """What a model is told whose reply gives no answer."""
        told: str = self._words["repair"].format(reply=self.how_to_reply(row))
        return told
