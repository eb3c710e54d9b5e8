"""`mira.toml`: what people set once for a workspace instead of with every command."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError

from mira.errors import WorkspaceError
from mira.schema.record import Record, Seed, describe_fault

SETTINGS_TEXT = """\
# Settings of this MIRA workspace. A line that starts with "#" shows a setting's default;
# take the sign away and change the value. Flags on the command line win over this file.

[questions]
# seed = 0                 # changes which distractors and referents are picked
# annotator = ""           # whose annotation counts where a picture has several

[export]
# name = ""                # name of the data set; that of the release folder if empty
# split = ""               # split that all scenes go to; as they were split, or "test", if empty
"""


class QuestionSettings(Record):
    """How questions are made."""

    seed: Seed = 0
    """Seed of `QAPolicy`."""
    annotator: str = ""
    """Whose annotation counts; empty for the only one."""


class ExportSettings(Record):
    """How a release is written."""

    name: str = ""
    """Name of the data set; empty for that of the folder."""
    split: str = ""
    """Split of all scenes; empty for those that `mira export split` gave, or `test`."""


class Settings(Record):
    """All of `mira.toml`."""

    questions: QuestionSettings = QuestionSettings()
    """Table `questions`."""
    export: ExportSettings = ExportSettings()
    """Table `export`."""


def read_settings(path: Path) -> Settings:
    """The settings of a file; the defaults where there is none.

    Raises:
        WorkspaceError: The file is no TOML, or a setting is unknown or of a wrong kind.
    """
    if not path.is_file():
        return Settings()
    try:
        return Settings.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WorkspaceError(path, f"expected TOML: {error}") from None
    except ValidationError as error:
        raise WorkspaceError(path, describe_fault(error)) from None
