"""A reference agent with a belief about the box and one about the other's belief.

It acts by expected free energy, the same for both roles, modes and orders. For a move m and a face
f, followed by H - 1 rounds in which it stays so and shows what it feels,

    G(m, f) = Σₖ  cost - own - epistemic - social

    own        Σ_b P(b) [ nearness_b + gaze·g_b ]     to be near what it values, and look at it
    epistemic  curiosity · entropy(P) · [it sees the other]      to see who may tell it more
    social     sway · A · (2 Q(r) - 1)                what the other will believe of the box r
    cost       feign · (f - felt)² + effort · [it moves]

P is its own belief about the box: the subject's is certain, the participant's comes of what it
sees and hears (`reading`). A is its preference towards the other: the subject's follows from the
mode, the participant has none, so that the social term is the subject's alone. Q is its model of
the other's belief: it reads its own signs as the other would. With order 0 there is no such model
and no social term: it does as it likes and shows what it feels. Where the other is an adversary
the social term is worth most once the other believes in the wrong box; its own wish to be near
the right one stays. So it walks there honestly and frowns and lies no more than it needs to.

What it feels is joy to be near the box it believes in, and joy or pain as the other is,

    felt = Σ_b (2 P(b) - 1)⁺ [ joy · near_b + A · near_b of the other ]

Sentences are chosen in the same way: the truth is worth A, a lie costs `lie`, and both are worth
what they do to Q. Moves are drawn from softmax(-precision · G).
"""

from __future__ import annotations

import math

import numpy as np

from mira.schema.record import Record
from mira.sim.treasure.agent import Action, Emotion, Preferences, Seen, Speech
from mira.sim.treasure.agents.outlook import MOVES, Outlook, approach_of, nearness, outlook_of
from mira.sim.treasure.agents.reading import ReadingPolicy, evidence_of_turn, probability
from mira.sim.treasure.agents.words import ASKS, EVADES, named_box, tells
from mira.sim.treasure.floor import off_axis_deg
from mira.sim.treasure.rules import GazePolicy, gaze_certainty

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
_SURE = 20.0
"""Log-odds of who knows."""


class BeliefActionPolicy(Record):
    """Weights of what it wants, in one unit."""

    gaze: float = 0.8
    """To look at the box, beside being there."""
    curiosity: float = 0.6
    """To see the other while it is unsure."""
    sway: float = 1.0
    """What the other believes."""
    feign: float = 0.6
    """To show other than it feels, by the square of the difference."""
    lie: float = 0.3
    """To say other than it knows."""
    effort: float = 0.02
    """A step or a turn."""
    joy: float = 0.5
    """Joy of being near the box."""
    horizon: int = 3
    """Rounds that it looks ahead."""
    precision: float = 12.0
    """How surely it does what is best."""
    reading: ReadingPolicy = ReadingPolicy()
    """How it reads the other, and presumes to be read."""
    look: GazePolicy = GazePolicy()
    """How surely somebody looks at a box."""
    doubt: float = 0.3
    """Standard deviation of what it reads in a turn, in log-odds."""


class BeliefAction:
    """The agent, for one trial.

    Attributes:
        log_odds: What it believes of the dark box, against the light one.
        others_log_odds: What it believes that the other believes.
    """

    def __init__(self, rng: np.random.Generator, policy: BeliefActionPolicy | None = None) -> None:
        self.policy = policy or BeliefActionPolicy()
        self.log_odds = 0.0
        self.others_log_odds = 0.0
        self._rng = rng

    def act(self, seen: Seen) -> Action:
        """The move and face of least expected free energy, but for chance."""
        self._read_turn(seen)
        ahead = outlook_of(
            seen.own,
            seen.partner,
            seen.boxes,
            self.policy.look,
            view_deg=self.policy.reading.view_deg,
        )
        felt = self._felt(seen, ahead)
        faces = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
        faces = np.broadcast_to(faces, (len(MOVES), 5))
        faces = np.concatenate([felt[:, None], faces], axis=1)
        energy = self._free_energy(seen, ahead, faces, felt)
        move, face = self._draw(energy)
        valence = float(faces[move, face])
        self._note_own_turn(ahead, move, valence)
        emotion = Emotion(round(valence, 3), *(round(float(felt[move]), 3),) * 2)
        return Action(MOVES[move], emotion, self._preferences(seen))

    def speak(self, seen: Seen) -> Speech:
        """A question, or the answer of least expected free energy."""
        if seen.reward_box is None:
            return Speech(ASKS)
        sign = 1 if seen.reward_box == 0 else -1
        word, now = self.policy.reading.word, self.others_log_odds
        worth = {said: self._worth_of_saying(seen, said) for said in (sign, -sign, 0)}
        said = max(worth, key=lambda option: worth[option])
        self.others_log_odds = now + word * said
        return Speech(EVADES if said == 0 else tells(0 if said > 0 else 1))

    def listen(self, seen: Seen) -> Preferences:
        """What it prefers once it was told a box, if it was."""
        if seen.reward_box is None:
            told = named_box(seen.heard)
            if told is not None:
                self.log_odds += self.policy.reading.word * (1 if told == 0 else -1)
        return self._preferences(seen)

    def _read_turn(self, seen: Seen) -> None:
        """Update what it believes by the other's last turn."""
        if seen.reward_box is not None:
            self.log_odds = _SURE if seen.reward_box == 0 else -_SURE
            return
        reading = self.policy.reading
        self.log_odds *= reading.memory
        if off_axis_deg(seen.own, seen.partner.at) <= reading.view_deg:
            self.log_odds += self._rng.normal(0.0, self.policy.doubt) + evidence_of_turn(
                reading,
                approach=approach_of(seen.partner_before.at, seen.partner.at, seen.boxes),
                gaze=gaze_certainty(seen.partner, seen.boxes, self.policy.look),
                face=seen.partner_emotion.facial,
            )

    def _felt(self, seen: Seen, ahead: Outlook) -> FloatArray:
        """What it would feel after each move."""
        dark = probability(self.log_odds)
        sure = np.maximum(0.0, 2 * np.array([dark, 1 - dark]) - 1)
        others = np.array([nearness(seen.partner.at, box) for box in seen.boxes])
        joy = self.policy.joy * ahead.near + seen.preferences.other * others
        felt: FloatArray = np.clip(joy @ sure, -1, 1)
        return felt

    def _free_energy(
        self, seen: Seen, ahead: Outlook, faces: FloatArray, felt: FloatArray
    ) -> FloatArray:
        """G of each move (rows) with each face (columns)."""
        policy = self.policy
        dark = probability(self.log_odds)
        belief = np.array([dark, 1 - dark])
        entropy = -sum(p * math.log(p) for p in belief.tolist() if p > 0)
        own = (ahead.near + policy.gaze * ahead.gaze) @ belief
        a_round = own + policy.curiosity * entropy * ahead.sees_other - policy.effort * ahead.moves
        cost = policy.feign * (faces - felt[:, None]) ** 2
        energy: FloatArray = cost - policy.horizon * a_round[:, None]
        if seen.tom_order == 1:
            energy = energy - self._social(seen, ahead, faces, felt)
        energy[~ahead.is_free] = np.inf
        return energy

    def _social(
        self, seen: Seen, ahead: Outlook, faces: FloatArray, felt: FloatArray
    ) -> FloatArray:
        """What its signs do to the other's belief, summed over the rounds ahead."""
        reading = self.policy.reading
        look = reading.gaze * (ahead.gaze[:, 0] - ahead.gaze[:, 1]) * ahead.is_seen
        first = look[:, None] * (1 + reading.affect * faces)
        first = first + (reading.step * ahead.approach * ahead.is_seen)[:, None]
        later = (look * (1 + reading.affect * felt))[:, None]
        believed = reading.memory * self.others_log_odds + first
        gained = self._worth(seen, believed)
        for _ in range(self.policy.horizon - 1):
            believed = reading.memory * believed + later
            gained = gained + self._worth(seen, believed)
        return gained

    def _worth(self, seen: Seen, believed: FloatArray) -> FloatArray:
        """Social worth, sway · A · (2 Q(r) - 1) of log-odds that the other may have."""
        sign = 1 if seen.reward_box == 0 else -1
        worth: FloatArray = np.tanh(sign * believed / 2)
        return self.policy.sway * seen.preferences.other * worth

    def _worth_of_saying(self, seen: Seen, said: int) -> float:
        sign = 1 if seen.reward_box == 0 else -1
        worth = seen.preferences.other if said == sign else 0.0
        worth -= self.policy.lie if said == -sign else 0.0
        if seen.tom_order == 1:
            believed = self.others_log_odds + self.policy.reading.word * said
            worth += float(self._worth(seen, np.array(believed)))
        return worth

    def _note_own_turn(self, ahead: Outlook, move: int, face: float) -> None:
        """Read its own turn as the other will, if the other sees it."""
        reading = self.policy.reading
        self.others_log_odds *= reading.memory
        if ahead.is_seen[move]:
            dark, light = ahead.gaze[move].tolist()
            self.others_log_odds += evidence_of_turn(
                reading, approach=float(ahead.approach[move]), gaze=(dark, light), face=face
            )

    def _draw(self, energy: FloatArray) -> tuple[int, int]:
        odds = np.exp(-self.policy.precision * (energy - energy.min())).ravel()
        drawn = int(np.searchsorted(np.cumsum(odds), self._rng.random() * odds.sum()))
        return divmod(drawn, energy.shape[1])

    def _preferences(self, seen: Seen) -> Preferences:
        lean = round(2 * probability(self.log_odds) - 1, 3)
        return seen.preferences._replace(dark_box=lean, light_box=-lean)
