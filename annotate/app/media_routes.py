"""`/media`: pictures by the id of a picture or a question, never by the path of a file."""

from __future__ import annotations

import hashlib
from typing import Any, cast, get_args

from fastapi import APIRouter, Request, Response

from annotate.app.asking import author_desk, signed_in
from annotate.app.media import Depicted, Media
from annotate.desk.desk import Desk
from mira.errors import DeskError
from mira.schema.qa import Modality, Protocol

_FOR_EVER = "private, max-age=31536000, immutable"
"""Addresses that name a picture's content; the page asks for no others."""
_FOR_NOW = "private, no-cache"
_KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


def media_router(desk: Desk, media: Media) -> APIRouter:
    """Routes of pictures."""
    router = APIRouter(prefix="/media")

    @router.get("/{image_id}/color")
    def _color(request: Request, image_id: str) -> Response:
        return _file(request, media.view(image_id).color.sha256, lambda: media.color(image_id))

    @router.get("/{image_id}/thumbnail")
    def _thumbnail(request: Request, image_id: str) -> Response:
        tag = f"small-{media.view(image_id).color.sha256}"
        return _answer(request, tag, lambda: media.thumbnail(image_id), "image/jpeg")

    @router.get("/{image_id}/depth")
    def _depth(request: Request, image_id: str) -> Response:
        ref = media.view(image_id).depth_aligned
        return _file(request, ref.sha256 if ref else "none", lambda: media.depth(image_id))

    @router.get("/{image_id}/depth-packed")
    def _packed(request: Request, image_id: str) -> Response:
        ref = media.view(image_id).depth_aligned
        tag = f"packed-{ref.sha256}" if ref else "none"
        return _file(request, tag, lambda: media.packed_depth(image_id))

    @router.get("/{item_id}/{protocol}/{modality}/{place}")
    def _rendered(
        request: Request, item_id: str, protocol: str, modality: str, place: int
    ) -> Response:
        item = desk.reviews.items.get(item_id)
        if item is None:
            raise _no_picture()
        return _drawn(request, media, Depicted.of(item), protocol, modality, place)

    @router.get("/{image_id}/asked/{item_id}/{protocol}/{modality}/{place}")
    def _asked(
        request: Request, image_id: str, item_id: str, protocol: str, modality: str, place: int
    ) -> Response:
        question = author_desk(desk).question(signed_in(request), image_id, item_id)
        return _drawn(request, media, Depicted.of(question), protocol, modality, place)

    return router


def _drawn(
    request: Request, media: Media, depicted: Depicted, protocol: str, modality: str, place: int
) -> Response:
    if protocol not in get_args(Protocol) or modality not in get_args(Modality):
        raise _no_picture()
    pointing, shown = cast("Protocol", protocol), cast("Modality", modality)
    pictures = media.rendered(depicted, pointing, shown)
    if not 0 <= place < len(pictures):
        raise _no_picture()
    found = pictures[place]
    return _answer(request, hashlib.sha256(found.data).hexdigest(), lambda: found.data, found.kind)


def _no_picture() -> DeskError:
    return DeskError("picture", "there is no such picture", code="no-such-item")


def _file(request: Request, tag: str, read: Any) -> Response:
    return _answer(request, tag, read, None)


def _answer(request: Request, tag: str, read: Any, kind: str | None) -> Response:
    headers = {
        "etag": f'"{tag}"',
        "cache-control": _FOR_EVER if request.query_params.get("v") else _FOR_NOW,
    }
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    data = read()
    return Response(data, media_type=kind or _kind_of(data), headers=headers)


def _kind_of(data: bytes) -> str:
    found = (kind for start, kind in _KINDS.items() if data.startswith(start))
    return next(found, "application/octet-stream")
