"""`mira.toml`: what people set once for a workspace instead of with every command."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import Field, ValidationError

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

[datasheet]
# What only its makers can say of a data set; the card and the datasheet of a release show it as
# Markdown. Empty is shown as "not stated". Longer texts stand between three quotes (\"\"\").
# motivation = ""          # why it was made, and for which task
# creators = ""            # who made it
# funding = ""             # who paid for it
# collection = ""          # cameras, who took the pictures, when and where
# annotation = ""          # who annotated, how they were taught and paid
# privacy = ""             # what people in the pictures were told, and how they can withdraw
# intended_uses = ""       # what it is good for
# unsuitable_uses = ""     # what it must not be used for
# known_limits = ""        # what is wrong with it or missing
# citation = ""            # how to cite it: text or BibTeX
# contact = ""             # where to report faults or ask for removal
# maintenance = ""         # who keeps it up, and what becomes of older versions
# sources = {}             # how to cite each source, as in { "its name in scenes" = "A paper." }
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


class DatasheetSettings(Record):
    """What the makers of a data set say of it, as Markdown; empty where they say nothing."""

    motivation: str = ""
    """Why it was made, and for which task."""
    creators: str = ""
    """Who made it."""
    funding: str = ""
    """Who paid for it."""
    collection: str = ""
    """Cameras, who took the pictures, when and where."""
    annotation: str = ""
    """Who annotated, how they were taught and paid."""
    privacy: str = ""
    """What people in the pictures were told, and how they can withdraw."""
    intended_uses: str = ""
    """What it is good for."""
    unsuitable_uses: str = ""
    """What it must not be used for."""
    known_limits: str = ""
    """What is wrong with it or missing."""
    citation: str = ""
    """How to cite it: text or BibTeX."""
    contact: str = ""
    """Where to report faults or ask for removal."""
    maintenance: str = ""
    """Who keeps it up, and what becomes of older versions."""
    sources: dict[str, str] = Field(default_factory=dict)
    """How to cite each source, named as scenes name it."""


class Settings(Record):
    """All of `mira.toml`."""

    questions: QuestionSettings = QuestionSettings()
    """Table `questions`."""
    export: ExportSettings = ExportSettings()
    """Table `export`."""
    datasheet: DatasheetSettings = DatasheetSettings()
    """Table `datasheet`."""


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
