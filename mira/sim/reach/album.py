"""The pictures of an episode of the mirror test: each place of the hand is drawn once."""

from __future__ import annotations

import hashlib

from mira.render.png import encode_png
from mira.schema.record import FileRef
from mira.schema.step import WorldPoint
from mira.sim.reach.painting import Painter
from mira.sim.reach.rules import ReachGame
from mira.sim.reach.scenes import ReachScene


class Album:
    """The pictures of an episode: each place of the hand is drawn once."""

    def __init__(self, scene: ReachScene, painter: Painter) -> None:
        self._scene, self._painter = scene, painter
        self._refs: dict[WorldPoint, FileRef] = {}
        self._pngs: dict[str, bytes] = {}

    def shown(self, game: ReachGame) -> FileRef:
        """The picture of the moment, named by the turn that it was first shown on."""
        if game.hand_m not in self._refs:
            png = encode_png(self._painter.draw(self._scene, game.hand_m))
            name = f"{game.turns + 1}.png"
            digest = hashlib.sha256(png).hexdigest()
            self._refs[game.hand_m] = FileRef(path=name, sha256=digest, size_bytes=len(png))
            self._pngs[name] = png
        return self._refs[game.hand_m]

    def png(self, ref: FileRef) -> bytes:
        """The bytes of a picture."""
        return self._pngs[ref.path]
