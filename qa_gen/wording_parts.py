"""What a question is put together from."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mira.schema.qa import Box
from mira.taxonomy.catalogue import taxonomy
from qa_gen.sentences import Pointing, Sentence, compile_pointing, compile_questions
from qa_gen.wording_files import WordingFiles

_KEPT = 4096


class SlotPhrase(NamedTuple):
    """The words for one slot."""

    label: str
    """The slot."""
    pointing: str
    """Which object is meant."""
    described: str
    """What follows to describe it; empty where it is not described."""


class QuestionParts(NamedTuple):
    """A question, and the parts of it that do not stand in its template."""

    preamble: str
    """Said before it; empty where nothing is."""
    phrases: tuple[SlotPhrase, ...]
    """The words for its slots."""
    direction: str
    """The words for its direction; empty where it has none."""
    sentence: str
    """The template's text with these in their places."""

    @property
    def question(self) -> str:
        """All that is said."""
        return f"{self.preamble} {self.sentence}".strip()


class PartsRenderer:
    """Sentences and phrases, compiled once.

    Most of them come again, for all drawn boxes read alike, and are kept.
    """

    def __init__(self, files: WordingFiles) -> None:
        """Compile the texts of all templates and protocols that the files hold.

        Raises:
            TemplateError: A text cannot be used.
        """
        self._questions = {
            template_id: compile_questions(
                taxonomy().template(template_id), text.question, files.question_files[template_id]
            )
            for template_id, text in files.questions.items()
        }
        self._pointing: dict[str, Pointing] = {
            protocol_id: compile_pointing(
                taxonomy().protocol(protocol_id), phrases, files.referring_file
            )
            for protocol_id, phrases in files.phrases.items()
        }
        self.phrase = lru_cache(_KEPT)(self._phrase)
        self.sentence = lru_cache(_KEPT)(self._sentence)
        self.preamble = lru_cache(_KEPT)(self._preamble)

    @property
    def text_counts(self) -> dict[str, int]:
        """How many texts each template has."""
        return {template_id: len(texts) for template_id, texts in self._questions.items()}

    def described(self, protocol_id: str, description: str) -> str:
        """What follows a phrase to describe its object."""
        return self._pointing[protocol_id].described.render({"description": description})

    def _phrase(self, protocol_id: str, style: str, label: str, box: Box) -> str:
        x1, y1, x2, y2 = box
        phrase: Sentence = getattr(self._pointing[protocol_id], style)
        return phrase.render({"label": label, "x1": x1, "y1": y1, "x2": x2, "y2": y2})

    def _preamble(self, protocol_id: str, size_px: tuple[int, int]) -> str:
        width, height = size_px
        return self._pointing[protocol_id].preamble.render({"width": width, "height": height})

    def _sentence(
        self, template_id: str, paraphrase: int, words: tuple[tuple[str, str], ...], direction: str
    ) -> str:
        texts = self._questions[template_id]
        if not 0 <= paraphrase < len(texts):
            raise IndexError(
                f"{template_id}: expected a text from 0 to {len(texts) - 1}, found {paraphrase}"
            )
        values = dict(words)
        if direction:
            values["direction"] = direction
        return texts[paraphrase].render(values)
