"""Questions as samples of inspect_ai."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from inspect_ai.dataset import Dataset, MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

from mira.evals.inspect_runner.drawing import Drawn


def samples_of(drawn: Iterable[Drawn], root: Path) -> Dataset:
    """One sample a question and modality; pictures stay files until they are sent.

    Args:
        drawn: The questions.
        root: The folder that their pictures are named from.
    """
    return MemoryDataset([_sample(one, root) for one in drawn], name="mira")


def _sample(one: Drawn, root: Path) -> Sample:
    pictures = [
        ContentImage(image=str(root / picture.path), detail="high") for picture in one.pictures
    ]
    question = one.asked.question
    return Sample(
        id=one.asked.key,
        input=[ChatMessageUser(content=[*pictures, ContentText(text=one.prompt)])],
        # For who looks at the log; replies are scored elsewhere.
        target=question.answer,
        metadata={
            "question_id": question.question_id,
            "question_sha8": question.sha8,
            "template_id": question.template_id,
            "protocol": question.protocol,
            "modality": one.asked.modality,
            "scene_id": question.scene_id,
            # The log leaves pictures out; these are their files, named by their digests.
            "pictures": [picture.path for picture in one.pictures],
        },
    )
