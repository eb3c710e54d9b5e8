"""Proposals and people's answers of a workspace.

proposals/<image>.json      ImageProposals: what geometry suggests, and what it was made from
proposal_policy.json        the thresholds of the newest of them
answers/<person>.jsonl      PersonAnswer, one a line, in the order they were given
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import TypeVar

from mira.schema.proposal import ImageProposals, PersonAnswer
from mira.schema.record import RootRecord
from mira.store.atomic import write_file
from mira.store.names import require_name
from mira.store.person_lines import PersonLines
from mira.store.stamps import file_stamp
from mira.store.workspace import Workspace

Policy = TypeVar("Policy", bound=RootRecord)


class ProposalShelf:
    """Reads and writes proposals and answers; writers hold the workspace's lock."""

    def __init__(self, workspace: Workspace) -> None:
        self._root = workspace.root
        self.answers = PersonLines(workspace.root / "answers", PersonAnswer, who="by")

    def proposals(self, image_id: str) -> ImageProposals | None:
        """What was proposed for a picture; None where nothing was."""
        path = self._proposals_path(image_id)
        if not path.is_file():
            return None
        return ImageProposals.from_json(path.read_bytes(), where=path)

    def stamp(self, image_id: str) -> Hashable:
        """Another value once what was proposed for a picture has changed; reads no file."""
        return file_stamp(self._proposals_path(image_id))

    def proposed_images(self) -> tuple[str, ...]:
        """Pictures with proposals, by name."""
        return tuple(sorted(path.stem for path in (self._root / "proposals").glob("*.json")))

    def put_proposals(self, proposals: ImageProposals) -> None:
        """Write what is proposed for a picture in place of what was."""
        data = proposals.to_json(indent=False)
        write_file(self._proposals_path(proposals.image_id), data, durable=False)

    def remove_proposals(self, image_id: str) -> None:
        """Forget what was proposed for a picture."""
        self._proposals_path(image_id).unlink(missing_ok=True)

    def policy(self, kind: type[Policy]) -> Policy | None:
        """The thresholds that the newest proposals were made by; None where nothing was proposed.

        Raises:
            RecordError: They are no policy of the kind.
        """
        path = self._root / "proposal_policy.json"
        return kind.from_json(path.read_bytes(), where=path) if path.is_file() else None

    def put_policy(self, policy: RootRecord) -> None:
        """Keep the thresholds that proposals are made by, for who works them out once more."""
        write_file(self._root / "proposal_policy.json", policy.to_json())

    def newest_answers(self) -> dict[str, dict[str, PersonAnswer]]:
        """The newest answer of each person to each item: by item, then by person.

        Answers that were taken back are none.
        """
        newest: dict[str, dict[str, PersonAnswer]] = {}
        for person in self.answers.people():
            own = {answer.item_id: answer for answer in self.answers.of(person)}
            for item_id, answer in own.items():
                if not answer.taken_back:
                    newest.setdefault(item_id, {})[person] = answer
        return newest

    def _proposals_path(self, image_id: str) -> Path:
        return self._root / "proposals" / f"{require_name(image_id)}.json"
