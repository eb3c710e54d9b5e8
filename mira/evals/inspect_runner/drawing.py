"""Pictures and text of the questions that are to be asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mira.errors import ReleaseError
from mira.evals.inspect_runner.options import AskingOptions, Progress
from mira.evals.inspect_runner.planning import Asked, Plan, by_picture, scenes_of
from mira.evals.inspect_runner.wording import ReplyWording
from mira.release.picture_files import SceneFiles, ShownPicture
from mira.release.reader import Row
from mira.schema.qa import Modality, Protocol
from mira.taxonomy.catalogue import taxonomy


@dataclass(frozen=True)
class Drawn:
    """A question as it is sent.

    Attributes:
        asked: The question.
        pictures: In the order they are shown.
        prompt: The text behind them.
    """

    asked: Asked
    pictures: tuple[ShownPicture, ...]
    prompt: str


def draw_questions(
    plan: Plan,
    asked: dict[str, Asked],
    options: AskingOptions,
    root: Path,
    progress: Progress | None = None,
) -> Iterator[Drawn]:
    """Write the pictures of questions below a folder, each distinct one once, and word them.

    Args:
        plan: All that is asked.
        asked: The questions of it that are drawn, by key.
        options: How pictures are written.
        root: The folder.
        progress: Called with pictures of the release that are done and in all.

    Raises:
        MiraError: A picture cannot be decoded, or a mark cannot be drawn on it.
        ReleaseError: A row misses something.
    """
    pictures = by_picture(asked)
    for done, scene in enumerate(scenes_of(plan, set(pictures), split=options.split), start=1):
        try:
            yield from _draw_picture(scene, pictures[scene["image_id"]], options, root)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problem = f"the picture {scene.get('image_id')} misses something: {error}"
            raise ReleaseError(plan.release, problem, "see: mira export verify") from None
        if progress is not None:
            progress("drawing pictures", done, len(pictures))


def _draw_picture(
    scene: Row, asked: list[Asked], options: AskingOptions, root: Path
) -> Iterator[Drawn]:
    wording = ReplyWording.read()
    files: dict[tuple[Protocol, Modality, str], SceneFiles] = {}
    for one in asked:
        way = (one.protocol, one.modality, one.style.name)
        if way not in files:
            files[way] = SceneFiles(
                scene,
                protocol=one.protocol,
                modality=one.modality,
                color_form=options.color_form,
                root=root,
                style=one.style.style,
            )
        shown = files[way].of_question(one.row)
        tinted = taxonomy().modality(one.modality).mirror
        yield Drawn(one, shown, wording.prompt(one.row, shown, mirrors_tinted=tinted))
