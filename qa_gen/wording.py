"""Questions put into words, from wording files that are data.

A wording file is YAML with Jinja sentences (see `templates/`); another set of files replaces ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from mira.schema.qa import Box, Mark, Protocol, Wording
from mira.taxonomy.catalogue import ProtocolInfo, TaskTemplate, taxonomy
from qa_gen.sentences import Pointing, Sentence, compile_pointing, compile_question
from qa_gen.wording_files import WordingFiles, read_wording_files
from qa_gen.wording_records import split_words

_KEPT = 4096


class WordingBook:
    """All sentences, compiled and tried out once."""

    def __init__(self, files: WordingFiles) -> None:
        self._words = files.words
        self._revealing_words = frozenset(files.words.revealing_words)
        texts = files.questions
        self._describe = {template_id: text.describe for template_id, text in texts.items()}
        self._questions = {
            row.id: compile_question(row, texts[row.id].question, files.question_files[row.id])
            for row in taxonomy().templates
        }
        self._pointing: dict[str, Pointing] = {
            row.id: compile_pointing(row, files.phrases[row.id], files.referring_file)
            for row in taxonomy().protocols
        }
        # Most phrases and sentences come again: all drawn boxes read alike.
        self._phrase = lru_cache(_KEPT)(self._render_phrase)
        self._sentence = lru_cache(_KEPT)(self._render_sentence)
        self._preamble = lru_cache(_KEPT)(self._render_preamble)
        self._try_out()

    @classmethod
    def read(cls, folder: Path | None = None) -> WordingBook:
        """The wording of a folder, ours where none is given.

        Raises:
            TemplateError: A file or a field of it is missing, unknown or wrong, or a sentence
                cannot be filled in.
        """
        return cls(read_wording_files(folder))

    @property
    def template_ids(self) -> tuple[str, ...]:
        """Templates that have a sentence."""
        return tuple(sorted(self._questions))

    def option_text(self, value: str) -> str:
        """The words for a value of an option set."""
        return self._words.options[value]

    def reveals(self, description: str) -> bool:
        """Whether a description tells how its object is seen."""
        stems = self._words.revealing_stems
        return any(
            word in self._revealing_words or word.startswith(stems)
            for word in split_words(description)
        )

    def described_slots(self, template_id: str) -> frozenset[str]:
        """Slots that the protocols with a description put into words."""
        return self._describe[template_id]

    def wording(
        self,
        template_id: str,
        protocol: ProtocolInfo,
        marks: Sequence[Mark],
        *,
        descriptions: dict[int, str],
        size_px: tuple[int, int],
        option_values: Sequence[str] = (),
        direction: str | None = None,
    ) -> Wording:
        """A question in one protocol.

        Args:
            template_id: Which question.
            protocol: How it points.
            marks: Slots, then candidates.
            descriptions: For each instance id, the words for it.
            size_px: Width and height of the picture shown.
            option_values: Values of the option set where options are not candidates.
            direction: Value of the list of directions where the template has one.

        Raises:
            TemplateError: The sentence asks for a slot that the marks do not have.
        """
        described = self._describe[template_id]
        style = "one" if len(marks) == 1 else "many"
        phrases = []
        for mark in marks:
            if mark.role == "slot":
                words = self._phrase(protocol.id, style, mark.label, mark.box_xyxy_px)
                if protocol.description and mark.label in described:
                    words += self._described(protocol.id, descriptions[mark.instance_id])
                phrases.append((mark.label, words))
        sentence = self._sentence(template_id, tuple(phrases), direction)
        preamble = self._preamble(protocol.id, size_px) if marks else ""
        candidates = tuple(
            self._phrase(protocol.id, "candidate", mark.label, mark.box_xyxy_px)
            for mark in marks
            if mark.role == "candidate"
        )
        return Wording(
            protocol=protocol.id,
            question=f"{preamble} {sentence}".strip(),
            option_texts=candidates or tuple(self.option_text(value) for value in option_values),
        )

    def _render_phrase(self, protocol_id: str, style: str, label: str, box: Box) -> str:
        x1, y1, x2, y2 = box
        phrase: Sentence = getattr(self._pointing[protocol_id], style)
        return phrase.render({"label": label, "x1": x1, "y1": y1, "x2": x2, "y2": y2})

    def _render_sentence(
        self, template_id: str, phrases: tuple[tuple[str, str], ...], direction: str | None
    ) -> str:
        values = dict(phrases)
        directions = taxonomy().template(template_id).directions
        if directions and direction:
            values["direction"] = self._words.directions[directions][direction]
        return self._questions[template_id].render(values)

    def _described(self, protocol_id: str, description: str) -> str:
        return self._pointing[protocol_id].described.render({"description": description})

    def _render_preamble(self, protocol_id: str, size_px: tuple[int, int]) -> str:
        width, height = size_px
        return self._pointing[protocol_id].preamble.render({"width": width, "height": height})

    def _try_out(self) -> None:
        """Put every question into words once in every protocol, so that faults show at once."""
        for row in taxonomy().templates:
            marks = _trial_marks(row)
            values = taxonomy().option_sets.get(row.options or "", ())
            directions = taxonomy().directions[row.directions] if row.directions else (None,)
            for protocol in taxonomy().protocols:
                for direction in directions:
                    self.wording(
                        row.id,
                        protocol,
                        marks,
                        descriptions={mark.instance_id: "a thing" for mark in marks},
                        size_px=(640, 480),
                        option_values=values if isinstance(values, tuple) else (),
                        direction=direction,
                    )


def protocol_infos(wanted: Sequence[Protocol] | None = None) -> tuple[ProtocolInfo, ...]:
    """The protocols of the taxonomy, or those wanted of them."""
    return tuple(p for p in taxonomy().protocols if wanted is None or p.id in wanted)


def _trial_marks(row: TaskTemplate) -> tuple[Mark, ...]:
    """Marks as a question of a template has them."""
    candidates = "ABCD" if row.options in ("direct_candidates", "reflected_candidates") else ""
    return tuple(
        Mark(
            label=label,
            instance_id=k,
            role="slot" if label in row.slots else "candidate",
            box_xyxy_px=(10 * k, 20, 10 * k + 8, 40),
        )
        for k, label in enumerate((*row.slots, *candidates), start=1)
    )
