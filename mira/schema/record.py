"""What every record has in common: immutability, versions, reading and writing as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar, Self

import orjson
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from mira.errors import RecordError

Json = dict[str, Any]
UpgradeStep = Callable[[Json], Json]
UtcDatetime = Annotated[AwareDatetime, AfterValidator(lambda moment: moment.astimezone(UTC))]
"""A moment; whatever zone it comes in, it is kept in UTC."""
Seed = Annotated[int, Field(ge=0, lt=2**63)]
"""A seed of what is drawn by chance; within what JSON readers hold exactly as a whole number."""


def unchanged(data: Json) -> Json:
    """The upgrade step to a version that only adds fields, each with a default."""
    return data


class Record(BaseModel):
    """A frozen value whose unknown fields are refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )


class RootRecord(Record):
    """A record that stands alone in a file and therefore carries its schema version.

    A class that changes shape raises `CURRENT_VERSION` and adds the step from the version before
    to `UPGRADES`; files of every older version then read through all steps in turn.
    """

    CURRENT_VERSION: ClassVar[int] = 1
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {}

    schema_version: int = 1
    """Version of this record's shape when it was written."""

    @model_validator(mode="before")
    @classmethod
    def _upgrade(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = {"schema_version": cls.CURRENT_VERSION, **data}
        version = data["schema_version"]
        if not isinstance(version, int) or not 1 <= version <= cls.CURRENT_VERSION:
            raise ValueError(
                f"schema_version: this program reads 1 to {cls.CURRENT_VERSION}, found {version!r}"
            )
        while version < cls.CURRENT_VERSION:
            data = cls.UPGRADES[version](data)
            version += 1
            data["schema_version"] = version
        return data

    @classmethod
    def from_json(cls, text: bytes | str, *, where: str | Path) -> Self:
        """A record from its JSON text.

        Args:
            text: One JSON document.
            where: Named in the error, usually the file.

        Raises:
            RecordError: The text is no JSON, or a field is missing, unknown or of a wrong kind.
        """
        try:
            return cls.model_validate(orjson.loads(text))
        except orjson.JSONDecodeError as error:
            raise RecordError(
                where, f"expected one JSON document, found a fault: {error}"
            ) from None
        except ValidationError as error:
            raise RecordError(where, describe_fault(error)) from None

    def to_json(self, *, indent: bool = True) -> bytes:
        """The record as JSON, ended by a newline; equal records give equal bytes."""
        option = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if indent else 0)
        return orjson.dumps(self.model_dump(mode="json"), option=option)


def _require_path_inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or ":" in parts[0]:
        raise ValueError(f"expected a relative path that stays in its folder, found {path!r}")
    return path


PathInside = Annotated[str, AfterValidator(_require_path_inside)]
"""A POSIX path from a folder to what is in it."""


class FileRef(Record):
    """A file and what was in it."""

    path: PathInside
    """POSIX path, relative to the folder that the holding record documents, and inside it."""
    sha256: str
    """Lower-case hexadecimal digest of the bytes."""
    size_bytes: int
    """Length of the file."""


class Provenance(Record):
    """How a record came to be."""

    tool: str
    """Name of the program or the stage."""
    tool_version: str
    """Its version."""
    created_at: UtcDatetime | None = None
    """When, UTC; absent where equal input must give equal bytes."""
    created_by: str | None = None
    """Who, as a code name; absent when no person took part."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Settings that decided the result."""
    inputs: tuple[FileRef, ...] = ()
    """Files that were read."""


def describe_fault(error: ValidationError) -> str:
    """The first fault of a failed validation as `field: what is wrong`; a slip of the pen first."""
    faults = sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    first = faults[0]
    field = ".".join(str(part) for part in first["loc"])
    message = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = "is no field of this"
    elif first["type"] == "model_type":
        message = f"expected fields with their values, found {type(first['input']).__name__}"
    more = len(faults) - 1
    text = f"{field}: {message}" if field else message
    return f"{text} (and {more} more)" if more else text
