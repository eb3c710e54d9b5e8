"""What people remarked on pictures and questions of a workspace.

remarks/<person>.jsonl      Remark, one a line, in the order they were given
"""

from __future__ import annotations

from collections.abc import Iterator

from mira.schema.remark import Remark
from mira.store.person_lines import PersonLines
from mira.store.workspace import Workspace


class RemarkShelf(PersonLines[Remark]):
    """Reads and writes remarks; writers hold the workspace's lock."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.root / "remarks", Remark, who="by")

    def all(self) -> Iterator[Remark]:
        """All remarks, by person."""
        for person in self.people():
            yield from self.of(person)

    def open_flags(self) -> tuple[Remark, ...]:
        """Flags that no resolution closes, in the order of time."""
        found = list(self.all())
        closed = {remark.resolves for remark in found}
        flags = (one for one in found if one.kind == "flag" and one.remark_id not in closed)
        return tuple(sorted(flags, key=lambda flag: (flag.at, flag.remark_id)))
