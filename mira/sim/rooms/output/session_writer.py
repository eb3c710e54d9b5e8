"""Mirror rooms as a capture session, with annotation files and truth beside it.

capture.json  journal.jsonl  scenes/…           the session, as a camera would have left it
scenes/<scene>/views/<view>/color.json          what an annotator's program would have saved
truth/<scene>/scene.json                        TrueScene, written last
truth/<scene>/<view>.json                       TrueView, beside its two depth pictures
truth/<scene>/<view>_answers.jsonl              TrueAnswer, one a line
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import orjson

from mira.errors import SimulationError
from mira.schema.capture import Scene, SceneSurface
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.sim.rooms.output.annotation_file import annotation_document
from mira.sim.rooms.output.truth_file import renderer_version
from mira.sim.rooms.output.truth_folder import truth_names, write_scene_truth, write_view_truth
from mira.sim.rooms.output.view_files import view_files
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.scene import SimulatedScene, simulate_scene
from mira.store.atomic import os_faults, write_file
from mira.store.folder_commit import PARTIAL
from mira.store.session import Session
from mira.store.version import tool_version

_SOURCE = "mira mirror rooms"
_TRUTH = "truth"


def open_rooms(out_dir: Path, *, seed: int, policy: RoomPolicy) -> Session:
    """The session that a series of rooms goes to, new or begun earlier.

    Args:
        out_dir: Its folder.
        seed: Seed of the series.
        policy: All settings.

    Raises:
        SessionError: The folder holds another session, one of another seed, policy or version of
            the renderer, or other files.
    """
    settings = {"renderer": renderer_version(), "policy": policy.model_dump(mode="json")}
    digest = hashlib.sha256(orjson.dumps(settings, option=orjson.OPT_SORT_KEYS)).hexdigest()
    session = CaptureSession(
        session_id=f"rooms_s{seed}_{digest[:8]}",
        source="simulated",
        provenance=Provenance(
            tool="mira sim rooms",
            tool_version=tool_version(),
            parameters={"seed": seed, **settings},
        ),
    )
    return Session.create(out_dir, session, durable=False)


def scene_name(seed: int, index: int) -> str:
    """Scene id of scene `index` of a seed."""
    return f"room_s{seed}_{index:04d}"


def is_written(session: Session, *, seed: int, index: int, policy: RoomPolicy) -> bool:
    """Whether a scene is there with all its views, annotation files and truth.

    Its `truth/<scene>/scene.json` is gone while it is made anew, and written last.
    """
    scene_id = scene_name(seed, index)
    views = [_view_name(number) for number in range(policy.views_per_scene)]
    truth = session.root / _TRUTH / scene_id
    return (
        set(session.committed(scene_id)) == set(views)
        and (truth / "scene.json").is_file()
        and all((truth / name).is_file() for view in views for name in truth_names(view))
        and all((session.view_folder(scene_id, view) / "color.json").is_file() for view in views)
    )


def write_room(session: Session, *, seed: int, index: int, policy: RoomPolicy) -> str:
    """Simulate a scene and put it into a session, in place of an earlier one of its name.

    Args:
        session: Where it goes.
        seed: Seed of the series, at least 0.
        index: Number of the scene, at least 0.
        policy: All settings.

    Returns:
        The scene's id.

    Raises:
        SimulationError: A number is out of range, or no layout showed a linked pair.
        MissingExtraError: Embree is not installed.
        MiraError: The disk is full, or the folder cannot be written.
    """
    for name, value in (("seed", seed), ("index", index)):
        if value < 0:
            raise SimulationError(name, f"expected 0 or more, found {value}")
    scene = simulate_scene(seed=seed, index=index, policy=policy)
    scene_id = scene_name(seed, index)
    truth = _cleared(session, scene_id)
    session.write_scene(_scene_record(scene, scene_id))
    for number, view in enumerate(scene.views):
        view_id = _view_name(number)
        write_view_truth(truth, scene, view, scene_id=scene_id, view_id=view_id)
        session.commit_view(scene_id, view_id, view_files(view, policy), replace=True)
        document = annotation_document(view.content, scene.plan, policy.camera)
        annotation = session.view_folder(scene_id, view_id) / "color.json"
        write_file(annotation, orjson.dumps(document) + b"\n", durable=False)
    view_ids = [_view_name(number) for number in range(len(scene.views))]
    write_scene_truth(truth, scene, view_ids, policy, scene_id=scene_id)
    return scene_id


def _cleared(session: Session, scene_id: str) -> Path:
    """Folder of a scene's truth, once its mark and what killed processes left of it are gone."""
    truth = session.root / _TRUTH / scene_id
    with os_faults(truth):
        truth.mkdir(parents=True, exist_ok=True)
        (truth / "scene.json").unlink(missing_ok=True)
        for folder in (truth, session.root / "scenes" / scene_id):
            for path in sorted(folder.rglob(".*")):
                if path.is_dir() and path.name.startswith(PARTIAL):
                    shutil.rmtree(path)
                elif ".partial-" in path.name or path.name.startswith(PARTIAL):
                    path.unlink(missing_ok=True)
    return truth


def _view_name(number: int) -> str:
    return f"v{number}"


def _scene_record(scene: SimulatedScene, scene_id: str) -> Scene:
    plan = scene.plan
    surfaces = tuple(
        SceneSurface(surface_id=surface.name, surface_type=surface.surface_type)
        for surface in plan.surfaces
    )
    return Scene(
        scene_id=scene_id,
        environment=plan.environment,
        lighting=plan.lighting,
        place=plan.place,
        surfaces=surfaces,
        consent="not_needed",
        source=_SOURCE,
        licence="CC0-1.0",
        notes="Simulated; depth on a mirror is the virtual distance.",
    )
