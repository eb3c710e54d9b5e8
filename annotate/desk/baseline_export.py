"""Replies of the human baseline on their way into the workspace, ready to be scored."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from annotate.desk.database import Database
from mira.questions import asked_sha8, question_sha8
from mira.schema.baseline import BaselineReply
from mira.schema.qa import Modality, Protocol, QAItem
from mira.store.baseline import BaselineShelf
from mira.store.workspace import Workspace


class BaselineFile(NamedTuple):
    """The replies of one person.

    Attributes:
        person: Code name.
        path: Where they are.
        replies: How many.
        ways: Protocol and modality of them, each once, the most frequent first.
    """

    person: str
    path: Path
    replies: int
    ways: tuple[tuple[Protocol, Modality], ...]


class BaselineExport(NamedTuple):
    """What is in the workspace now.

    Attributes:
        files: One a person, by name.
        left_out: Replies to what is no longer asked so, or is no longer accepted.
    """

    files: tuple[BaselineFile, ...]
    left_out: int


def export_baseline(workspace: Workspace, database: Database) -> BaselineExport:
    """Write the replies of all people, one a question, to questions as they stand.

    Those that are in the workspace already stay, as long as the question is asked so. A right
    answer that was corrected afterwards takes nothing from a reply: nobody was told it.

    Args:
        workspace: Its questions stand where review left them; its lock is held.
        database: The desk.
    """
    shelf = BaselineShelf(workspace)
    said = _newest(shelf, database)
    wanted = {item_id for replies in said.values() for item_id in replies}
    items = {item.item_id: item for item in workspace.items() if item.item_id in wanted}
    files, left_out = [], 0
    for person, replies in sorted(said.items()):
        found = [_as_it_stands(one, items.get(one.item_id)) for one in replies.values()]
        kept = sorted((one for one in found if one), key=lambda one: (one.at, one.question_id))
        left_out += len(found) - len(kept)
        shelf.replace(person, kept)
        ways = Counter((one.protocol, one.modality) for one in kept).most_common()
        path = shelf.path_of(person)
        files.append(BaselineFile(person, path, len(kept), tuple(way for way, _ in ways)))
    return BaselineExport(tuple(files), left_out)


def _newest(shelf: BaselineShelf, database: Database) -> dict[str, dict[str, BaselineReply]]:
    """The newest reply of each person to each item: by person, then by item."""
    replies = [one for person in shelf.people() for one in shelf.of(person)]
    for row in database.connection().execute("select item_id, content from replies order by id"):
        replies.append(BaselineReply.from_json(row["content"], where=row["item_id"]))
    newest: dict[str, dict[str, BaselineReply]] = {}
    for reply in sorted(replies, key=lambda one: one.at):
        newest.setdefault(reply.by, {})[reply.item_id] = reply
    return newest


def _as_it_stands(reply: BaselineReply, item: QAItem | None) -> BaselineReply | None:
    """The reply to the question as it stands; None where it was given to another one."""
    if item is None or item.review != "accepted":
        return None
    wording = next((one for one in item.wordings if one.protocol == reply.protocol), None)
    if wording is None or asked_sha8(wording, item) != reply.asked_sha8:
        return None
    return reply.model_copy(update={"question_sha8": question_sha8(wording, item)})
