"""The questions of a release, asked in several ways, each a run of its own."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mira.evals.inspect_runner.collecting import require_same_manifest, settings_of, write_run
from mira.evals.inspect_runner.drawing import draw_questions
from mira.evals.inspect_runner.journal import Heard
from mira.evals.inspect_runner.options import AskingOptions, Progress, RunPart
from mira.evals.inspect_runner.planning import Asked, Plan
from mira.evals.inspect_runner.questionnaire import Facts
from mira.evals.inspect_runner.wording import ReplyWording
from mira.schema.evaluation import RunManifest

if TYPE_CHECKING:
    from inspect_ai.dataset import Dataset


@dataclass(frozen=True)
class ReleaseQuestions:
    """A plan of what is asked about a release.

    Attributes:
        plan: The questions.
        options: How they are asked, and of whom.
    """

    plan: Plan
    options: AskingOptions

    @property
    def asked(self) -> Mapping[str, Asked]:
        """The questions by key."""
        return self.plan.asked

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where runs are written."""
        return tuple(part.folder for part, _ in self.plan.parts)

    @property
    def digest(self) -> str:
        """Digest of the release."""
        return self.plan.digest

    def require_same_settings(self, facts: Facts) -> None:
        """Raise where a run that is to go on was asked otherwise."""
        for part, _ in self.plan.parts:
            require_same_manifest(part.folder, self._manifest(part, facts))

    def datasets(
        self, left: Collection[str], root: Path, size: int, progress: Progress | None
    ) -> Iterator[Dataset]:
        """Samples of the questions that are left; all pictures are drawn before the first."""
        from mira.evals.inspect_runner.dataset import samples_of

        asked = {key: self.plan.asked[key] for key in left}
        drawn = list(draw_questions(self.plan, asked, self.options, root, progress))
        for start in range(0, len(drawn), size):
            yield samples_of(drawn[start : start + size], root)

    def write(self, heard: Mapping[str, Heard], facts: Facts) -> None:
        """Write every run with what was heard so far, in the order of the release."""
        for part, keys in self.plan.parts:
            mine = [heard[key] for key in keys if key in heard]
            write_run(part.folder, self._manifest(part, facts), mine, price=self.options.price)

    def _manifest(self, part: RunPart, facts: Facts) -> RunManifest:
        options = self.options
        ours = {"pictures": options.color_form, "repair calls": 1}
        return RunManifest(
            **settings_of(options, {**ours, **facts}),
            dataset_digest=self.plan.digest,
            prompt_version=ReplyWording.read().version,
            protocol=part.protocol,
            modality=part.modality,
            style=part.style.style.changes(),
            split=options.split,
            limit=options.limit,
            release=os.path.relpath(self.plan.release.resolve(), part.folder.resolve()),
        )
