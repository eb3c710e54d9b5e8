"""Questions put into words, from wording files that are data.

A wording file is YAML with Jinja sentences (see `templates/`); another set of files replaces ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from mira.schema.qa import Mark, Protocol, Wording
from mira.taxonomy.catalogue import ProtocolInfo, taxonomy
from qa_gen.choosing import ranked
from qa_gen.wording_files import WordingFiles, read_wording_files
from qa_gen.wording_parts import PartsRenderer, QuestionParts, SlotPhrase
from qa_gen.wording_records import split_words
from qa_gen.wording_trials import TRIAL_SIZE_PX, trial_directions, trial_marks, trial_options


class WordingBook:
    """All sentences, compiled once."""

    def __init__(self, files: WordingFiles) -> None:
        """Compile the sentences of the templates and protocols that the files hold.

        Raises:
            TemplateError: A sentence cannot be used.
        """
        self._words = files.words
        self._revealing_words = frozenset(files.words.revealing_words)
        self._describe = {row_id: text.describe for row_id, text in files.questions.items()}
        self._parts = PartsRenderer(files)
        self._text_counts = self._parts.text_counts

    @classmethod
    def read(cls, folder: Path | None = None) -> WordingBook:
        """The wording of a folder, ours where none is given.

        Raises:
            TemplateError: A file or a field of it is missing, unknown or wrong, or a sentence
                cannot be filled in.
        """
        book = cls(read_wording_files(folder))
        book._try_out()
        return book

    @property
    def template_ids(self) -> tuple[str, ...]:
        """Templates that have a sentence."""
        return tuple(sorted(self._text_counts))

    def paraphrase_count(self, template_id: str) -> int:
        """How many texts a template has, the standard one among them."""
        return self._text_counts[template_id]

    def choose_paraphrase(
        self, template_id: str, item_id: str, *, limit: int, seed: int = 0
    ) -> int:
        """Which of a template's first texts an item is asked with; 0 is the standard one.

        An item keeps its text when others are added behind it, unless it goes to one of those.

        Args:
            template_id: The item's template.
            item_id: The item; all its protocols are asked alike.
            limit: How many texts there are to choose from, fewer where the template has fewer.
            seed: Changes the choice of every item.
        """
        count = min(limit, self.paraphrase_count(template_id))
        return ranked(range(count), seed, item_id, "paraphrase")[0]

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
        paraphrase: int = 0,
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
            paraphrase: Which of the template's texts; 0 is the standard one.

        Raises:
            TemplateError: The sentence asks for a slot that the marks do not have.
            IndexError: The template has fewer texts.
        """
        parts = self.parts(
            template_id,
            protocol,
            marks,
            descriptions=descriptions,
            size_px=size_px,
            direction=direction,
            paraphrase=paraphrase,
        )
        candidates = tuple(
            self.candidate(protocol, mark) for mark in marks if mark.role == "candidate"
        )
        return Wording(
            protocol=protocol.id,
            question=parts.question,
            option_texts=candidates or tuple(self.option_text(value) for value in option_values),
        )

    def candidate(self, protocol: ProtocolInfo, mark: Mark) -> str:
        """The words for an object to choose."""
        return self._parts.phrase(protocol.id, "candidate", mark.label, mark.box_xyxy_px)

    def parts(
        self,
        template_id: str,
        protocol: ProtocolInfo,
        marks: Sequence[Mark],
        *,
        descriptions: dict[int, str],
        size_px: tuple[int, int],
        direction: str | None = None,
        paraphrase: int = 0,
    ) -> QuestionParts:
        """What a question in one protocol is put together from; arguments as for `wording`."""
        described = self._describe[template_id]
        style = "one" if len(marks) == 1 else "many"
        phrases = tuple(
            SlotPhrase(
                mark.label,
                self._parts.phrase(protocol.id, style, mark.label, mark.box_xyxy_px),
                self._parts.described(protocol.id, descriptions[mark.instance_id])
                if protocol.description and mark.label in described
                else "",
            )
            for mark in marks
            if mark.role == "slot"
        )
        spoken = self._direction(template_id, direction)
        words = tuple((phrase.label, phrase.pointing + phrase.described) for phrase in phrases)
        return QuestionParts(
            preamble=self._parts.preamble(protocol.id, size_px) if marks else "",
            phrases=phrases,
            direction=spoken,
            sentence=self._parts.sentence(template_id, paraphrase, words, spoken),
        )

    def _direction(self, template_id: str, direction: str | None) -> str:
        directions = taxonomy().template(template_id).directions
        return self._words.directions[directions][direction] if directions and direction else ""

    def _try_out(self) -> None:
        """Put every text into words once in every protocol, so that faults show at once."""
        for row in taxonomy().templates:
            marks = trial_marks(row)
            for protocol, direction, k in product(
                taxonomy().protocols, trial_directions(row), range(self.paraphrase_count(row.id))
            ):
                self.wording(
                    row.id,
                    protocol,
                    marks,
                    descriptions={mark.instance_id: "a thing" for mark in marks},
                    size_px=TRIAL_SIZE_PX,
                    option_values=trial_options(row),
                    direction=direction,
                    paraphrase=k,
                )


def protocol_infos(wanted: Sequence[Protocol] | None = None) -> tuple[ProtocolInfo, ...]:
    """The protocols of the taxonomy, or those wanted of them."""
    return tuple(p for p in taxonomy().protocols if wanted is None or p.id in wanted)
