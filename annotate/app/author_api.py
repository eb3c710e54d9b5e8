"""`/api/author`: what the page of authors asks; every use case checks who asks."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from annotate.app.asking import author_desk, signed_in
from annotate.app.media import Media
from annotate.app.scenes import annotation_behind, viewer_scene
from annotate.app.sheets import catalogue_view, item_view, question_view, sheet_view
from annotate.desk.answering import Sheet
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.store.descriptions import DescriptionShelf

_MOST_SKIPPED = 500


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SheetWanted(_Body):
    """A picture is asked for: a certain one, or whichever is next."""

    image_id: str | None = Field(default=None, max_length=200)
    skipped: list[str] = Field(default=[], max_length=_MOST_SKIPPED)


class QuestionWanted(_Body):
    """A question is asked for, in words; with an answer also as it will be asked then."""

    image_id: str = Field(max_length=200)
    item_id: str = Field(max_length=200)
    answer: dict[str, Any] | None = None


class Answered(_Body):
    """An answer; None takes back what was said before."""

    image_id: str = Field(max_length=200)
    item_id: str = Field(max_length=200)
    answer: dict[str, Any] | None
    note: str | None = None
    shown: str = Field(max_length=64)
    token: str = Field(min_length=16, max_length=64)


class Described(_Body):
    """An instance in words."""

    image_id: str = Field(max_length=200)
    instance_id: int = Field(ge=1, le=2**31)
    text: str
    token: str = Field(min_length=16, max_length=64)


def author_router(desk: Desk, media: Media) -> APIRouter:
    """Endpoints of the page where questions are authored."""
    router = APIRouter(prefix="/api/author")

    def shown(person: Person, sheet: Sheet | None) -> dict[str, Any]:
        if sheet is None:
            return {"sheet": None, "progress": _progress(desk, person)}
        view = media.view(sheet.image_id)
        annotation = annotation_behind(desk.workspace, sheet.questions[0])
        # What is taken back here leaves an instance as it was drawn.
        told = {**DescriptionShelf(desk.workspace).of_image(sheet.image_id), **sheet.described}
        scene = viewer_scene(view, annotation)
        found = sheet_view(sheet._replace(described=told), scene)
        return {"sheet": found, "progress": _progress(desk, person)}

    @router.get("/catalogue")
    def _catalogue() -> dict[str, Any]:
        return catalogue_view()

    @router.post("/sheet")
    def _sheet(request: Request, wanted: SheetWanted) -> dict[str, Any]:
        person, authors = signed_in(request), author_desk(desk)
        if wanted.image_id is not None:
            return shown(person, authors.open(person, wanted.image_id))
        return shown(person, authors.next_sheet(person, skipped=wanted.skipped))

    @router.get("/pictures")
    def _pictures(request: Request) -> dict[str, Any]:
        person = signed_in(request)
        flags = desk.remarks.open_by_image(person)
        found = author_desk(desk).pictures(person)
        return {
            "pictures": [{**one._asdict(), "flags": flags.get(one.image_id, 0)} for one in found]
        }

    @router.post("/question")
    def _question(request: Request, wanted: QuestionWanted) -> dict[str, Any]:
        person, authors = signed_in(request), author_desk(desk)
        if wanted.answer is None:
            return question_view(authors.question(person, wanted.image_id, wanted.item_id))
        return item_view(authors.preview(person, wanted.image_id, wanted.item_id, wanted.answer))

    @router.post("/answer")
    def _answer(request: Request, given: Answered) -> dict[str, Any]:
        person = signed_in(request)
        kept = author_desk(desk).answer(
            person,
            given.item_id,
            given.image_id,
            given.answer,
            note=(given.note or "").strip() or None,
            shown=given.shown,
            # Tokens of two people never meet.
            token=f"{person.name} {given.token}",
        )
        return {"answer": kept.answer.model_dump(mode="json") if kept else None}

    @router.post("/description")
    def _describe(request: Request, given: Described) -> dict[str, str]:
        person, authors = signed_in(request), author_desk(desk)
        text, token = given.text.strip(), f"{person.name} {given.token}"
        authors.describe(person, given.image_id, given.instance_id, text, token=token)
        return {"text": text}

    return router


def _progress(desk: Desk, person: Person) -> dict[str, int]:
    found = author_desk(desk).pictures(person)
    return {
        "pictures": len(found),
        "begun": sum(bool(one.mine or one.others) for one in found),
        "mine": sum(one.mine for one in found),
    }
