"""The moments of a recorded trial: the start, each turn, each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mira.errors import EpisodeError
from mira.schema.episode import Cell, Episode, MosaicDetails
from mira.schema.step import MosaicStep, Step
from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.asking.names import BOX_NAMES, PLAYER_NAMES
from mira.sim.treasure.floor import Square, Stance, is_on_floor, turned_to
from mira.sim.treasure.rules import PLAYERS, START, Player, other


class Moment(NamedTuple):
    """How things stand, and what has just happened.

    Attributes:
        stances: Where both are.
        emotions: What both show.
        done: What has just been done, in a line.
        said: What has just been said, or "".
    """

    stances: Mapping[Player, Stance]
    emotions: Mapping[Player, Emotion]
    done: str
    said: str = ""


class Trial(NamedTuple):
    """A recorded trial.

    Attributes:
        details: What was played.
        boxes: Cells of the boxes.
        moments: Its moments, in their order.
        ending: How it ended, in a line.
    """

    details: MosaicDetails
    boxes: tuple[Square, Square]
    moments: Sequence[Moment]
    ending: str


def trial_of(episode: Episode, steps: Sequence[Step]) -> Trial:
    """A recorded trial, to be drawn.

    Raises:
        EpisodeError: It is no trial on the cells of the game, or does not tell where anybody faces.
    """
    details = episode.details
    if not isinstance(details, MosaicDetails):
        found = episode.family
        raise EpisodeError(episode.episode_id, f"expected a trial of mosaic, found one of {found}")
    dark, light = (_square(cell, episode) for cell in details.boxes_cells)
    moments = tuple(_moments(episode, [s for s in steps if isinstance(s, MosaicStep)]))
    return Trial(details, (dark, light), moments, _ending(details))


def _moments(episode: Episode, steps: Sequence[MosaicStep]) -> Iterator[Moment]:
    now = Moment(START, dict.fromkeys(PLAYERS, Emotion()), "The start")
    yield now
    spoken: list[MosaicStep] = []
    for step in steps:
        shown = Emotion(step.facial_valence or 0.0, step.physiological_valence or 0.0)
        now = Moment(
            {**now.stances, step.role: _stance(step, episode)},
            {**now.emotions, step.role: shown},
            f"Round {step.round}, {PLAYER_NAMES[step.role]}: {_move_name(step)}",
        )
        yield now
        spoken.append(step)
        if step.role == PLAYERS[-1]:
            for one in reversed(spoken):
                if one.utterance is not None:
                    said = f"{PLAYER_NAMES[one.role]}: {one.utterance}"
                    yield now._replace(done=f"Round {step.round}", said=said)
            spoken.clear()


def _move_name(step: MosaicStep) -> str:
    if step.move is None:
        return "stays (the reply could not be read)" if step.raw_replies else "not told"
    targets = {
        "rotate_other": PLAYER_NAMES[other(step.role)],
        "rotate_box_0": BOX_NAMES[0].lower(),
        "rotate_box_1": BOX_NAMES[1].lower(),
    }
    if step.move in targets:
        return f"turns to {targets[step.move]}"
    return "stays" if step.move == "stay_idle" else step.move.replace("_", " ")


def _stance(step: MosaicStep, episode: Episode) -> Stance:
    if step.orientation_cells is None:
        raise EpisodeError(episode.episode_id, "expected steps that tell where agents face")
    at = _square(step.position_cells, episode)
    return turned_to(Stance(at, 0), _square(step.orientation_cells, episode, beyond=True))


def _square(cell: Cell, episode: Episode, *, beyond: bool = False) -> Square:
    x, y = round(cell[0]), round(cell[1])
    if (x, y) != tuple(cell) or not (beyond or is_on_floor((x, y))):
        raise EpisodeError(
            episode.episode_id,
            f"expected cells of the game's floor, found {cell[0]:g}, {cell[1]:g}",
        )
    return x, y


def _ending(details: MosaicDetails) -> str:
    reward = BOX_NAMES[details.reward_box].lower()
    if details.choice is None:
        return f"Broken off; the reward was in the {reward}"
    if details.choice == -1:
        return f"No box is nearer; the reward was in the {reward}"
    found = "with" if details.choice == details.reward_box else "without"
    return f"The {BOX_NAMES[details.choice].lower()} opens, {found} the reward"
