"""Flags and comments: what people remark on a picture or on one of its questions."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import Literal

from annotate.desk import remark_reading
from annotate.desk.database import Database
from annotate.desk.leases import WorkKind
from annotate.desk.remark_reading import RemarkPage
from annotate.desk.roles import Person
from annotate.desk.texts import require_short
from mira.errors import DeskError
from mira.schema.remark import Remark
from mira.taxonomy.catalogue import taxonomy


class RemarkDesk:
    """Use cases of everybody who looks at pictures; remarks are only ever added."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database, self._clock = database, clock

    def add(
        self,
        person: Person,
        kind: Literal["flag", "comment"],
        image_id: str,
        text: str,
        *,
        token: str,
        item_id: str | None = None,
    ) -> Remark:
        """Keep a remark; the same token again changes nothing.

        Args:
            person: Who remarks.
            kind: Whether something has to be put right.
            image_id: A picture that there is.
            text: The words.
            token: Made by whoever sends it, once for each remark.
            item_id: A question of the picture; None for the picture itself.

        Raises:
            DeskError: There are no words or too many, or the question is none of the picture's.
        """
        person.require("answer")
        if not text.strip():
            raise DeskError("text", f"expected words in a {kind}, found none", code="no-text")
        require_short("text", text)
        remark = Remark(
            remark_id=_id_of(token),
            kind=kind,
            image_id=image_id,
            item_id=item_id,
            text=text.strip(),
            by=person.name,
            at=self._clock(),
        )
        with self._database.write() as writing:
            if item_id is not None:
                _require_question(writing, item_id, image_id)
            return _keep(writing, remark, token)

    def resolve(self, person: Person, remark_id: str, *, token: str, text: str = "") -> Remark:
        """Close a flag; the same token again changes nothing.

        Args:
            person: Who may review, or who flagged it.
            remark_id: The flag.
            token: Made by whoever sends it, once for each flag.
            text: What became of it.

        Raises:
            DeskError: The person may not, is not told of such a flag, or it is closed already.
        """
        require_short("text", text)
        with self._database.write() as writing:
            found = remark_reading.find_flag(writing, person, remark_id)
            if found is None:
                raise DeskError(remark_id, "is no flag", code="no-such-item")
            flag = found.remark
            if flag.by != person.name:
                person.require("review")
            if not found.is_open and _kept(writing, token) is None:
                raise DeskError(remark_id, "was resolved by somebody already", code="resolved")
            remark = Remark(
                remark_id=_id_of(token),
                kind="resolution",
                image_id=flag.image_id,
                item_id=flag.item_id,
                resolves=remark_id,
                text=text.strip(),
                by=person.name,
                at=self._clock(),
            )
            return _keep(writing, remark, token)

    def of_image(
        self,
        person: Person,
        image_id: str,
        *,
        kind: WorkKind,
        item_id: str | None = None,
        before: int | None = None,
    ) -> RemarkPage:
        """Remarks on a picture, the newest first, as far as a person is told them.

        Args:
            person: Who looks.
            image_id: The picture.
            kind: What they do there; who reviews is told less than who settles a dispute.
            item_id: A question: remarks on the others are left out.
            before: `following` of the page before.
        """
        reading = self._database.connection()
        return remark_reading.remarks_of_image(
            reading, person, kind, image_id, item_id=item_id, before=before
        )

    def open_flags(self, person: Person, *, before: int | None = None) -> RemarkPage:
        """Flags that nobody closed, the newest first, as far as a person is told of them."""
        return remark_reading.open_flags(self._database.connection(), person, before=before)

    def count_open(self, person: Person) -> int:
        """How many flags are open that a person is told of."""
        return remark_reading.count_open(self._database.connection(), person)

    def open_by_image(self, person: Person) -> dict[str, int]:
        """How many flags are open of each picture that has any; see `open_flags`."""
        return remark_reading.open_flags_by_image(self._database.connection(), person)

    def all(self) -> list[Remark]:
        """All remarks, in the order they were made."""
        rows = self._database.connection().execute("select content from remarks order by id")
        return [Remark.from_json(row["content"], where="remarks") for row in rows]


def _id_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:16]


def _kept(writing: sqlite3.Connection, token: str) -> Remark | None:
    row = writing.execute("select content from remarks where token = ?", (token,)).fetchone()
    return None if row is None else Remark.from_json(row["content"], where="remarks")


def _keep(writing: sqlite3.Connection, remark: Remark, token: str) -> Remark:
    kept = _kept(writing, token)
    if kept is not None:
        if kept.model_copy(update={"at": remark.at}) != remark:
            # What comes with it would be lost.
            problem = "comes with a token of something else"
            raise DeskError(remark.image_id, problem, code="bad-token")
        return kept
    row = (remark.remark_id, remark.kind, remark.image_id, remark.item_id, remark.resolves)
    writing.execute(
        "insert into remarks (remark_id, kind, image_id, item_id, resolves, name, content, token)"
        " values (?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, remark.by, remark.model_dump_json(), token),
    )
    return remark


def _require_question(writing: sqlite3.Connection, item_id: str, image_id: str) -> None:
    row = writing.execute("select image_id from items where item_id = ?", (item_id,)).fetchone()
    if row is None:
        # What nobody has answered yet is no item of the desk.
        is_one = item_id.partition("-")[0] in {one.id for one in taxonomy().templates}
    else:
        is_one = row["image_id"] == image_id
    if not is_one:
        raise DeskError(item_id, "is no question of the picture", code="no-such-item")
