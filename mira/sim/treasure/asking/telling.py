"""What a player is told: its role, what it believes, what happened, what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mira.sim.treasure.agent import Line, Preferences, Seen
from mira.sim.treasure.asking.names import BOX_NAMES, PLAYER_NAMES
from mira.sim.treasure.asking.replies import LONGEST_UTTERANCE, SHORTEST_UTTERANCE
from mira.sim.treasure.asking.wording import TaskKind, TreasureWording
from mira.sim.treasure.floor import HALF_WIDTH, Square
from mira.sim.treasure.match import Turn
from mira.sim.treasure.rules import ROUNDS, Player, other

_MOST_QUOTED = 2000
"""Letters of a reply that are shown again."""


class Telling(NamedTuple):
    """What prompts are made of.

    Attributes:
        seen: What the player knows.
        partner_preferences: What it believes the other to prefer.
        turns: All turns so far.
        wording: In which words.
        has_picture: Whether a picture goes along.
        tells_faces: Whether the other's expression is told in words too.
    """

    seen: Seen
    partner_preferences: Preferences
    turns: Sequence[Turn]
    wording: TreasureWording
    has_picture: bool
    tells_faces: bool


def tell(telling: Telling, task: TaskKind) -> str:
    """The whole text of a request.

    Args:
        telling: What it is made of.
        task: What is asked for.
    """
    asked = telling.wording.fill(
        f"tasks.{task}",
        heard=_quoted(telling.seen.heard or ""),
        shortest=SHORTEST_UTTERANCE,
        longest=LONGEST_UTTERANCE,
        **_names(telling.seen),
    )
    return f"{tell_situation(telling)}\n\n{asked}"


def tell_situation(telling: Telling) -> str:
    """All that a player knows, before anything is asked of it."""
    seen, wording = telling.seen, telling.wording
    names = _names(seen)
    parts = (
        wording.fill(f"roles.{seen.player}", **_treasure(seen), **names),
        wording.fill("rules", rounds=ROUNDS, round=seen.round, edge=HALF_WIDTH, **names),
        _history(telling),
        wording.fill("beliefs", beliefs="\n".join(belief_triples(telling)), **names),
        wording.fill("picture", **names) if telling.has_picture else "",
    )
    return "\n\n".join(filter(None, parts))


def tell_repair(text: str, reply: str, fault: str, *, wording: TreasureWording) -> str:
    """A request once more, with the reply that could not be read and why."""
    shown = reply if len(reply) <= _MOST_QUOTED else reply[:_MOST_QUOTED] + "…"
    names = {"name": "", "partner": ""}
    return f"{text}\n\n{wording.fill('repair', fault=fault, reply=shown, **names)}"


def belief_triples(telling: Telling) -> Iterator[str]:
    """The belief state of a player: `agent | what | value`, in the published form (D.4).

    What the other feels is not in it, nor what it shows where that is not told in words.
    """
    seen = telling.seen
    partner = other(seen.player)
    beliefs: Mapping[Player, Preferences] = {
        seen.player: seen.preferences,
        partner: telling.partner_preferences,
    }
    for player in (seen.player, partner):
        name = PLAYER_NAMES[player]
        for entity, value in zip(
            (PLAYER_NAMES[other(player)], *BOX_NAMES), beliefs[player], strict=True
        ):
            yield f'"{name} | preference towards {entity} | {_percent(value)}"'
        if player == seen.player:
            yield f'"{name} | felt emotion valence | {seen.emotion.felt:g}"'
        if player == seen.player or telling.tells_faces:
            shown = seen.emotion if player == seen.player else seen.partner_emotion
            yield f'"{name} | facial emotion valence | {shown.facial:g}"'
            yield f'"{name} | physiological emotion valence | {shown.physiological:g}"'
        if player == seen.player and seen.tom_order is not None:
            yield f'"{name} | theory of mind order | {seen.tom_order}"'
    for player in (seen.player, partner):
        stance = seen.own if player == seen.player else seen.partner
        yield f'"{PLAYER_NAMES[player]} | position | {_cell(stance.at)}"'
        yield f'"{PLAYER_NAMES[player]} | orientation | {_cell(stance.looks_at)}"'
    for name, box in zip(BOX_NAMES, seen.boxes, strict=True):
        yield f'"{name} | position | {_cell(box)}"'


def _names(seen: Seen) -> dict[str, str]:
    return {"name": PLAYER_NAMES[seen.player], "partner": PLAYER_NAMES[other(seen.player)]}


def _treasure(seen: Seen) -> dict[str, str]:
    """The name of the box with the reward, for who knows it."""
    return {} if seen.reward_box is None else {"treasure": BOX_NAMES[seen.reward_box].lower()}


def _history(telling: Telling) -> str:
    """All turns and sentences, in the order they came."""
    lines: list[str] = []
    for turn in telling.turns:
        lines.append(_turn_line(turn, telling))
        if turn.player == "participant":
            spoken = (line for line in telling.seen.dialogue if line.round == turn.round)
            lines += (_said_line(line, telling.wording) for line in spoken)
    wording = telling.wording
    names = {"name": "", "partner": ""}
    if not lines:
        return wording.fill("nothing_yet", **names)
    return wording.fill("history", lines="\n".join(lines), **names)


def _turn_line(turn: Turn, telling: Telling) -> str:
    wording, name = telling.wording, PLAYER_NAMES[turn.player]
    names = {"name": name, "partner": PLAYER_NAMES[other(turn.player)]}
    stayed = turn.move in (None, "stay_idle")
    line = wording.fill(
        "turn",
        round=turn.round,
        move=wording.fill("stayed", **names) if stayed else _move_name(turn),
        at=_cell(turn.stance.at),
        facing=_cell(turn.stance.looks_at),
        **names,
    )
    if telling.tells_faces or turn.player == telling.seen.player:
        line += wording.fill("face", face=f"{turn.emotion.facial:+g}", **names)
    return line


def _said_line(line: Line, wording: TreasureWording) -> str:
    names = {"name": PLAYER_NAMES[line.player], "partner": PLAYER_NAMES[other(line.player)]}
    return wording.fill("said", round=line.round, text=_quoted(line.text), **names)


def _move_name(turn: Turn) -> str:
    target = {"rotate_box_0": BOX_NAMES[0], "rotate_box_1": BOX_NAMES[1]}.get(
        turn.move or "", PLAYER_NAMES[other(turn.player)]
    )
    move = str(turn.move)
    return f"rotate towards {target}" if move.startswith("rotate") else move.replace("_", " ")


def _quoted(text: str) -> str:
    return text.replace('"', "'")


def _percent(value: float) -> str:
    return f"{round(100 * value, 2):g}%"


def _cell(cell: Square) -> str:
    return f"({cell[0]} {cell[1]})"
