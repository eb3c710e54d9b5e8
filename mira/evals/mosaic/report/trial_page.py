"""The page on which one looks at trials, one at a time (paper, figures 7 to 11)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from mira.errors import MiraError
from mira.evals.mosaic.conditions import CONDITIONS
from mira.evals.mosaic.evaluating import Evaluation, JudgedTrial
from mira.evals.mosaic.failures import TITLES, glossary_of
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.report import trial_figures
from mira.evals.mosaic.report.page import TEMPLATES
from mira.evals.mosaic.report.trial_figures import move_words
from mira.evals.mosaic.signals import gaze_signals, trajectory_signals
from mira.evals.mosaic.sources import PictureReader, TrialGroup
from mira.evals.mosaic.trials import Trial
from mira.render.sizing import at_most
from mira.report.page import jpeg_uri, render_page
from mira.schema.step import SPEECH_ROUNDS, MosaicStep


class Picked(NamedTuple):
    """A trial that is shown."""

    run: str
    """Key of the run."""
    judged: JudgedTrial
    """The trial."""
    read_picture: PictureReader | None
    """Reads its pictures."""


class Said(NamedTuple):
    """What an agent said in a round, and saw."""

    role: str
    utterance: str | None
    inner_speech: str | None
    picture: str | None
    """Data URI of a small copy; None where there is none."""
    missing: str | None
    """Why the picture cannot be shown."""


def pick_trials(evaluation: Evaluation, groups: Sequence[TrialGroup]) -> list[Picked]:
    """Some trials of each run and condition, by the digests of their ids."""
    most = evaluation.scores.policy.trials_shown
    readers = {group.key: group.read_picture for group in groups}
    picked = []
    for run, judged in evaluation.judged.items():
        for condition in CONDITIONS:
            of_cell = [one for one in judged if one.score.condition == condition.id]
            chosen = sorted(of_cell, key=lambda one: _digest(one.score.trial_id))[:most]
            picked += [
                Picked(run, one, readers[run])
                for one in sorted(chosen, key=lambda one: one.score.trial_id)
            ]
    return picked


def trial_page(picked: Sequence[Picked], policy: MosaicPolicy, *, total: int) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        picked: Trials that are shown.
        policy: Thresholds.
        total: How many finished trials there are.
    """
    return render_page(
        TEMPLATES / "mosaic_trials.html.j2",
        trials=[_shown(one, number, policy) for number, one in enumerate(picked, start=1)],
        runs=list(dict.fromkeys(one.run for one in picked)),
        conditions=CONDITIONS,
        failure_titles=TITLES,
        glossary=glossary_of(policy),
        policy=policy,
        total=total,
        figures=trial_figures,
    )


def _shown(picked: Picked, number: int, policy: MosaicPolicy) -> dict[str, Any]:
    trial, score, failures = picked.judged
    dialogue = list(_dialogue(picked, policy))
    return {
        "number": number,
        "run": picked.run,
        "trial": trial,
        "score": score,
        "tags": [name for name, found in failures.items() if found],
        "outcome": _outcome(picked.judged),
        "floor": trial_figures.floor_of(trial),
        "expressions": trial_figures.expressions_of(trial),
        "preferences": trial_figures.preferences_of(trial.participant),
        "dialogue": dialogue,
        "pictures": any(said.picture for _, told in dialogue for said in told),
        "rounds": _rounds(trial, policy),
        "agents": {agent.role: agent.name for agent in trial.episode.agents},
    }


def _outcome(judged: JudgedTrial) -> str:
    if judged.score.choice == -1:
        return "neutral"
    return "conforms" if judged.score.conforms else "other"


def _rounds(trial: Trial, policy: MosaicPolicy) -> list[dict[str, Any]]:
    """What each round means, and what was done in it."""
    ways = trajectory_signals(trial)
    gaze = gaze_signals(trial, policy.gaze_threshold) or (None,) * len(ways)
    turns = zip(trial.subject, trial.participant, ways, gaze, strict=True)
    return [
        {
            "round": mine.round,
            "subject": mine,
            "participant": other,
            "subject_did": move_words(mine.move),
            "participant_did": move_words(other.move),
            "way": way,
            "gaze": looked,
        }
        for mine, other, way, looked in turns
    ]


def _dialogue(picked: Picked, policy: MosaicPolicy) -> Iterator[tuple[int, list[Said]]]:
    """Rounds in which agents speak: the participant asks, then the subject answers."""
    trial = picked.judged.trial
    by_round: Mapping[int, list[MosaicStep]] = {
        number: [
            step
            for step in (*trial.participant, *trial.subject)
            if step.round == number and (step.utterance or step.inner_speech or step.image)
        ]
        for number in SPEECH_ROUNDS
    }
    for number, steps in by_round.items():
        if steps:
            yield number, [_said(step, picked, policy) for step in steps]


def _said(step: MosaicStep, picked: Picked, policy: MosaicPolicy) -> Said:
    uri, missing = None, None
    if step.image is not None and picked.read_picture is not None:
        try:
            uri = _small_copy(picked.read_picture(step.episode_id, step.image), policy)
        except MiraError as error:
            missing = str(error)
        else:
            missing = None if uri else f"{step.image.path} cannot be read as a picture"
    return Said(step.role, step.utterance, step.inner_speech, uri, missing)


def _small_copy(data: bytes, policy: MosaicPolicy) -> str | None:
    """A data URI of a picture, made smaller; None where the bytes are no picture."""
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if decoded is None:
        return None
    small = at_most(np.asarray(decoded[..., ::-1], np.uint8), policy.picture_px)
    return jpeg_uri(small, quality=policy.jpeg_quality)


def _digest(trial_id: str) -> str:
    return hashlib.sha256(trial_id.encode()).hexdigest()
