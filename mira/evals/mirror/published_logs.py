"""Logs that MirrorBench's published program leaves behind, as trajectories.

Each episode is a folder with `args.json`, what was played, and `logs_env.txt`, what was said and
what came of it. Positions are not in there: they follow from where the hand starts and from the
moves that were made, and every logged distance is held against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from mira.errors import RecordError
from mira.schema.step import REACH_DIRECTIONS, ReachAction, WorldPoint

ARGS_NAME, LOG_NAME = "args.json", "logs_env.txt"
_STEP_M = 0.1
_LOGGED_M = 1e-3
"""Distances are logged with four digits, and summed in 32 bits."""
_TURN = re.compile(
    r"Step (?P<number>\d+):\nAction Text:\n\n(?P<text>.*?)\n\nAction Number: (?P<choice>-?\d+)\n"
    r"(?:Action Choice: move (?P<action>[a-z]+)[^\n]*\n"
    r"Distance: (?P<distance>[0-9.]+), Feedback:(?P<legal>True|False), "
    r"Accomplish:(?P<done>True|False)\n\n|Model bad response\.\n\n)(?=Step \d+:\n|\Z)",
    re.DOTALL,
)
_ARGS = ("track", "body", "hand", "mark", "level", "model", "max_steps")


class SceneStart(NamedTuple):
    """Where things are when a scene begins.

    Attributes:
        hand_m: The hand.
        mark_m: The mark, as far before the body as the hand is deep.
    """

    hand_m: WorldPoint
    mark_m: WorldPoint


def read_published_logs(
    folder: Path, starts: Mapping[str, SceneStart]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Episodes of a folder of logs, each with where it is from.

    One whose log ends before it was over, for the program was stopped, is aborted.

    Args:
        folder: Folders of episodes at any depth, or one of them.
        starts: Where things are, by the name of the body in small letters.

    Raises:
        RecordError: A file cannot be read, a body is unknown, or distances are not those that
            follow from the moves.
    """
    for args_path in sorted(folder.rglob(ARGS_NAME)):
        args = _args(args_path)
        start = starts.get(str(args["body"]).casefold())
        if start is None:
            raise RecordError(args_path, f"body: expected one of {', '.join(starts)}")
        log_path = args_path.with_name(LOG_NAME)
        steps, done = _steps(log_path, start)
        whole = done or len(steps) == args["max_steps"]
        yield (
            str(args_path),
            {
                "episode_id": _name(args, args_path.parent.name),
                "player": args["model"],
                "is_model": args["model"] != "random",
                **{name: args[name] for name in ("body", "hand", "mark", "level", "max_steps")},
                "setting": str(args["track"]).casefold(),
                "ended": ("success" if done else "max_steps") if whole else "aborted",
                "hand_start_m": start.hand_m,
                "mark_world_m": start.mark_m,
                "steps": steps,
            },
        )


def _args(path: Path) -> dict[str, Any]:
    try:
        args = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise RecordError(path, f"expected JSON: {error}") from None
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from None
    if not isinstance(args, dict) or (missing := [name for name in _ARGS if name not in args]):
        told = ", ".join(missing) if isinstance(args, dict) else "fields"
        raise RecordError(path, f"expected {told}, found none")
    return args


def _steps(path: Path, start: SceneStart) -> tuple[list[dict[str, Any]], bool]:
    """Turns of a log, and whether the last reaches the mark."""
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from None
    hand, done = start.hand_m, False
    steps: list[dict[str, Any]] = []
    for turn in _TURN.finditer(text):
        if int(turn["number"]) != len(steps) + 1:
            raise RecordError(path, f"expected step {len(steps) + 1}, found {turn['number']}")
        action: ReachAction | None = next(
            (a for a in REACH_DIRECTIONS if a == turn["action"]), None
        )
        if turn["action"] and action is None:
            raise RecordError(path, f"step {turn['number']}: found no move in {turn['action']!r}")
        legal = None if action is None else turn["legal"] == "True"
        if action is not None and legal:
            hand = _moved(hand, action)
        if turn["distance"]:
            _require_distance(path, turn, hand, start.mark_m)
        done = turn["done"] == "True"
        steps.append(
            {"action": action, "legal": legal, "hand_world_m": hand, "raw_reply": turn["text"]}
        )
    return steps, done


def _moved(hand: WorldPoint, action: ReachAction) -> WorldPoint:
    x, y, z = (
        round(at + _STEP_M * along, 9)
        for at, along in zip(hand, REACH_DIRECTIONS[action], strict=True)
    )
    return x, y, z


def _require_distance(path: Path, turn: re.Match[str], hand: WorldPoint, mark: WorldPoint) -> None:
    expected = sum(abs(a - b) for a, b in zip(hand, mark, strict=True))
    if abs(expected - float(turn["distance"])) > _LOGGED_M:
        raise RecordError(
            path,
            f"step {turn['number']}: expected a distance of {expected:.4f} m by the moves, "
            f"found {turn['distance']}",
        )


def _name(args: Mapping[str, Any], tag: str) -> str:
    parts = (args["model"], args["body"], args["hand"], args["mark"], f"level-{args['level']}", tag)
    return "-".join(re.sub(r"[^\w.]+", "-", str(part)).strip("-") for part in parts)
