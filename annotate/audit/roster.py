"""Who draws which batch: everybody in turn, or as a table says."""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import ValidationError

from mira.errors import MiraError
from mira.schema.audit_ledger import Roster
from mira.schema.record import describe_fault
from mira.store.names import require_name

ROLES = ("annotator", "auditor", "third", "reauditor")
"""In the order in which they draw, and the columns of a table beside `batch`."""
_FEWEST = 3


class Assignment:
    """Gives each batch its people."""

    def __init__(self, people: Sequence[str], table: Path | None = None) -> None:
        """Say who takes part.

        Args:
            people: Everybody, as code names; they take turns where the table says nothing.
            table: A CSV file with a column `batch` and any of `annotator`, `auditor`, `third`
                and `reauditor`; an empty cell leaves the choice to the turns.

        Raises:
            MiraError: There are fewer than three people, a name is unsafe or there twice, or the
                table cannot be used.
        """
        self._people = tuple(require_person(name) for name in people)
        if len(set(self._people)) < len(self._people):
            raise MiraError("--annotators", f"expected each name once, found {', '.join(people)}")
        if len(self._people) < _FEWEST:
            raise MiraError(
                "--annotators",
                f"expected {_FEWEST} people or more, as the third annotator is neither of the "
                f"first two, found {len(self._people)}",
            )
        self._path = table
        self._table = {} if table is None else _read_table(table)

    def require_known(self, batch_ids: Collection[str]) -> None:
        """Refuse a table that names batches that there are not.

        Raises:
            MiraError: It names one.
        """
        for batch_id in self._table:
            if batch_id not in batch_ids:
                where = f"{self._path}: batch {batch_id}"
                raise MiraError(where, f"expected one of {len(batch_ids)} batches, found no such")

    def of(self, batch_id: str, *, number: int) -> Roster:
        """The people of a batch.

        Args:
            batch_id: The batch.
            number: How many batches were planned before it; decides whose turn it is.

        Raises:
            MiraError: The table gives one person two parts that exclude each other.
        """
        given = self._table.get(batch_id, {})
        chosen: dict[str, str] = {}
        for place, role in enumerate(ROLES):
            chosen[role] = given.get(role) or self._in_turn(role, number + place, given, chosen)
        try:
            return Roster.model_validate(chosen)
        except ValidationError as error:
            where = f"{self._path}: batch {batch_id}" if self._path else batch_id
            raise MiraError(where, describe_fault(error)) from None

    def _in_turn(self, role: str, turn: int, given: dict[str, str], chosen: dict[str, str]) -> str:
        """Whose turn it is: of those free for it, first who has no other part in the batch."""
        barred = _BARRED[role]
        excluded = {(given | chosen).get(other) for other in barred}
        line = [self._people[(turn + k) % len(self._people)] for k in range(len(self._people))]
        free = [name for name in line if name not in excluded]
        busy = {*given.values(), *chosen.values()}
        return next((name for name in free if name not in busy), free[0] if free else line[0])


_BARRED = {
    "annotator": ("auditor", "third", "reauditor"),
    "auditor": ("annotator", "third"),
    "third": ("annotator", "auditor", "reauditor"),
    "reauditor": ("annotator", "third"),
}
"""Parts that one person cannot have beside each."""


def require_person(name: str) -> str:
    """A code name that drawings can be stored under.

    Raises:
        MiraError: It is unsafe in a path, or holds a dot, which endings begin with.
    """
    require_name(name, error=MiraError)
    if "." in name:
        raise MiraError(name, "expected a code name without a dot, found one")
    return name


def _read_table(path: Path) -> dict[str, dict[str, str]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise MiraError(path, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise MiraError(path, "expected UTF-8 text, found other bytes") from None
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise MiraError(path, f"expected CSV: {error}") from None
    header = [cell.strip() for cell in rows[0]] if rows else []
    if "batch" not in header or not set(header) <= {"batch", *ROLES}:
        wanted = ", ".join(("batch", *ROLES))
        raise MiraError(path, f"expected columns among {wanted}, found {', '.join(header)}")
    table: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows[1:], start=2):
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        batch_id = cells.pop("batch", "")
        if len(row) > len(header) or (not batch_id and any(cells.values())):
            raise MiraError(f"{path}:{number}", "expected a batch and people, found other cells")
        if batch_id in table:
            raise MiraError(f"{path}:{number}", f"expected {batch_id} once, found it again")
        if batch_id:
            table[batch_id] = {r: require_person(name) for r, name in cells.items() if name}
    return table
