"""What people of the human baseline answered.

baseline/<person>.jsonl     BaselineReply, one a line, in the order they were given
"""

from __future__ import annotations

from mira.schema.baseline import BaselineReply
from mira.store.person_lines import PersonLines
from mira.store.workspace import Workspace

FOLDER = "baseline"


class BaselineShelf(PersonLines[BaselineReply]):
    """Reads and writes replies; one a question, so that each file can be scored as it is."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.root / FOLDER, BaselineReply, who="by")
