"""Questions as a harness asks them: text, pictures, and what they are scored by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from export.harnesses.asking import prompt_of
from export.harnesses.options import Progress, TaskOptions, TaskSummary
from export.harnesses.selection import Selection, chosen_scenes
from mira.errors import ReleaseError
from mira.release.picture_files import FOLDER, SceneFiles, ShownPicture
from mira.release.reader import Row
from mira.taxonomy.catalogue import taxonomy


class AskedQuestion(NamedTuple):
    """A question with all that a model is shown of it.

    Attributes:
        row: Its row of `qa`.
        pictures: Its picture files in the order they are shown.
        prompt: The text that goes with them.
    """

    row: Row
    pictures: tuple[ShownPicture, ...]
    prompt: str


def ask_questions(
    release: Path,
    selection: Selection,
    options: TaskOptions,
    root: Path,
    progress: Progress | None = None,
) -> Iterator[AskedQuestion]:
    """Write the pictures of the chosen questions and give each with its text, in a fixed order.

    Args:
        release: The folder.
        selection: What is asked of it.
        options: How.
        root: The folder of the harness.
        progress: Called with pictures of the release that are done and in all.

    Raises:
        MiraError: A picture cannot be decoded, or a mark cannot be drawn on it.
        ReleaseError: A row misses something.
    """
    tinted = taxonomy().modality(options.modality).mirror
    total = len(selection.by_picture)
    for done, scene in enumerate(chosen_scenes(release, selection, options), start=1):
        try:
            files = SceneFiles(
                scene,
                protocol=options.protocol,
                modality=options.modality,
                color_form=options.color_form,
                root=root,
            )
            for row in selection.by_picture[scene["image_id"]]:
                shown = files.of_question(row)
                yield AskedQuestion(row, shown, prompt_of(row, shown, mirrors_tinted=tinted))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problem = f"the picture {scene.get('image_id')} misses something: {error}"
            raise ReleaseError(release, problem, "see: mira export verify") from None
        if progress is not None:
            progress(done, total)


def summary_of(
    asked: list[AskedQuestion], selection: Selection, *, out: Path, root: Path, name: str
) -> TaskSummary:
    """What was written, counted.

    Args:
        asked: The questions.
        selection: What was chosen and what was not.
        out: The folder as the user named it.
        root: Where it is filled.
        name: What the harness calls the questions.
    """
    counts = Counter(one.row["subtask"] for one in asked)
    return TaskSummary(
        out=out,
        name=name,
        questions={one.id: counts[one.id] for one in taxonomy().subtasks if counts[one.id]},
        pictures=sum(1 for _ in (root / FOLDER).iterdir()),
        without_depth=selection.without_depth,
    )
