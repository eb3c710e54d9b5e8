"""`/api`: what the page asks of the desk; every use case checks who asks, and what they may do."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from annotate.app.asking import signed_in
from annotate.app.media import Media
from annotate.app.scenes import annotation_behind, viewer_scene
from annotate.app.tasks import EditWanted, edit_of, task_view
from annotate.desk.desk import Desk
from annotate.desk.leases import WorkKind
from annotate.desk.progress import read_progress
from annotate.desk.reviewing import Task
from annotate.desk.roles import Person, Role
from mira.schema.qa import ReviewDoubt
from mira.taxonomy.catalogue import taxonomy

Kind = Literal["review", "adjudicate"]
_MOST_SKIPPED = 500


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Wanted(_Body):
    """A question is asked for."""

    kind: Kind
    item_id: str | None = Field(default=None, max_length=200)
    skipped: list[str] = Field(default=[], max_length=_MOST_SKIPPED)
    subtask: str | None = Field(default=None, max_length=40)
    by_people: bool = False


class Draft(_Body):
    """What somebody has begun to say."""

    kind: WorkKind
    item_id: str = Field(max_length=200)
    content: str
    seq: int = Field(ge=1, le=2**53)


class Judged(_Body):
    """A verdict."""

    kind: Kind
    item_id: str = Field(max_length=200)
    shown: str = Field(max_length=64)
    token: str = Field(min_length=16, max_length=64)
    verdict: Literal["accepted", "rejected"]
    reason: str = ""
    doubts: list[ReviewDoubt] = Field(default=[], max_length=4)
    edit: EditWanted | None = None


class Left(_Body):
    """A question, or a picture, that is given back."""

    kind: WorkKind
    item_id: str = Field(max_length=200)


class Invited(_Body):
    """Somebody is to be let in."""

    role: Role


def api_router(desk: Desk, media: Media) -> APIRouter:
    """Endpoints of the page."""
    router = APIRouter(prefix="/api")

    def shown(person: Person, task: Task | None) -> dict[str, Any]:
        progress = read_progress(desk.database, person)._asdict()
        if task is None:
            return {"task": None, "progress": progress}
        view = media.view(task.item.image_id)
        scene = viewer_scene(view, annotation_behind(desk.workspace, task.item))
        seen = task_view(task, scene)
        notes = desk.notes(task.item.item_id)
        seen["reasons"] += [{"name": f"Note of {name}", "text": note} for name, note in notes]
        return {"task": seen, "progress": progress}

    @router.get("/me")
    def _me(request: Request) -> dict[str, Any]:
        person = signed_in(request)
        acts = [act for act in ("answer", "review", "adjudicate", "manage") if person.may(act)]
        subtasks = {one.id: one.name for one in taxonomy().subtasks}
        return {"name": person.name, "role": person.role, "may": acts, "subtasks": subtasks}

    @router.post("/task")
    def _task(request: Request, wanted: Wanted) -> dict[str, Any]:
        person = signed_in(request)
        if wanted.item_id is not None:
            return shown(person, desk.reviews.open(person, wanted.kind, wanted.item_id))
        task = desk.reviews.next_task(
            person,
            wanted.kind,
            skipped=wanted.skipped,
            templates=_templates_of(wanted.subtask),
            by_people=wanted.by_people,
        )
        return shown(person, task)

    @router.post("/draft")
    def _draft(request: Request, draft: Draft) -> dict[str, int]:
        person = signed_in(request)
        kept = desk.drafts.keep(person, draft.kind, draft.item_id, draft.content, seq=draft.seq)
        return {"seq": kept}

    @router.post("/verdict")
    def _verdict(request: Request, judged: Judged) -> dict[str, str]:
        person = signed_in(request)
        item = desk.reviews.items.get(judged.item_id)
        edit = edit_of(item, judged.edit) if item is not None and judged.edit else None
        standing = desk.reviews.judge(
            person,
            judged.kind,
            judged.item_id,
            verdict=judged.verdict,
            shown=judged.shown,
            # Tokens of two people never meet.
            token=f"{person.name} {judged.token}",
            reason=judged.reason.strip(),
            doubts=judged.doubts,
            edit=edit,
        )
        # Reviewers do not learn what the other said.
        return {"state": standing.state if judged.kind == "adjudicate" else "kept"}

    @router.post("/leave")
    def _leave(request: Request, left: Left) -> dict[str, bool]:
        desk.leave(signed_in(request), left.kind, left.item_id)
        return {"left": True}

    @router.get("/figures")
    def _figures() -> dict[str, Any]:
        return figures_view(desk)

    @router.post("/invitation")
    def _invite(request: Request, invited: Invited) -> dict[str, str]:
        signed_in(request).require("manage")
        return {"path": f"/invitation/{desk.people.invite(invited.role)}"}

    return router


def _templates_of(subtask: str | None) -> list[str] | None:
    if subtask is None:
        return None
    return [one.id for one in taxonomy().templates if one.subtask == subtask]


def figures_view(desk: Desk) -> dict[str, Any]:
    """The figures of a desk as the dashboard shows them."""
    found = desk.figures()
    view = found.model_dump(mode="json")
    for name, one in found.by_subtask.items():
        told = {"name": taxonomy().subtask(name).name, "percent": one.percent}
        view["by_subtask"][name].update(told)
    for person, shown in zip(found.people, view["people"], strict=True):
        shown["agreement"]["percent"] = person.agreement.percent
    return view
