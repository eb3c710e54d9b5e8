"""Games of the PCM-LLM study as trials of MOSAIC (Yan, Sergeant-Perthuis and Rudrauf 2025).

It is the earlier study that MOSAIC grew out of: the same treasure game, 4,000 times, by virtual
agents with a cognitive architecture. Positions become grid steps, 80 of its units each, so that
boxes stand two to the side and agents begin four away, as in MOSAIC. Preferences, there from 0 to
1, become -1 to 1; a few that overshoot are cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from mira.errors import EpisodeError
from mira.evals.mosaic.pcm_files import ROUNDS, PcmLogs, read_pcm_logs
from mira.evals.mosaic.sources import Progress, TrialGroup, group_trials, with_keys
from mira.evals.mosaic.trials import Trial
from mira.schema.episode import Episode, EpisodeAgent, EpisodeRun, MosaicDetails
from mira.schema.record import Provenance, describe_fault
from mira.schema.step import MosaicStep
from mira.store.episodes import EpisodeStore
from mira.store.version import tool_version

NAME, LICENCE = "PCM-LLM", "CC-BY-4.0"
ATTRIBUTION = "Yan, Sergeant-Perthuis, Rudrauf: PCM-LLM, 2025 (github.com/tonglinyan/PCM-LLM)"
UNITS_PER_CELL = 80.0
_VALUES_SHOWN = 8
_Game = dict[str, list[float]]
"""What is logged of a game, by our names: the start, then ten rounds; NaN where it is silent."""
_MODES = {"Partner": "cooperative", "Adversary": "competitive"}
_VARIED = (
    "VerbalMode",
    "LLMHypothesis",
    "FacialExpression",
    "ParticipantPhysiologicalSensitivity",
)
"""Settings that differ between games beside those that MOSAIC has; they go into the task's name."""


class Imported(NamedTuple):
    """What became of logs."""

    run: EpisodeRun
    """The run they make."""
    trials: Iterator[Trial]
    """Its trials, in the order of the logs."""
    n: int
    """How many."""
    other_scores: int
    """Of these, games whose logged score does not follow from their logged choice."""


def import_pcm_llm(folder: Path, *, where: Mapping[str, str]) -> Imported:
    """Logged games as trials.

    Args:
        folder: The logs, published or packed.
        where: Settings that a game is to have, such as `VerbalMode` by name; all games if empty.

    Raises:
        EpisodeError: The logs cannot be read, have no such setting, or no such game.
    """
    logs = read_pcm_logs(folder)
    rows = _rows_with(logs, where, folder)
    ids = [logs.settings[row].get("Simulation") for row in rows]
    if len(set(ids)) < len(ids):
        raise EpisodeError(folder, "expected each game once by its column Simulation, found twice")
    parameters = {
        "games": len(rows),
        "attribution": ATTRIBUTION,
        "where": dict(where),
        "units_per_cell": UNITS_PER_CELL,
    }
    provenance = Provenance(
        tool="mira eval mosaic import-pcm",
        tool_version=tool_version(),
        parameters=parameters,
        inputs=logs.files,
    )
    return Imported(
        run=EpisodeRun(name=NAME, licence=LICENCE, provenance=provenance),
        trials=(_trial(logs, row, folder) for row in rows),
        n=len(rows),
        other_scores=sum(_score_differs(logs.settings[row]) for row in rows),
    )


def pcm_groups(
    folder: Path, *, where: Mapping[str, str], progress: Progress | None = None
) -> list[TrialGroup]:
    """Logged games to be scored without writing them; see `import_pcm_llm`."""
    found = import_pcm_llm(folder, where=where)
    trials = []
    for done, trial in enumerate(found.trials, start=1):
        trials.append(trial)
        if progress:
            progress(done, found.n)
    return with_keys(group_trials(trials, name=found.run.name, licence=found.run.licence))


def write_pcm_run(found: Imported, out: Path, *, progress: Progress | None = None) -> EpisodeStore:
    """A folder of episodes with logged games; what is there whole already stays.

    Raises:
        MiraError: The folder holds something else, or cannot be written.
    """
    store = EpisodeStore.create(out, found.run)
    for done, trial in enumerate(found.trials, start=1):
        if not store.has(trial.trial_id):
            rounds = zip(trial.subject, trial.participant, strict=True)
            store.put(trial.episode, [turn for both in rounds for turn in both])
        if progress:
            progress(done, found.n)
    return store


def _rows_with(logs: PcmLogs, where: Mapping[str, str], folder: Path) -> list[int]:
    """Places of the games with some settings."""
    found = list(range(len(logs.settings)))
    for name, value in where.items():
        if not found or name not in logs.settings[0]:
            known = ", ".join(logs.settings[0]) if logs.settings else "none"
            raise EpisodeError(folder, f"expected a setting of the logs ({known}), found {name!r}")
        values = sorted({logs.settings[row][name] for row in found})
        found = [row for row in found if logs.settings[row][name] == value]
        if not found:
            problem = f"{name}: expected one of {', '.join(values[:_VALUES_SHOWN])}"
            raise EpisodeError(folder, f"{problem}, found {value!r}")
    if not found:
        raise EpisodeError(folder, "expected logged games, found none")
    return found


def _trial(logs: PcmLogs, row: int, folder: Path) -> Trial:
    """A game by its row; a fault names the game."""
    told = logs.settings[row]
    # Python's own numbers: single ones of an array take many times as long to fetch.
    game = {name: array[row].tolist() for name, array in logs.series.items()}
    where = f"{folder}: game {told.get('Simulation', row)}"
    try:
        episode, details = _episode(told, game)
        pairs = [_turns(game, episode.episode_id, k) for k in range(1, ROUNDS + 1)]
    except KeyError as error:
        raise EpisodeError(where, f"expected a column {error}, found none") from None
    except ValidationError as error:
        raise EpisodeError(where, describe_fault(error)) from None
    except ValueError as error:
        raise EpisodeError(where, f"expected whole numbers in its settings: {error}") from None
    subject, participant = zip(*pairs, strict=True)
    return Trial(episode, details, subject, participant)


def _episode(told: Mapping[str, str], game: _Game) -> tuple[Episode, MosaicDetails]:
    reward, choice = int(told["RewardBoxID"]), int(told["SelectedBox"])
    mode = _MODES.get(told["VirtualAgentRole"], told["VirtualAgentRole"])
    score = 0 if choice == -1 else 1 if choice == reward else -1
    details = MosaicDetails.model_validate(
        {
            "mode": mode,
            "tom_order": int(told["ToM"]),
            "boxes_cells": (_cell(game, "box_0", 1), _cell(game, "box_1", 1)),
            "reward_box": reward,
            "choice": choice,
            "participant_score": score,
            "subject_score": -score if mode == "competitive" else score,
        }
    )
    varied = " ".join(f"{name}={told[name]}" for name in _VARIED)
    episode = Episode(
        episode_id=f"pcm-{int(told['Simulation']):04d}",
        task=f"PCM-LLM/TreasureGame-2025 {varied}",
        seed=None,
        agents=(
            EpisodeAgent(role="subject", name=NAME),
            EpisodeAgent(role="participant", name=NAME),
        ),
        model=NAME,
        num_steps=ROUNDS,
        max_steps=ROUNDS,
        success=score == 1,
        termination="completed",
        details=details,
    )
    return episode, details


def _turns(game: _Game, episode_id: str, k: int) -> tuple[MosaicStep, MosaicStep]:
    """Both agents' turns in a round."""

    def at(name: str) -> float | None:
        value = game[name][k] if name in game else None
        return value if value is None or value == value else None

    subject = MosaicStep(
        episode_id=episode_id,
        round=k,
        role="subject",
        position_cells=_cell(game, "subject", k),
        gaze_certainty=_pair(at("gaze_0"), at("gaze_1")),
        facial_valence=at("facial"),
        physiological_valence=at("physiological"),
        felt_valence=at("felt"),
        preference_other=_signed(at("subject_other")),
        preference_boxes=_pair(_signed(at("subject_0")), _signed(at("subject_1"))),
    )
    participant = MosaicStep(
        episode_id=episode_id,
        round=k,
        role="participant",
        position_cells=_cell(game, "participant", k),
        preference_other=_signed(at("participant_other")),
        preference_boxes=_pair(_signed(at("participant_0")), _signed(at("participant_1"))),
    )
    return subject, participant


def _cell(game: _Game, name: str, k: int) -> tuple[float, float]:
    return game[f"{name}_x"][k] / UNITS_PER_CELL, game[f"{name}_z"][k] / UNITS_PER_CELL


def _signed(preference: float | None) -> float | None:
    """A preference from 0 to 1 as one from -1 to 1."""
    return None if preference is None else min(1.0, max(-1.0, 2 * preference - 1))


def _pair(first: float | None, second: float | None) -> tuple[float, float] | None:
    return None if first is None or second is None else (first, second)


def _score_differs(told: Mapping[str, str]) -> bool:
    reward, choice = told.get("RewardBoxID"), told.get("SelectedBox")
    follows = "0" if choice == "-1" else "1" if choice == reward else "-1"
    return told.get("PlayerScore") != follows
