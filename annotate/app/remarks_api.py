"""`/api/remarks`: flags and comments of people, as far as who asks is told them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from annotate.app.asking import signed_in
from annotate.app.media import Media
from annotate.desk.desk import Desk
from annotate.desk.leases import WorkKind
from annotate.desk.remark_reading import Noted, RemarkPage

Id = Annotated[str, Field(min_length=1, max_length=200)]
Token = Annotated[str, Field(min_length=16, max_length=64)]
Before = Annotated[int | None, Query(ge=1, le=2**62)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Remarked(_Body):
    """A flag or a comment."""

    kind: Literal["flag", "comment"]
    image_id: Id
    item_id: Id | None = None
    text: str
    token: Token


class Resolved(_Body):
    """What became of a flag."""

    remark_id: Id
    text: str = ""
    token: Token


def remarks_router(desk: Desk, media: Media) -> APIRouter:
    """Endpoints of remarks."""
    router = APIRouter(prefix="/api/remarks")

    @router.get("")
    def _of_image(
        request: Request,
        image_id: Id,
        kind: WorkKind,
        item_id: Id | None = None,
        before: Before = None,
    ) -> dict[str, Any]:
        person = signed_in(request)
        return _page(
            desk.remarks.of_image(person, image_id, kind=kind, item_id=item_id, before=before)
        )

    @router.post("")
    def _add(request: Request, remarked: Remarked) -> dict[str, str]:
        person = signed_in(request)
        media.view(remarked.image_id)
        remark = desk.remarks.add(
            person,
            remarked.kind,
            remarked.image_id,
            remarked.text,
            token=f"{person.name} {remarked.token}",
            item_id=remarked.item_id,
        )
        return {"remark_id": remark.remark_id}

    @router.post("/resolve")
    def _resolve(request: Request, resolved: Resolved) -> dict[str, str]:
        person = signed_in(request)
        token = f"{person.name} {resolved.token}"
        remark = desk.remarks.resolve(person, resolved.remark_id, token=token, text=resolved.text)
        return {"remark_id": remark.remark_id}

    @router.get("/flags")
    def _flags(request: Request, before: Before = None) -> dict[str, Any]:
        person = signed_in(request)
        page = _page(desk.remarks.open_flags(person, before=before))
        return {**page, "open": desk.remarks.count_open(person)}

    return router


def _page(page: RemarkPage) -> dict[str, Any]:
    return {"remarks": [_view(noted) for noted in page.remarks], "following": page.following}


def _view(noted: Noted) -> dict[str, Any]:
    closed = noted.resolution
    return {
        **noted.remark.model_dump(mode="json", exclude={"schema_version", "resolves"}),
        "is_open": noted.is_open,
        "may_resolve": noted.may_resolve,
        "resolution": closed and closed.model_dump(mode="json", include={"by", "at", "text"}),
    }
