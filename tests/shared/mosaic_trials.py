"""Trials of MOSAIC made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mira.evals.mosaic.trials import Trial, trial_of
from mira.schema.episode import Episode, EpisodeAgent, EpisodeRun, MosaicDetails
from mira.schema.record import Provenance
from mira.schema.step import MosaicStep
from mira.store.episodes import EpisodeStore

DARK, LIGHT = (2.0, 0.0), (-2.0, 0.0)


def _turn(role: str, number: int, told: dict[str, Any], trial_id: str) -> MosaicStep:
    values = {name: per_round[number - 1] for name, per_round in told.items()}
    return MosaicStep(episode_id=trial_id, round=number, role=role, **values)


def make_mosaic_trial(
    *,
    trial_id: str = "t",
    mode: str = "cooperative",
    tom_order: int = 0,
    reward: int = 0,
    choice: int | None = 0,
    boxes: tuple[Any, Any] = (DARK, LIGHT),
    xs: Sequence[float] = (0.0,) * 10,
    subject: dict[str, Any] | None = None,
    participant: dict[str, Any] | None = None,
    model: str | None = None,
    visual: str | None = None,
) -> Trial:
    """A trial in which the subject walks along `xs`, with more of each agent round by round."""
    score = None if choice is None else 0 if choice == -1 else 1 if choice == reward else -1
    rounds = len(xs)
    mine = {"position_cells": [(x, -4.0) for x in xs], **(subject or {})}
    other = {"position_cells": [(0.0, 4.0)] * rounds, **(participant or {})}
    episode = Episode(
        episode_id=trial_id,
        task="tests/Treasure-v0",
        seed=None,
        agents=(
            EpisodeAgent(role="subject", name="hand"),
            EpisodeAgent(role="participant", name="hand"),
        ),
        model=model,
        num_steps=rounds,
        max_steps=10,
        success=None if choice is None else score == 1,
        termination="aborted" if choice is None else "completed",
        details=MosaicDetails(
            mode=mode,  # type: ignore[arg-type]
            tom_order=tom_order,  # type: ignore[arg-type]
            boxes_cells=boxes,
            reward_box=reward,  # type: ignore[arg-type]
            choice=choice,  # type: ignore[arg-type]
            participant_score=score,  # type: ignore[arg-type]
            subject_score=None  # type: ignore[arg-type]
            if score is None
            else score * (1 if mode == "cooperative" else -1),
            visual=visual,  # type: ignore[arg-type]
        ),
    )
    steps = [
        _turn(role, number, told, trial_id)
        for number in range(1, rounds + 1)
        for role, told in (("subject", mine), ("participant", other))
    ]
    trial = trial_of(episode, steps)
    assert trial is not None
    return trial


def store_trials(root: Path, trials: Iterable[Trial], *, name: str = "hand") -> EpisodeStore:
    """Puts trials into a run."""
    provenance = Provenance(tool="tests", tool_version="1")
    store = EpisodeStore.create(root, EpisodeRun(name=name, provenance=provenance))
    for trial in trials:
        rounds = zip(trial.subject, trial.participant, strict=True)
        store.put(trial.episode, [turn for both in rounds for turn in both])
    return store
