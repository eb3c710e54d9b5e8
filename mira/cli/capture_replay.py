"""`mira capture replay`: a recording's pairs, looked at or made views."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from capture.replay import Replayed

_LISTED = 12
"""Refused pairs that are listed one by one; all are counted."""


def replay(
    file: Annotated[
        Path,
        typer.Argument(help="Recording of the SDK, .db3 or .bag.", metavar="FILE", exists=True),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Session to write good pairs to.", metavar="DIR"),
    ] = None,
    scene: Annotated[
        str | None,
        typer.Option(
            "--scene", help="Scene of the views; the file's name by default.", metavar="ID"
        ),
    ] = None,
    every: Annotated[
        int, typer.Option("--every", help="One view of so many good pairs.", min=1, metavar="N")
    ] = 1,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Most views.", min=1, metavar="N")
    ] = None,
    max_dt_ms: Annotated[
        float | None,
        typer.Option(
            "--max-dt-ms",
            help="Most milliseconds between colour and depth; half a frame period by default.",
            min=0.001,
            max=60_000,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Look at every pair of a recording; with --out, make the good ones views of a session."""
    from capture.policy import CapturePolicy
    from capture.recording.opening import open_session
    from capture.recording.raw_file import count_frames
    from capture.replay import ReplayTarget
    from capture.replay import replay as replay_pairs
    from capture.sources.recording_file import RecordingFile, recording_format
    from mira.errors import MiraError, SessionError
    from mira.schema.capture import Scene
    from mira.store.atomic import file_ref
    from mira.store.names import require_name

    policy = CapturePolicy(max_dt_ms=max_dt_ms)
    source = RecordingFile(file)
    target: ReplayTarget | None = None
    held: AbstractContextManager[None] = nullcontext()
    if out is None and scene is not None:
        raise MiraError("--scene", "expected --out with it")
    if out is not None:
        scene_id = require_name(scene or _scene_of(file), error=SessionError)
        session = open_session(
            out,
            out.resolve().name,
            source="file",
            policy=policy,
            inputs=(recording := file_ref(file, relative_to=file.parent),),
        )
        held = session.lock()
        target = ReplayTarget(session, Scene(scene_id=scene_id), recording, every, limit)
    with held, progress("replaying pairs") as advance:
        if target is not None:
            target.session.clean()
        found = replay_pairs(source, policy=policy, target=target, progress=advance)
    if as_json:
        print_json(_as_json(found, file, out))
    else:
        _print(found)
    if out is not None:
        there = f", {found.kept} there already" if found.kept else ""
        typer.echo(f"{out}: {format_count(len(found.views), 'view')} written{there}", err=True)
    if recording_format(file) == "db3" and found.pairs < (held_frames := min(count_frames(file))):
        # The SDK takes the first message that it cannot read for the end.
        problem = f"holds {held_frames} frames of each stream, of which {found.pairs} came"
        typer.echo(f"{file}: {problem}: it is damaged", err=True)
        raise typer.Exit(1)
    if not found.good:
        hint = "" if max_dt_ms else "; --max-dt-ms allows more time between colour and depth"
        typer.echo(f"no pair is good{hint}", err=True)
        raise typer.Exit(1)
    if out is not None:
        say_next("mira", "capture", "verify", out)


def _scene_of(file: Path) -> str:
    """The scene of a view's own burst, or else the file's name without its ending."""
    from mira.store.session import RAW_NAME

    views = file.resolve().parents[1:3]
    if file.name == RAW_NAME and len(views) == 2 and views[0].name == "views":
        return views[1].name
    return file.stem


def _print(found: Replayed) -> None:
    device = found.state.device
    number = f", serial {device.serial_number}" if device.serial_number else ""
    typer.echo(f"{device.name}{number}")
    for stream in found.state.streams:
        size = f"{stream.width_px}x{stream.height_px}@{stream.fps}"
        typer.echo(f"  {stream.stream:<5}  {size} {stream.pixel_format}")
    typer.echo(f"{format_count(found.pairs, 'pair')}, {found.good} good")
    for timing, refusal in found.refused[:_LISTED]:
        frames = f"color {timing.color_frame} depth {timing.depth_frame}"
        typer.echo(f"  refused {frames}: {refusal.code}: {refusal.message}")
    if more := len(found.refused) - _LISTED:
        counts = ", ".join(f"{count} {code}" for code, count in found.reasons.items())
        if more > 0:
            typer.echo(f"  and {more} more; in all {counts}")


def _as_json(found: Replayed, file: Path, out: Path | None) -> dict[str, object]:
    return {
        "recording": file,
        "session": out,
        "device": found.state.device,
        "streams": found.state.streams,
        "calibration": found.state.calibration,
        "pairs": found.pairs,
        "good": found.good,
        "refused": [
            {**timing.model_dump(mode="json"), **refusal._asdict()}
            for timing, refusal in found.refused
        ],
        "views": found.views,
        "kept": found.kept,
    }
