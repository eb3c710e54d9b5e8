"""What a workspace knows of the pictures of its items."""

from __future__ import annotations

from functools import lru_cache

from mira.schema.qa import QAItem
from mira.store.proposals import ProposalShelf
from mira.store.workspace import Workspace, annotation_digest
from qa_gen.objects import physical_objects
from qa_gen.quality.reading import KnownPicture, nothing_known

_PICTURES_KEPT = 64


class WorkspaceKnowledge:
    """Objects by annotation, and close calls by proposals; keeps the pictures it read last.

    Args:
        workspace: Read only.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._shelf = ProposalShelf(workspace)
        self._known = lru_cache(_PICTURES_KEPT)(self._read)
        self._close = lru_cache(_PICTURES_KEPT)(self._read_close_calls)

    def picture(self, item: QAItem) -> KnownPicture:
        """What is known of an item's picture; the item's links where its annotation changed."""
        derivation = item.derivation
        known = self._known(item.image_id, derivation.annotator, derivation.annotation_sha256)
        return nothing_known(item) if known is None else known

    def is_close_call(self, item: QAItem) -> bool:
        """Whether the proposal of an item, where there is one, is a close call."""
        return item.item_id in self._close(item.image_id)

    def _read(self, image_id: str, annotator: str, sha256: str) -> KnownPicture | None:
        annotation = self._workspace.annotation(image_id, annotator)
        if annotation is None or annotation_digest(annotation) != sha256:
            return None
        objects = physical_objects(annotation)
        keys = {
            one.instance_id: min(other.instance_id for other in obj.instances)
            for obj in objects
            for one in obj.instances
        }
        return KnownPicture(keys, len(objects) + len(annotation.surfaces))

    def _read_close_calls(self, image_id: str) -> frozenset[str]:
        proposals = self._shelf.proposals(image_id)
        known = () if proposals is None else proposals.proposals
        return frozenset(one.item_id for one in known if one.close_call and one.answer is not None)
