"""Many episodes of the mirror test in one run; what is there already is kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from mira.errors import SimulationError
from mira.replies.moves import MoveReading
from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance
from mira.sim.reach.agents import AgentName, make_agent
from mira.sim.reach.painting import Painter
from mira.sim.reach.play import TASK, ReachPlay, reach_episode_id
from mira.sim.reach.probing import ReachProbePolicy
from mira.sim.reach.prompting.wording import LEVELS, ReachWording
from mira.sim.reach.rules import ReachPolicy
from mira.sim.reach.scenes import ReachScene, named_scenes
from mira.store.episodes import EpisodeStore
from mira.store.version import tool_version

Progress = Callable[[int, int], None]


class Slot(NamedTuple):
    """A place in a run for one episode.

    Attributes:
        scene: The scene.
        level: How much the player is told.
        repeat: Which time it is played, from 1.
    """

    scene: ReachScene
    level: int
    repeat: int

    @property
    def episode_id(self) -> str:
        """Name of its episode."""
        return reach_episode_id(self.scene, self.level, self.repeat)


class ReachSetup(NamedTuple):
    """What the episodes of a run have in common.

    Attributes:
        player: Name of who plays.
        model: Name of the model under test; None for scripts and people.
        policy: The numbers it is played by.
        wording: The words of prompts.
        reading: How strictly replies are read.
        seed: Seed of what is drawn by chance.
        probes: When who plays is asked what it believes; None for never.
        settings: What else decides replies, such as how they are sampled, by name.
    """

    player: str
    model: str | None
    policy: ReachPolicy
    wording: ReachWording
    reading: MoveReading = "strict"
    seed: int = 0
    probes: ReachProbePolicy | None = None
    settings: Mapping[str, object] = MappingProxyType({})

    def run(self) -> EpisodeRun:
        """What the episodes have in common, as a record."""
        return EpisodeRun(
            name=self.player,
            licence="CC0-1.0",
            provenance=Provenance(
                tool="mira", tool_version=tool_version(), parameters=self._parameters()
            ),
        )

    def open(self, root: Path) -> EpisodeStore:
        """A new run, or the one of the same set-up that is there already.

        Raises:
            EpisodeError: Something else is there.
        """
        return EpisodeStore.create(root, self.run())

    def play(self, slot: Slot, painter: Painter | None) -> ReachPlay:
        """The episode of a place, at its start."""
        return ReachPlay(
            slot.scene,
            slot.level,
            player=self.player,
            model=self.model,
            policy=self.policy,
            painter=painter,
            wording=self.wording,
            reading=self.reading,
            seed=self.seed,
            repeat=slot.repeat,
            probes=self.probes,
        )

    def _parameters(self) -> dict[str, object]:
        return {
            "task": TASK,
            "player": self.player,
            **self.policy.model_dump(),
            "prompts": self.wording.digest,
            "reading": self.reading,
            "seed": self.seed,
            **({} if self.probes is None else {"probes": self.probes.parameters()}),
            **self.settings,
        }


def reach_slots(
    *,
    scenes: Sequence[str] = (),
    levels: Sequence[int] = LEVELS,
    repeats: int = 1,
) -> tuple[Slot, ...]:
    """Places of a run, scene by scene.

    Args:
        scenes: Ids of scenes, names of bodies, `human` or `robot`; all where empty.
        levels: Levels.
        repeats: How often each is played.

    Raises:
        SimulationError: A scene or level is none.
    """
    for level in levels:
        if level not in LEVELS:
            raise SimulationError("levels", f"expected 0, 1, 2 or 3, found {level}")
    return tuple(
        Slot(scene, level, repeat)
        for scene, level, repeat in product(
            named_scenes(scenes), dict.fromkeys(levels), range(1, repeats + 1)
        )
    )


def open_slots(store: EpisodeStore, slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Places whose episode is not there, or was aborted."""
    return tuple(slot for slot in slots if not store.is_played(slot.episode_id))


def play_script(
    store: EpisodeStore,
    slots: Sequence[Slot],
    *,
    setup: ReachSetup,
    name: AgentName,
    painter: Painter | None,
    progress: Progress,
) -> None:
    """Let a script play episodes, and write each as it ends.

    Args:
        store: Where to.
        slots: Which.
        setup: How.
        name: The script.
        painter: Draws what a player would see; None to keep no pictures.
        progress: Told how many are done.
    """
    for done, slot in enumerate(slots):
        progress(done, len(slots))
        play = setup.play(slot, painter)
        agent = make_agent(name, rng=rng_of(setup.seed, slot.episode_id))
        while not play.is_over:
            play.take_turn(agent.choose(play.game))
        play.write(store, durable=False)
    progress(len(slots), len(slots))


def rng_of(seed: int, name: str) -> np.random.Generator:
    """Chance of an episode or a player: the same whoever else plays, and in which order."""
    return np.random.default_rng([seed, zlib.crc32(name.encode())])
