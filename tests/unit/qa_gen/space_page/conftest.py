"""Packaged rooms as the page sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotate.importing import import_annotations
from mira.schema.qa import QAPolicy
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace
from qa_gen.proposing.policy import ProposalPolicy
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.reading import SpacePicture, read_space

ReadSpace = Callable[..., SpacePicture]


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace of the packaged rooms; nothing is written to it."""
    workspace = Workspace.create(tmp_path_factory.mktemp("rooms") / "workspace")
    import_annotations(packaged_scenes_dir(), workspace, scenes=None, annotator="simulator")
    return workspace


@pytest.fixture(scope="session")
def read(rooms: Workspace) -> ReadSpace:
    """Read a picture of the packaged rooms, or of another workspace."""
    known: dict[str, SpacePicture] = {}

    def _read(name: str, **options: Any) -> SpacePicture:
        if options:
            return _read_anew(name, **options)
        if name not in known:
            known[name] = _read_anew(name)
        return known[name]

    def _read_anew(
        name: str,
        *,
        workspace: Workspace = rooms,
        annotator: str | None = None,
        policy: SpacePolicy | None = None,
    ) -> SpacePicture:
        return read_space(
            workspace,
            name,
            annotator=annotator,
            proposal_policy=ProposalPolicy(),
            bounds=QAPolicy(),
            policy=policy or SpacePolicy(),
        )

    return _read


@pytest.fixture(scope="session")
def bathroom(read: ReadSpace) -> SpacePicture:
    return read("room_s28_0000")
