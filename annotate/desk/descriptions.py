"""How people describe instances: for ways of asking that point in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from annotate.desk import leases
from annotate.desk.database import Database
from annotate.desk.roles import Person
from mira.errors import DeskError
from mira.schema.description import InstanceDescription


class Descriptions:
    """Descriptions of instances; they are only ever added, and the newest counts."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database, self._clock = database, clock

    def add(
        self, person: Person, image_id: str, instance_id: int, text: str, *, token: str
    ) -> InstanceDescription:
        """Keep a description; the same token again changes nothing.

        Args:
            person: Who describes.
            image_id: The picture.
            instance_id: The instance.
            text: A few words, as in `the white cup on the shelf`; none takes it back.
            token: Made by whoever sends it, once for each description.

        Raises:
            DeskError: It is too long, or not in one line, or the lease has run out.
        """
        try:
            made = InstanceDescription(
                image_id=image_id,
                instance_id=instance_id,
                text=text,
                by=person.name,
                at=self._clock(),
            )
        except ValueError:
            problem = "expected one line of at most 200 characters"
            raise DeskError("description", problem, code="bad-answer") from None
        with self._database.write() as writing:
            if writing.execute("select 1 from descriptions where token = ?", (token,)).fetchone():
                return made
            leases.require(writing, "answer", image_id, person, now=made.at)
            writing.execute(
                "insert into descriptions (image_id, instance_id, name, content, token)"
                " values (?, ?, ?, ?, ?)",
                (image_id, instance_id, person.name, made.model_dump_json(), token),
            )
        return made

    def of_image(self, image_id: str) -> dict[int, str]:
        """The newest description of each instance of a picture; empty where it was taken back."""
        rows = self._database.connection().execute(
            "select content from descriptions where image_id = ? order by id", (image_id,)
        )
        found = (InstanceDescription.from_json(row["content"], where=image_id) for row in rows)
        return {one.instance_id: one.text for one in found}

    def by_person(self) -> dict[str, list[InstanceDescription]]:
        """All descriptions by person, in the order they were given."""
        found: dict[str, list[InstanceDescription]] = {}
        rows = self._database.connection().execute("select content from descriptions order by id")
        for row in rows:
            one = InstanceDescription.from_json(row["content"], where="descriptions")
            found.setdefault(one.by, []).append(one)
        return found
