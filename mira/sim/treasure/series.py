"""Many trials of the treasure game in one run; what is there already is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance
from mira.sim.treasure.agents.policies import make_agent
from mira.sim.treasure.asking.asked_player import AskingPolicy
from mira.sim.treasure.match import TASK, Visual
from mira.sim.treasure.play import Camera, Cast, TreasurePlay
from mira.sim.treasure.probing import TreasureProbePolicy
from mira.sim.treasure.rules import PLAYERS, GazePolicy, Player
from mira.sim.treasure.trials import Trial
from mira.store.episodes import EpisodeStore
from mira.store.version import tool_version

Progress = Callable[[int, int], None]


class Casting(NamedTuple):
    """Who plays a role in all trials of a run.

    Attributes:
        name: Name of a script, or of the model or person that is asked.
        is_script: Whether it is the former.
    """

    name: str
    is_script: bool


class TreasureSetup(NamedTuple):
    """What the trials of a run have in common.

    Attributes:
        casting: Who plays.
        visual: What players are shown; None for nothing.
        seed: Seed of all that is drawn by chance.
        asking: How players are asked.
        gaze: How surely somebody looks at a box.
        probes: When those who are asked in words are asked what they believe; None for never.
        settings: What else decides replies, such as how they are sampled, by name.
    """

    casting: Mapping[Player, Casting]
    visual: Visual | None = None
    seed: int = 0
    asking: AskingPolicy = AskingPolicy()
    gaze: GazePolicy = GazePolicy()
    probes: TreasureProbePolicy | None = None
    settings: Mapping[str, object] = MappingProxyType({})

    def run(self) -> EpisodeRun:
        """What the trials have in common, as a record."""
        return EpisodeRun(
            name=" and ".join(dict.fromkeys(self.casting[role].name for role in PLAYERS)),
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

    def require_scripts(self) -> None:
        """Raise unless whoever is a script can play its role.

        Raises:
            SimulationError: There is no such script for a role.
        """
        for role, (name, is_script) in self.casting.items():
            if is_script:
                make_agent(role, name, np.random.default_rng(0))

    def play(self, trial: Trial, camera: Camera | None = None) -> TreasurePlay:
        """A trial at its start.

        Args:
            trial: The trial.
            camera: Draws what `visual` asks for; None where it asks for nothing.

        Raises:
            SimulationError: There is no such script for a role.
        """
        return TreasurePlay(
            trial,
            {role: self._cast(role, stream, trial) for stream, role in enumerate(PLAYERS, start=1)},
            visual=self.visual,
            camera=camera,
            asking=self.asking,
            gaze=self.gaze,
            probes=self.probes,
        )

    def _cast(self, role: Player, stream: int, trial: Trial) -> Cast:
        name, is_script = self.casting[role]
        if not is_script:
            return Cast(name)
        return Cast(name, make_agent(role, name, trial.generator(stream)))

    def _parameters(self) -> dict[str, object]:
        asked = not all(casting.is_script for casting in self.casting.values())
        return {
            "task": TASK,
            **{role: self.casting[role].name for role in PLAYERS},
            "visual": self.visual,
            "seed": self.seed,
            "gaze": self.gaze.model_dump(),
            **(self._asking_parameters() if asked else {}),
        }

    def _asking_parameters(self) -> dict[str, object]:
        return {
            "prompts": self.asking.words.digest,
            "asking": self.asking.model_dump(exclude={"wording"}),
            **({} if self.probes is None else {"probes": self.probes.parameters()}),
            **self.settings,
        }


def open_trials(store: EpisodeStore, trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """Trials whose episode is not there, or was aborted."""
    return tuple(trial for trial in trials if not store.is_played(trial.trial_id))


def play_scripts(
    store: EpisodeStore,
    trials: Sequence[Trial],
    *,
    setup: TreasureSetup,
    camera: Camera | None = None,
    progress: Progress,
) -> None:
    """Let scripts play trials, and write each as it ends.

    Args:
        store: Where to.
        trials: Which.
        setup: How; scripts play both roles.
        camera: Draws what players would see; None to keep no pictures.
        progress: Told how many are done.
    """
    for done, trial in enumerate(trials):
        progress(done, len(trials))
        setup.play(trial, camera).write(store, durable=False)
    progress(len(trials), len(trials))
