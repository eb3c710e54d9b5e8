"""What a run would ask, without asking anybody."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from mira.evals.inspect_runner.drawing import draw_questions
from mira.evals.inspect_runner.options import AskingOptions
from mira.evals.inspect_runner.planning import Asked, plan_asking
from mira.evals.mira_bench.subtasks import subtasks_in_order
from mira.release.question_sets import read_scenes
from mira.schema.record import Record
from mira.taxonomy.catalogue import taxonomy

_CHARACTERS_A_TOKEN = 4
_PIXELS_A_TOKEN = 750
_REPLY_TOKENS = 60
"""Rules of thumb: English text; pictures sent whole; a JSON object with one sentence. Providers
count otherwise, and models that think say more."""


class ShownOnce(Record):
    """One picture as it would be sent."""

    role: str
    """What it shows."""
    file: str
    """Its name, by its digest."""
    width_px: int
    """Its width."""
    height_px: int
    """Its height."""
    size_bytes: int
    """Length of the file."""


class Rehearsal(Record):
    """What would be asked."""

    runs: tuple[str, ...]
    """Folders of the runs."""
    questions: int
    """Calls that would be made, repairs and repeated calls left out."""
    subtasks: dict[str, int]
    """The same by sub-task."""
    pictures: int
    """Pictures that would be sent, each as often as it is sent."""
    without_depth: int
    """Questions left out because their picture has no depth."""
    input_tokens: int
    """Estimate of what goes in."""
    output_tokens: int
    """Estimate of what comes out of a model that does not think aloud."""
    cost_usd: float | None
    """Estimate of what it costs; absent without a price."""
    first_id: str
    """The first question."""
    first_pictures: tuple[ShownOnce, ...]
    """Its pictures, in order."""
    first_prompt: str
    """Its text."""


def rehearse(release: Path, out: Path, *, options: AskingOptions) -> Rehearsal:
    """Draw and word the first question, and count the others.

    Args:
        release: The folder.
        out: Where runs would be written; nothing is.
        options: Who would be asked what.

    Raises:
        ReleaseError: The release cannot be asked.
    """
    plan = plan_asking(release, out, options)
    key, first = next(iter(plan.asked.items()))
    with TemporaryDirectory() as scratch:
        (drawn,) = draw_questions(plan, {key: first}, options, Path(scratch))
        shown = tuple(_shown(Path(scratch) / one.path, one.role) for one in drawn.pictures)
    counts = {key: _picture_count(one) for key, one in plan.asked.items()}
    columns = ["image_id", "width_px", "height_px"]
    tokens_of = {
        row["image_id"]: row["width_px"] * row["height_px"] / _PIXELS_A_TOKEN
        for row in read_scenes(release, columns=columns, split=options.split)
    }
    words = len(drawn.prompt) / _CHARACTERS_A_TOKEN
    tokens_in = sum(
        words + counts[key] * tokens_of[one.row["image_id"]] for key, one in plan.asked.items()
    )
    tokens_out = _REPLY_TOKENS * len(plan.asked)
    price = options.price
    subtasks = Counter(one.question.subtask for one in plan.asked.values())
    return Rehearsal(
        runs=tuple(str(part.folder) for part, _ in plan.parts),
        questions=len(plan.asked),
        subtasks={one: subtasks[one] for one in subtasks_in_order(subtasks)},
        pictures=sum(counts.values()),
        without_depth=plan.without_depth,
        input_tokens=round(tokens_in),
        output_tokens=tokens_out,
        cost_usd=price
        and round((tokens_in * price.input_usd + tokens_out * price.output_usd) / 1e6, 2),
        first_id=first.question.question_id,
        first_pictures=shown,
        first_prompt=drawn.prompt,
    )


def _picture_count(one: Asked) -> int:
    """Pictures of a question: RGB, mask if any, depth if any."""
    masked = taxonomy().protocol(one.protocol).mask_picture and one.row["marks"]
    return 1 + bool(masked) + taxonomy().modality(one.modality).depth


def _shown(path: Path, role: str) -> ShownOnce:
    with Image.open(path) as picture:
        width_px, height_px = picture.size
    return ShownOnce(
        role=role,
        file=path.name,
        width_px=width_px,
        height_px=height_px,
        size_bytes=path.stat().st_size,
    )
