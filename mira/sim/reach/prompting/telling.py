"""What a player is told on its turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mira.schema.step import ReachAction
from mira.sim.reach.prompting.wording import ReachWording
from mira.sim.reach.rules import ACTIONS, ReachGame
from mira.sim.reach.scenes import ReachScene


class PastTurn(NamedTuple):
    """A turn that was taken.

    Attributes:
        action: The move; None where the reply could not be read.
        legal: Whether it was made.
    """

    action: ReachAction | None
    legal: bool | None


def tell_task(scene: ReachScene, level: int, game: ReachGame, *, wording: ReachWording) -> str:
    """The task, as it stands before all turns of an episode.

    Args:
        scene: Who stands there, with which hand and mark.
        level: How much is told.
        game: What moves and turns there are.
        wording: In which words.
    """
    actions = ", ".join(f'"{action}"' for action in ACTIONS)
    situation = tell_situation(scene, level, game, wording=wording)
    return f"{situation}\n\n{wording.reply.format(actions=actions)}"


def tell_situation(scene: ReachScene, level: int, game: ReachGame, *, wording: ReachWording) -> str:
    """The task without the form of a reply, for whoever is asked for something else than a move."""
    looks = {
        "body": wording.bodies[scene.body.name],
        "hand": wording.hands[scene.hand],
        "mark": wording.marks[scene.mark],
    }
    moves = "\n".join(f"- {action}: {wording.moves[action]}" for action in ACTIONS)
    rules = wording.rules.format(
        moves=moves, step=f"{100 * game.policy.step_m:g} cm", turns=game.max_turns
    )
    return f"{wording.levels[level].format(**looks)}\n\n{rules}"


def tell_turns(turns: Sequence[PastTurn], *, wording: ReachWording) -> str:
    """What was done so far, and what became of the last turn; empty before the first.

    A reply that could not be read is told right after it, and is no part of what was done.
    """
    done = [turn for turn in turns if turn.action is not None]
    lines = [
        (wording.made if turn.legal else wording.refused).format(number=number, action=turn.action)
        for number, turn in enumerate(done, start=1)
    ]
    parts = [wording.history.format(lines="\n".join(lines))] if lines else []
    if turns and turns[-1].action is None:
        parts.append(wording.told_unreadable)
    elif turns and not turns[-1].legal:
        parts.append(wording.told_refused.format(action=turns[-1].action))
    return "\n\n".join(parts)
