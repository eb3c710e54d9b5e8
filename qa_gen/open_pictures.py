"""What can be asked of a picture, read once and again when what it rests on has changed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from mira.errors import WorkspaceError
from mira.schema.proposal import Proposal
from mira.schema.qa import QAPolicy
from mira.store.audit import AuditBook
from mira.store.descriptions import DescriptionShelf
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace
from qa_gen.asking import Ask, spatial_asks
from qa_gen.facts import ImageFacts, image_facts
from qa_gen.labels import PERCEPTION, label_proposal
from qa_gen.perception import perception_asks
from qa_gen.pictures import AnnotatedPictures

_KEPT = 32
"""Pictures that are kept: those that people have before them."""


class OpenPicture(NamedTuple):
    """A picture that people may be asked about.

    Attributes:
        facts: The picture.
        asks: What can be asked of it, by item.
        proposals: What geometry suggests, by item; those for an older annotation are left out.
    """

    facts: ImageFacts
    asks: Mapping[str, Ask]
    proposals: Mapping[str, Proposal]

    def proposal(self, ask: Ask) -> Proposal | None:
        """What labels or geometry suggest; None where geometry was not asked."""
        if ask.template_id in PERCEPTION:
            return label_proposal(ask, self.facts)
        return self.proposals.get(ask.item_id)


class OpenPictures:
    """The pictures of a workspace.

    Args:
        workspace: Read for views, annotations, descriptions and proposals.
        annotator: Whose annotation counts where a picture has several.
        policy: Which instances can be asked about.
    """

    def __init__(self, workspace: Workspace, *, annotator: str | None, policy: QAPolicy) -> None:
        self._workspace, self._policy = workspace, policy
        self._audit = AuditBook(workspace)
        # An audit can decide anew whose annotation counts.
        self._as_decided = lru_cache(1)(
            lambda _stamp: AnnotatedPictures(workspace, annotator=annotator)
        )
        self._shelf = ProposalShelf(workspace)
        self._descriptions = DescriptionShelf(workspace)
        self._described = lru_cache(1)(lambda _stamp: self._descriptions.by_image())
        self._views = {view.image_id: view for view in workspace.views()}
        self._kept = lru_cache(_KEPT)(self._read)

    def image_ids(self) -> tuple[str, ...]:
        """Pictures with an annotation that counts, in the order of the workspace."""
        return tuple(view.image_id for view, _ in self._pictures())

    def stamp(self, image_id: str) -> Hashable:
        """Another value once what a picture's questions rest on has changed; quickly told."""
        name = self._pictures().annotator_of(image_id)
        drawn = None if name is None else self._workspace.annotation_stamp(image_id, name)
        return drawn, self._shelf.stamp(image_id), tuple(self._said(image_id).items())

    def picture(self, image_id: str, stamp: Hashable) -> OpenPicture:
        """A picture as it was when its stamp was taken, or newer.

        Raises:
            WorkspaceError: There is no such picture, or nobody annotated it.
        """
        return self._kept(image_id, stamp)

    def _pictures(self) -> AnnotatedPictures:
        return self._as_decided(self._audit.stamp())

    def _said(self, image_id: str) -> Mapping[int, str]:
        said: Mapping[int, str] = self._described(self._descriptions.stamp()).get(image_id, {})
        return said

    def _read(self, image_id: str, _stamp: Hashable) -> OpenPicture:
        view = self._views.get(image_id)
        annotation = None if view is None else self._pictures().choose(image_id)
        if view is None or annotation is None:
            raise WorkspaceError(self._workspace.root, f"holds no annotated picture {image_id!r}")
        facts = image_facts(view, annotation, self._policy, described=self._said(image_id))
        found = chain(perception_asks(facts), spatial_asks(facts))
        known = self._shelf.proposals(image_id)
        return OpenPicture(
            facts=facts,
            asks={ask.item_id: ask for ask in found if isinstance(ask, Ask)},
            proposals={
                one.item_id: one
                for one in (known.proposals if known else ())
                if one.derivation.annotation_sha256 == facts.annotation_sha256
            },
        )
