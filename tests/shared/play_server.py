"""A server that plays the mirror test by the shortest way, when it is not busy or confused."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any, Literal

from model_server import completion

from mira.schema.step import ReachAction
from mira.sim.reach.prompting.wording import packaged_wording
from mira.sim.reach.rules import ReachGame, ReachPolicy
from mira.sim.reach.scenes import ReachScene

Mood = Literal["right", "slow", "busy once", "fault once", "garbled", "vague", "busy", "wall"]
"""How the server treats a request; `vague` is no move, `wall` goes backward until something is in
the way; `garbled` and `busy` never answer."""
_ALONG: tuple[tuple[ReachAction, ReachAction], ...] = (
    ("backward", "forward"),
    ("right", "left"),
    ("down", "up"),
)


class PlayServer:
    """Answers each turn of the scenes that it knows, told apart by how they are described.

    Args:
        scenes: The scenes; no two of one description.
        mood_of: How a request is treated, by the name of its scene and the number of its turn.
    """

    def __init__(self, scenes: list[ReachScene], mood_of: Callable[[str, int], Mood]) -> None:
        words = packaged_wording()
        self._scenes = {(words.hands[one.hand], words.marks[one.mark]): one for one in scenes}
        assert len(self._scenes) == len(scenes)
        self.mood_of = mood_of
        self.asked: Counter[tuple[str, str]] = Counter()
        self.pictures: list[int] = []
        self.url = ""
        self._lock = Lock()

    def reply(self, messages: list[dict[str, Any]]) -> tuple[int, bytes]:
        """Status and body of the reply to a request."""
        (message,) = messages
        text = "".join(part["text"] for part in message["content"] if part["type"] == "text")
        scene = next(
            one for (hand, mark), one in self._scenes.items() if hand in text and f"{mark}." in text
        )
        turn = len(_moves(text)) + ("No move could be read" in text)
        with self._lock:
            self.asked[scene.scene_id, text] += 1
            self.pictures.append(sum(one["type"] == "image_url" for one in message["content"]))
            first = self.asked[scene.scene_id, text] == 1
        return self._treat(self.mood_of(scene.scene_id, turn), text, scene, first=first)

    def _treat(self, mood: Mood, text: str, scene: ReachScene, *, first: bool) -> tuple[int, bytes]:
        if mood == "slow":
            time.sleep(0.05)
        if mood == "busy" or (mood == "busy once" and first):
            return 429, b'{"error": {"message": "busy"}}'
        if mood == "fault once" and first:
            return 500, b'{"error": {"message": "a fault"}}'
        if mood == "garbled":
            return 200, b'{"id": "1", "choices": [{'
        if mood == "vague" and "No move could be read" not in text:
            return 200, completion("Up, or rather down.")
        return 200, completion(json.dumps({"action": _move(text, scene, walls=mood == "wall")}))


def _move(text: str, scene: ReachScene, *, walls: bool) -> ReachAction:
    if walls and "not done" not in text:
        return "backward"
    game = ReachGame(scene.body, ReachPolicy())
    for action in _moves(text):
        game.take_turn(action)
    away = [mark - hand for hand, mark in zip(game.hand_m, scene.body.mark_m, strict=True)]
    axis = max(range(3), key=lambda k: (abs(away[k]), k))
    return _ALONG[axis][away[axis] > 0]


def _moves(text: str) -> list[ReachAction]:
    """The moves that the text tells of."""
    found: Any = re.findall(r"^\d+\. (\w+): ", text, re.M)
    return found
