"""What is asked of a release, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mira.release.loading import MissingDepth
from mira.release.picture_files import ColorForm
from mira.schema.qa import Modality, Protocol

Progress = Callable[[int, int], None]
"""Takes pictures of the release that are done, and how many there are."""


@dataclass(frozen=True)
class TaskOptions:
    """Which questions of a release are asked, and with which pictures.

    Attributes:
        protocol: How questions point at objects.
        modality: Which pictures go along.
        split: One split alone; all where absent.
        limit: The first so many pictures that have such questions.
        color_form: Kind of file of rendered colours; masks and depth in colours are PNG.
        missing_depth: With a modality that shows depth, whether questions about pictures without
            it are refused or left out.
    """

    protocol: Protocol = "visual_bbox"
    modality: Modality = "rgb"
    split: str | None = None
    limit: int | None = None
    color_form: ColorForm = "jpeg"
    missing_depth: MissingDepth = "refuse"


class TaskSummary(NamedTuple):
    """What was written.

    Attributes:
        out: The folder.
        name: The task or data set, as the harness is told it.
        questions: Questions in it, by sub-task.
        pictures: Picture files.
        without_depth: Questions left out because their picture has no depth.
    """

    out: Path
    name: str
    questions: dict[str, int]
    pictures: int
    without_depth: int
