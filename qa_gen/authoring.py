"""What people may be asked of each picture, in words, while nobody has answered yet."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

from mira.errors import MiraError, WorkspaceError
from mira.schema.proposal import OpenQuestion
from mira.schema.qa import (
    Answer,
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    Drop,
    QAItem,
    QAPolicy,
    YesNoAnswer,
)
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.answering import BY_PERSON
from qa_gen.asking import Ask
from qa_gen.drafts import Draft
from qa_gen.facts import ImageFacts
from qa_gen.items import make_item
from qa_gen.labels import joint_group
from qa_gen.open_pictures import OpenPicture, OpenPictures
from qa_gen.wording import WordingBook, protocol_infos

_KEPT = 32
"""Pictures whose questions are kept: those that people have before them."""


class QuestionBook:
    """Open questions of a workspace, picture by picture.

    Args:
        workspace: Read for views, annotations, descriptions and proposals.
        annotator: Whose annotation counts where a picture has several.
        policy: Which instances can be asked about.
        templates: A folder of wording files in place of ours.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        annotator: str | None = None,
        policy: QAPolicy | None = None,
        templates: Path | None = None,
    ) -> None:
        self._policy = policy or QAPolicy()
        self._pictures = OpenPictures(workspace, annotator=annotator, policy=self._policy)
        self._words = WordingBook.read(templates)
        self._of = lru_cache(_KEPT)(self._questions)

    def image_ids(self) -> tuple[str, ...]:
        """Pictures with an annotation that counts, in the order of the workspace."""
        return self._image_ids

    @cached_property
    def _image_ids(self) -> tuple[str, ...]:
        return self._pictures.image_ids()

    def questions(
        self, image_id: str, *, described: Mapping[int, str] | None = None
    ) -> tuple[OpenQuestion, ...]:
        """What may be asked of a picture, by template.

        Args:
            image_id: The picture.
            described: Descriptions of its instances that are not in the workspace yet, by id; an
                empty one takes back what was said.

        Raises:
            WorkspaceError: There is no such picture, or nobody annotated it.
        """
        words = tuple(sorted((described or {}).items()))
        return self._of(image_id, self._pictures.stamp(image_id), words)

    def item(
        self,
        image_id: str,
        item_id: str,
        answer: Answer,
        *,
        described: Mapping[int, str] | None = None,
    ) -> QAItem:
        """A question as it would be asked if that were the answer, with options and all wordings.

        Args:
            image_id: The picture.
            item_id: The question.
            answer: The answer; a choice gives the taxonomy's word or a candidate's instance id.
            described: As for `questions`.

        Raises:
            WorkspaceError: There is no such picture or question.
            MiraError: The answer is none to it.
        """
        picture = self._pictures.picture(image_id, self._pictures.stamp(image_id))
        ask = picture.asks.get(item_id)
        if ask is None:
            raise WorkspaceError(image_id, f"expected a question of it, found {item_id!r}")
        _require_answer(ask, answer)
        return self._item(ask, picture.facts.redescribed(described or {}), answer)

    def _questions(
        self, image_id: str, stamp: Hashable, described: tuple[tuple[int, str], ...]
    ) -> tuple[OpenQuestion, ...]:
        picture = self._pictures.picture(image_id, stamp)
        picture = picture._replace(facts=picture.facts.redescribed(dict(described)))
        found = (self._question(ask, picture) for ask in picture.asks.values())
        return tuple(sorted(found, key=lambda one: one.template_id))

    def _question(self, ask: Ask, picture: OpenPicture) -> OpenQuestion:
        choices = _choices(ask)
        # Words do not depend on the answer.
        item = self._item(ask, picture.facts, _any_answer(ask.template_id, choices))
        return OpenQuestion(
            item_id=ask.item_id,
            template_id=ask.template_id,
            image_id=ask.image_id,
            slots=dict(ask.slots),
            direction=ask.direction,
            choices=choices,
            marks=item.marks,
            wordings=tuple(
                wording.model_copy(update={"option_texts": ()}) for wording in item.wordings
            ),
            proposal=picture.proposal(ask),
            annotator=item.derivation.annotator,
            annotation_sha256=item.derivation.annotation_sha256,
        )

    def _item(self, ask: Ask, facts: ImageFacts, answer: Answer) -> QAItem:
        draft = Draft(
            item_id=ask.item_id,
            template_id=ask.template_id,
            slots=ask.slots,
            answer=answer,
            rule=BY_PERSON,
            subject=ask.subject,
            candidates=ask.candidates,
            joint_group=joint_group(ask),
            direction=ask.direction,
            source="annotator",
        )
        made = make_item(draft, facts, self._words, protocol_infos())
        unworded = next(one for one in made if not isinstance(one, Drop))
        return unworded.in_words(self._words, self._policy)


def answer_choices(template_id: str) -> tuple[str, ...]:
    """Words that answer a question of a template; none for numbers, axes and candidates.

    *Not sure* is offered to models and answers no question of yes or no.
    """
    template = taxonomy().template(template_id)
    if template.format == "yes_no":
        return ("yes", "no")
    values = taxonomy().option_sets.get(template.options or "")
    is_choice = template.format in ("single_choice", "single_choice_plus_text")
    return values if is_choice and isinstance(values, tuple) else ()


def _choices(ask: Ask) -> tuple[str, ...]:
    return tuple(map(str, ask.candidates)) or answer_choices(ask.template_id)


def _require_answer(ask: Ask, answer: Answer) -> None:
    wanted = taxonomy().template(ask.template_id).format
    if answer.format != wanted:
        raise MiraError(ask.item_id, f"expected an answer of {wanted}, found {answer.format}")
    choices = _choices(ask)
    value = getattr(answer, "value", None)
    if choices and value not in choices:
        raise MiraError(ask.item_id, f"expected {' or '.join(choices)}, found {value!r}")


def _any_answer(template_id: str, choices: tuple[str, ...]) -> Answer:
    template = taxonomy().template(template_id)
    if template.format == "count":
        return CountAnswer(value=0)
    if template.format == "spatial_3d_axes":
        return AxesAnswer(horizontal="aligned", vertical="aligned", depth="same_depth")
    if template.format == "yes_no":
        return YesNoAnswer(value="yes")
    if template.format == "single_choice_plus_text":
        return ChoiceTextAnswer(value=choices[0])
    return ChoiceAnswer(value=choices[0])
