"""`mira capture record`: a plan becomes a session."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from capture.policy import CapturePolicy
    from capture.recording.watching import Watch
    from capture.sources.frames import FrameSource
    from mira.schema.capture_plan import CapturePlan, PlannedView


def record(
    plan_file: Annotated[
        Path | None,
        typer.Argument(help="Plan of scenes and views, YAML or JSON.", metavar="[PLAN]"),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Session to record into.", metavar="DIR")
    ] = ...,  # type: ignore[assignment]
    scene: Annotated[
        str | None,
        typer.Option("--scene", help="Without a plan: the one scene to record.", metavar="ID"),
    ] = None,
    views: Annotated[
        int | None,
        typer.Option(
            "--views", help="Without a plan: views; 1 by default.", min=1, max=10_000, metavar="N"
        ),
    ] = None,
    serial: Annotated[
        str | None,
        typer.Option("--serial", help="Camera by its serial number.", metavar="NUMBER"),
    ] = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="No window: every view is taken at once.")
    ] = False,
    pause_s: Annotated[
        float | None,
        typer.Option(
            "--pause", help="With --headless: wait between views.", min=0, metavar="SECONDS"
        ),
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="A simulated camera, which sees simulated rooms.")
    ] = False,
    frames_from: Annotated[
        Path | None,
        typer.Option(
            "--frames-from", help="With --simulate: what it sees, a session.", metavar="DIR"
        ),
    ] = None,
    retake: Annotated[
        list[str] | None,
        typer.Option("--retake", help="Take a recorded view again.", metavar="SCENE/VIEW"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Record the views of a plan, each as soon as you say so; goes on where it stopped."""
    from capture.policy import CapturePolicy
    from capture.recording.opening import open_session
    from capture.recording.recorder import Recorder
    from mira.store.atomic import file_ref

    _require_company(
        {
            "--views": (views is not None, "--scene", scene is not None),
            "--pause": (pause_s is not None, "--headless", headless),
            "--frames-from": (frames_from is not None, "--simulate", simulate),
            "--serial": (serial is not None, "a real camera", not simulate),
        }
    )
    plan = _plan(plan_file, scene, views or 1, out)
    if simulate:
        plan = _as_rehearsal(plan)
    chosen = _retaken(plan, retake or [])
    policy = CapturePolicy()
    source, watch = _camera(
        plan,
        policy,
        serial=serial,
        headless=headless,
        pause_s=pause_s or 0.0,
        simulate=simulate,
        frames_from=frames_from,
    )
    session = open_session(
        out,
        plan.session_id,
        source=source.kind,
        policy=policy,
        operator=plan.operator,
        inputs=(file_ref(plan_file, relative_to=plan_file.parent),) if plan_file else (),
    )
    try:
        with progress("recording views") as advance:
            recorded = Recorder(
                source,
                session,
                plan,
                policy=policy,
                watch=watch,
                tell=lambda line: typer.echo(line, err=True),
                progress=advance,
                plan_folder=plan_file.parent if plan_file else Path(),
                retake=chosen,
            ).run()
    except KeyboardInterrupt:
        _say_how_to_go_on(retake or [])
        raise
    finally:
        watch.close()
    for view in chosen & set(recorded.committed):
        if (session.view_folder(*view) / "color.json").exists():
            typer.echo(f"{view}: has an annotation of the picture before", err=True)
    if as_json:
        print_json(
            {
                "session": out,
                "committed": [str(view) for view in recorded.committed],
                "kept": recorded.kept,
                "failed": [str(view) for view in recorded.failed],
                "left": recorded.left,
            }
        )
    else:
        there = f", {recorded.kept} there already" if recorded.kept else ""
        typer.echo(f"{out}: {format_count(len(recorded.committed), 'view')} recorded{there}")
    if recorded.failed or recorded.left:
        for view in recorded.failed:
            typer.echo(f"{view}: not taken; {out / 'journal.jsonl'} says why", err=True)
        left = len(recorded.failed) + recorded.left
        typer.echo(f"{format_count(left, 'view')} of the plan left", err=True)
        _say_how_to_go_on([] if recorded.committed else retake or [])
        raise typer.Exit(1 if recorded.failed else 0)
    say_next("mira", "capture", "verify", out)


def _require_company(flags: dict[str, tuple[bool, str, bool]]) -> None:
    """Flags that say nothing alone are refused, not ignored."""
    from mira.errors import MiraError

    for flag, (is_given, other, is_there) in flags.items():
        if is_given and not is_there:
            raise MiraError(flag, f"expected {other} with it")


def _say_how_to_go_on(retake: list[str]) -> None:
    """The same command, without views that were taken again."""
    words = iter(sys.argv[1:])
    kept: list[str] = []
    for word in words:
        if not retake and word == "--retake":
            next(words, None)
        elif retake or not word.startswith("--retake="):
            kept.append(word)
    say_next("mira", *kept)


def _plan(plan_file: Path | None, scene: str | None, views: int, out: Path) -> CapturePlan:
    from capture.plan import plan_of_scene, read_plan
    from mira.errors import MiraError

    if (plan_file is None) == (scene is None):
        found = "both" if scene else "neither"
        raise MiraError("PLAN", f"expected a plan or --scene, found {found}")
    if plan_file is not None:
        return read_plan(plan_file)
    assert scene is not None
    return plan_of_scene(scene, views=views, session_id=_session_id(out))


def _as_rehearsal(plan: CapturePlan) -> CapturePlan:
    """A plan whose scenes say that they are simulated, where they say nothing."""
    scenes = tuple(
        scene
        if "source" in scene.model_fields_set
        else scene.model_copy(update={"source": "simulated"})
        for scene in plan.scenes
    )
    return plan.model_copy(update={"scenes": scenes})


def _session_id(out: Path) -> str:
    """The id of the session that is there, or the folder's name."""
    from mira.store.session import SESSION_NAME, Session

    if (out / SESSION_NAME).is_file():
        return Session.open(out).read_session().session_id
    return out.resolve().name


def _camera(
    plan: CapturePlan,
    policy: CapturePolicy,
    *,
    serial: str | None,
    headless: bool,
    pause_s: float,
    simulate: bool,
    frames_from: Path | None,
) -> tuple[FrameSource, Watch]:
    """The camera, and who says when."""
    from capture.preview.window import PreviewWindow
    from capture.recording.watching import TakeAtOnce

    if not simulate:
        from capture.sources.live import LiveCamera

        live = LiveCamera(plan.camera, serial=serial)
        return live, TakeAtOnce(pause_s=pause_s) if headless else PreviewWindow(policy)
    from capture.recording.rehearsal import WalkingCrew
    from capture.sources.session_frames import SessionScenery
    from capture.sources.simulated import SimulatedSource
    from mira.sim.packaged_scenes import packaged_scenes_dir
    from mira.store.session import Session

    scenery = SessionScenery(
        Session.open(frames_from or packaged_scenes_dir()), first_ms=round(time.time() * 1000, 3)
    )
    source = SimulatedSource(scenery.camera(), paced=not headless)
    watch: Watch = TakeAtOnce(pause_s=pause_s) if headless else PreviewWindow(policy)
    return source, WalkingCrew(scenery, watch, plan)


def _retaken(plan: CapturePlan, names: list[str]) -> frozenset[PlannedView]:
    from mira.errors import MiraError

    planned = {str(view): view for view in plan.planned_views()}
    for name in names:
        if name not in planned:
            listed = ", ".join(list(planned)[:12])
            raise MiraError("--retake", f"expected a view of the plan ({listed}), found {name!r}")
    return frozenset(planned[name] for name in names)
