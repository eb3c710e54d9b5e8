"""The mirror test, played by people in a browser: what they are offered, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mira.cli.output import format_count, say_next

if TYPE_CHECKING:
    from annotate.playing.offer import Course, Offer
    from mira.schema.step import ReachAction
    from mira.sim.reach.painting import Painter
    from mira.sim.reach.series import ReachSetup, Slot

_KEYS: dict[ReachAction, tuple[str, ...]] = {
    "forward": ("w", "PageUp"),
    "up": ("ArrowUp",),
    "backward": ("s", "PageDown"),
    "left": ("ArrowLeft",),
    "down": ("ArrowDown",),
    "right": ("ArrowRight",),
}
"""Keys of the moves, which stand on the page as arrows do on a keyboard."""
_BODIES_KEPT = 7
"""All of them, so that however many play, no body is set up anew for each move."""
_ABOUT = (
    "You see a picture, and beside it a text that says what you are to do. You steer with six "
    "moves. After each of them there is a new picture, and you are told what became of the move.",
    "Nothing else is explained, and nobody may help you. Read the text of each episode: it changes "
    "in the course of the game.",
)
"""No more than the level says that tells least."""


def play_in_browser(
    out: Path,
    slots: Sequence[Slot],
    setup: ReachSetup,
    *,
    player: str | None,
    host: str,
    port: int,
) -> None:
    """Serve the page on which people play, until it is ended.

    Args:
        out: Folder of runs, one for each person.
        slots: What each of them plays.
        setup: How.
        player: Code name of who alone plays; None where anybody may.
        host: Address to listen at.
        port: Port; 0 takes a free one.

    Raises:
        MiraError: The folder is a run, or holds runs of other settings; the port is taken; there
            is nothing to draw with.
    """
    from annotate.app.playing.serving import serve_players
    from mira.errors import EpisodeError
    from mira.sim.reach.painting import OneThreadPainter

    if (out / "run.json").exists():
        raise EpisodeError(out, "expected a folder of runs, one a player, found a run", "go up one")
    with closing(OneThreadPainter(_remembering_painter)) as painter:
        offer = reach_offer(slots, setup, painter)
        typer.echo(f"{format_count(offer.episodes, 'episode')} for each player", err=True)
        try:
            serve_players(
                offer,
                out,
                only=player,
                host=host,
                port=port,
                told=lambda line: typer.echo(line, err=True),
            )
        except KeyboardInterrupt:
            typer.echo(f"\nWhat was played is in {out}; the same command goes on", err=True)
            runs = sorted(path.parent for path in out.glob("*/run.json"))
            say_next("mira", "eval", "mirror", "score", *(runs or [out / "PLAYER"]))
            raise


def reach_offer(slots: Sequence[Slot], setup: ReachSetup, painter: Painter) -> Offer:
    """Episodes of the mirror test as people are offered them.

    Args:
        slots: What each person plays.
        setup: How; the player's name is filled in.
        painter: Draws for all of them.
    """
    from annotate.playing.offer import Button, Offer
    from mira.sim.reach.rules import budget_of

    return Offer(
        title="Pictures and moves",
        about=_ABOUT,
        buttons=tuple(
            Button(move.capitalize(), keys, _reply(move, setup)) for move, keys in _KEYS.items()
        ),
        episodes=len(slots),
        most_turns=sum(budget_of(slot.scene.body, setup.policy) for slot in slots),
        course_of=partial(_course, slots=slots, setup=setup, painter=painter),
    )


def _course(
    name: str, root: Path, *, slots: Sequence[Slot], setup: ReachSetup, painter: Painter
) -> Course:
    from annotate.playing.offer import Course, Planned
    from mira.sim.reach.choosing import order_for_people
    from mira.sim.reach.rules import budget_of
    from mira.sim.reach.series import rng_of

    own = setup._replace(player=name)
    ordered = order_for_people(slots, rng=rng_of(setup.seed, name))
    parts = list(dict.fromkeys(slot.level for slot in ordered))
    return Course(
        own.open(root),
        tuple(
            Planned(
                slot.episode_id,
                part=parts.index(slot.level) + 1,
                turns=budget_of(slot.scene.body, own.policy),
                open=partial(own.play, slot, painter),
            )
            for slot in ordered
        ),
    )


def _reply(move: ReachAction, setup: ReachSetup) -> str:
    """What a key says for a person, in a form that is read as the move."""
    from mira.sim.reach.rules import ACTIONS

    if setup.reading == "published":
        return f"Choice: {ACTIONS.index(move) + 1}"
    return f'{{"action": "{move}"}}'


def _remembering_painter() -> Painter:
    """What draws for everybody, in the thread that calls this."""
    from mira.sim.reach.look.painter import Painter as MirrorPainter
    from mira.sim.reach.painting import RememberingPainter

    return RememberingPainter(MirrorPainter(kept=_BODIES_KEPT))
