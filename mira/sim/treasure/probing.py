"""What players of the treasure game are asked between rounds about what they believe.

Where the reward is, where the other believes it to be, where the other believes that oneself
believes it to be. What is right comes from what the simulator knows, and where that tells
nothing, nothing is asked:

- the reward is where the trial has it. Marie was told; the participant is right or wrong;
- what the participant believes is the box that it prefers itself, by a clear lead;
- what Marie believes is the reward box, for she was told, and the participant knows that she was;
- so what the participant believes Marie to believe is again the box that it prefers itself;
- what Marie believes the participant to believe is what the participant has shown: the box that it
  stands nearer to, and looks at, all that speaks at once. Words and, of a Marie who is asked in
  words, what she holds the participant to prefer are no proof of it, but where they name the other
  box there is no right answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pydantic import Field, model_validator

from mira.schema.episode import BoxId, EpisodeMoment, TomItem
from mira.schema.probe import ProbeQuestion
from mira.sim.probing.asking import Asked, ProbePolicy, make_item
from mira.sim.treasure.agent import Preferences, Seen
from mira.sim.treasure.agents.walking import box_in_view
from mira.sim.treasure.agents.words import named_box
from mira.sim.treasure.asking.names import PLAYER_NAMES
from mira.sim.treasure.match import TASK, Match
from mira.sim.treasure.rules import ROUNDS, Player, nearer_box, other
from mira.sim.treasure.trials import Trial

_BOXES: tuple[BoxId, BoxId] = (0, 1)
_MOST_QUESTIONS = 3


class TreasureProbePolicy(ProbePolicy):
    """When players of the treasure game are asked what they believe, and in which words."""

    steps: tuple[int, ...] = (3, 6, 9, 10)
    """Rounds after which they are asked, right before their next turn; 0 for the start."""
    clear_lead: float = Field(default=0.1, gt=0, le=2)
    """How much more a box is preferred by who believes in it, at least."""

    @model_validator(mode="after")
    def _in_the_game(self) -> Self:
        if self.steps[-1] > ROUNDS:
            raise ValueError(f"steps: expected rounds up to {ROUNDS}, found {self.steps[-1]}")
        return self


def most_questions(policy: TreasureProbePolicy | None) -> int:
    """How many questions a player in a trial is asked at most."""
    return 0 if policy is None else _MOST_QUESTIONS * len(policy.steps)


def probe_items(
    match: Match,
    player: Player,
    step: int,
    *,
    policy: TreasureProbePolicy,
    supposed: Preferences | None,
) -> Iterator[TomItem]:
    """What a player is asked, as far as there is a right answer.

    Args:
        match: How the game stands.
        player: Who is asked.
        step: Rounds played.
        policy: When, and in which words.
        supposed: What Marie holds the participant to prefer; None where nobody can tell.
    """
    if step not in policy.steps:
        return
    trial = match.trial
    moment = EpisodeMoment(episode_id=trial.trial_id, step=step, role=player)
    for asked in _questions(match, player, policy.clear_lead, supposed):
        yield make_item(
            asked,
            moment,
            policy=policy,
            names={"partner": PLAYER_NAMES[other(player)]},
            unit=trial.trial_id,
            source=TASK,
            seed=trial.seed,
        )


def _questions(
    match: Match, player: Player, clear_lead: float, supposed: Preferences | None
) -> Iterator[Asked]:
    reward = match.trial.reward_box
    believed = preferred_box(match.seen("participant", match.round).preferences, clear_lead)
    yield Asked("reward", right=str(reward))
    if player == "participant":
        yield _belief("other", 1, reward, match.trial)
        seen = match.seen("subject", match.round)
        held = None if supposed is None else preferred_box(supposed, clear_lead)
        shown = shown_belief(seen, held)
        if shown is not None:
            yield _belief("other_of_self", 2, shown, match.trial)
    elif believed is not None:
        yield _belief("other", 1, believed, match.trial)
        yield _belief("other_of_self", 2, believed, match.trial)


def _belief(name: ProbeQuestion, order: int, box: BoxId, trial: Trial) -> Asked:
    condition = "true_belief" if box == trial.reward_box else "false_belief"
    return Asked(name, right=str(box), order=order, condition=condition)


def preferred_box(preferences: Preferences, clear_lead: float) -> BoxId | None:
    """The box that is preferred by a lead at least; None without one."""
    lead = preferences.dark_box - preferences.light_box
    if abs(lead) < clear_lead:
        return None
    return 0 if lead > 0 else 1


def shown_belief(seen: Seen, held: BoxId | None) -> BoxId | None:
    """The box that the other has shown to believe in; None where its signs are none, or two.

    Args:
        seen: What is known to who looks.
        held: The box that it holds the other to prefer; None for neither.
    """
    near, looked = nearer_box(seen.partner.at, seen.boxes), box_in_view(seen.partner, seen.boxes)
    said = [line.text for line in seen.dialogue if line.player != seen.player]
    words = {held, named_box(said[-1]) if said else None} - {None}
    for box in _BOXES:
        if {near, looked} & {0, 1} == {box} and words <= {box}:
            return box
    return None
