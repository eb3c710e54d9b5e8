"""What people may be asked of each picture, in words, while nobody has answered yet."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

from mira.errors import WorkspaceError
from mira.schema.proposal import OpenQuestion, Proposal
from mira.schema.qa import (
    Answer,
    AxesAnswer,
    ChoiceAnswer,
    ChoiceTextAnswer,
    CountAnswer,
    Drop,
    QAPolicy,
    YesNoAnswer,
)
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.asking import Ask, spatial_asks
from qa_gen.drafts import Draft
from qa_gen.facts import ImageFacts, image_facts
from qa_gen.items import make_item
from qa_gen.pictures import AnnotatedPictures
from qa_gen.wording import WordingBook, protocol_infos

_KEPT = 32
"""Pictures whose questions are kept: those that people have before them."""


class QuestionBook:
    """Open questions of a workspace, picture by picture.

    Args:
        workspace: Read for views, annotations and proposals.
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
        self._workspace = workspace
        self._policy = policy or QAPolicy()
        self._pictures = AnnotatedPictures(workspace, annotator=annotator)
        self._shelf = ProposalShelf(workspace)
        self._words = WordingBook.read(templates)
        self._views = {view.image_id: view for view in workspace.views()}
        self._of = lru_cache(_KEPT)(self._questions)

    def image_ids(self) -> tuple[str, ...]:
        """Pictures with an annotation that counts, in the order of the workspace."""
        return self._image_ids

    @cached_property
    def _image_ids(self) -> tuple[str, ...]:
        return tuple(view.image_id for view, _ in self._pictures)

    def questions(self, image_id: str) -> tuple[OpenQuestion, ...]:
        """What may be asked of a picture, by template.

        Raises:
            WorkspaceError: There is no such picture, or nobody annotated it.
        """
        return self._of(image_id)

    def _questions(self, image_id: str) -> tuple[OpenQuestion, ...]:
        view = self._views.get(image_id)
        annotation = None if view is None else self._pictures.choose(image_id)
        if view is None or annotation is None:
            raise WorkspaceError(self._workspace.root, f"holds no annotated picture {image_id!r}")
        facts = image_facts(view, annotation, self._policy)
        known = self._shelf.proposals(image_id)
        proposals = {one.item_id: one for one in known.proposals} if known else {}
        asks = (ask for ask in spatial_asks(facts) if isinstance(ask, Ask))
        found = (self._question(ask, facts, proposals.get(ask.item_id)) for ask in asks)
        return tuple(sorted(found, key=lambda one: one.template_id))

    def _question(self, ask: Ask, facts: ImageFacts, proposal: Proposal | None) -> OpenQuestion:
        draft = Draft(
            item_id=ask.item_id,
            template_id=ask.template_id,
            slots=ask.slots,
            # Words do not depend on it.
            answer=_any_answer(ask.template_id),
            rule="open",
            subject=ask.subject,
            direction=ask.direction,
        )
        made = make_item(draft, facts, self._words, protocol_infos())
        unworded = next(one for one in made if not isinstance(one, Drop))
        item = unworded.in_words(self._words, self._policy)
        is_current = (
            proposal is not None
            and proposal.derivation.annotation_sha256 == facts.annotation_sha256
        )
        return OpenQuestion(
            item_id=ask.item_id,
            template_id=ask.template_id,
            image_id=ask.image_id,
            slots=dict(ask.slots),
            direction=ask.direction,
            choices=answer_choices(ask.template_id),
            marks=item.marks,
            wordings=tuple(
                wording.model_copy(update={"option_texts": ()}) for wording in item.wordings
            ),
            proposal=proposal if is_current else None,
        )


def answer_choices(template_id: str) -> tuple[str, ...]:
    """Words that answer a question of a template; none for numbers and axes.

    *Not sure* is offered to models and answers no question of yes or no.
    """
    template = taxonomy().template(template_id)
    if template.format == "yes_no":
        return ("yes", "no")
    values = taxonomy().option_sets.get(template.options or "")
    is_choice = template.format in ("single_choice", "single_choice_plus_text")
    return values if is_choice and isinstance(values, tuple) else ()


def _any_answer(template_id: str) -> Answer:
    template = taxonomy().template(template_id)
    if template.format == "count":
        return CountAnswer(value=0)
    if template.format == "spatial_3d_axes":
        return AxesAnswer(horizontal="aligned", vertical="aligned", depth="same_depth")
    if template.format == "yes_no":
        return YesNoAnswer(value="yes")
    first = answer_choices(template_id)[0]
    if template.format == "single_choice_plus_text":
        return ChoiceTextAnswer(value=first)
    return ChoiceAnswer(value=first)
