"""Probes of an episode: what was said, whether it is right, and whether it was acted on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from mira.evals.beliefs import reach_behaviour, treasure_behaviour
from mira.evals.beliefs.policy import BeliefPolicy
from mira.evals.mira_bench.outcomes import Outcome
from mira.evals.mosaic.trials import Trial, trial_of
from mira.evals.tom.replies import hear, judge, read_reply
from mira.schema.episode import Episode, ReachDetails, Role, TomItem
from mira.schema.probe import BOX_WORDS, Probe
from mira.schema.step import MirrorStep, Step

Verdict = Literal["agrees", "differs", "undecided"]
"""Whether what was done agrees with what was said, or tells nothing of it."""


class AskedEpisode(NamedTuple):
    """An episode whose players were asked what they believe.

    Attributes:
        run: Name of the run.
        episode: What was played.
        steps: All of its steps, in their order.
        probes: What was asked between them, in any order.
    """

    run: str
    episode: Episode
    steps: tuple[Step, ...]
    probes: tuple[Probe, ...]


class Weighed(NamedTuple):
    """One probe.

    Attributes:
        run: Name of the run.
        player: Who was asked.
        role: What it plays.
        episode: What was played.
        item: What was asked.
        cell: Level or condition.
        unit: What intervals resample: the scene, or the trial.
        outcome: Whether what was said is right.
        is_first: Whether it is the first option; None where nothing was stated.
        verdict: Whether it was acted on; None where nothing was stated, or nothing follows from it.
    """

    run: str
    player: str
    role: Role
    episode: Episode
    item: TomItem
    cell: str
    unit: str
    outcome: Outcome
    is_first: bool | None
    verdict: Verdict | None


class _Window(NamedTuple):
    """The steps after a probe, up to the next one of the same question."""

    after: int
    until: int | None


def weigh(asked: AskedEpisode, policy: BeliefPolicy) -> tuple[Weighed, ...]:
    """Probes of an episode, in the order given; pure.

    Args:
        asked: The episode; one that broke off counts as far as it went.
        policy: Numbers that decide.

    Raises:
        EpisodeError: The steps are not those of the episode.
    """
    windows = _windows(asked.probes)
    trial = trial_of(asked.episode, asked.steps)
    names = {agent.role: agent.name for agent in asked.episode.agents}
    found = []
    for probe, window in zip(asked.probes, windows, strict=True):
        item = probe.item
        assert item.moment is not None, "a probe is about a moment"
        said = hear(item, read_reply(item, probe.raw_reply))
        first = None if said.answer is None or not item.options else item.options[0].label
        found.append(
            Weighed(
                run=asked.run,
                player=names[item.moment.role],
                role=item.moment.role,
                episode=asked.episode,
                item=item,
                cell=_cell(asked.episode, trial),
                unit=_unit(asked.episode),
                outcome=judge(item, said),
                is_first=None if first is None else said.answer == first,
                verdict=None
                if said.answer is None
                else _verdict(asked, trial, item, said.answer, window, policy),
            )
        )
    return tuple(found)


def _windows(probes: Sequence[Probe]) -> list[_Window]:
    def asked(probe: Probe) -> tuple[str, str | None, int]:
        moment = probe.item.moment
        assert moment is not None, "a probe is about a moment"
        return moment.role, probe.item.category, moment.step

    steps: dict[tuple[str, str | None], set[int]] = defaultdict(set)
    for role, question, step in map(asked, probes):
        steps[role, question].add(step)
    return [
        _Window(step, min((one for one in steps[role, question] if one > step), default=None))
        for role, question, step in map(asked, probes)
    ]


def _verdict(
    asked: AskedEpisode,
    trial: Trial | None,
    item: TomItem,
    answer: str,
    window: _Window,
    policy: BeliefPolicy,
) -> Verdict | None:
    """Whether behaviour agrees with an answer; None where nothing follows from it."""
    if item.kind == "control":
        return None
    if trial is not None:
        return _treasure_verdict(trial, item, answer, window, policy)
    details = asked.episode.details
    is_telling = item.category in reach_behaviour.QUESTIONS and len(item.options) == 2
    if not isinstance(details, ReachDetails) or not is_telling:
        return None
    steps = [
        step for step in asked.steps[window.after : window.until] if isinstance(step, MirrorStep)
    ]
    goal = reach_behaviour.goal_of(steps, details.step_m, policy.mirror)
    return _held("mark" if answer == item.answer else "image", goal)


def _treasure_verdict(
    trial: Trial, item: TomItem, answer: str, window: _Window, policy: BeliefPolicy
) -> Verdict | None:
    values = {option.label: option.value for option in item.options}
    role = item.moment.role if item.moment else ""
    stated = values.get(answer)
    if stated not in BOX_WORDS or not treasure_behaviour.follows(
        trial, role, item.category or "", after=window.after
    ):
        return None
    meant = treasure_behaviour.meant_after(
        trial,
        role,
        after=window.after,
        until=window.until,
        gaze_threshold=policy.gaze_threshold,
    )
    return _held(BOX_WORDS.index(stated), meant)


def _held(stated: object, done: object | None) -> Verdict:
    if done is None:
        return "undecided"
    return "agrees" if done == stated else "differs"


def _cell(episode: Episode, trial: Trial | None) -> str:
    if trial is not None:
        return trial.condition.id
    return f"level {episode.details.level}" if isinstance(episode.details, ReachDetails) else ""


def _unit(episode: Episode) -> str:
    details = episode.details
    if isinstance(details, ReachDetails):
        return f"{details.body}-{details.hand}-{details.mark}"
    return episode.episode_id
