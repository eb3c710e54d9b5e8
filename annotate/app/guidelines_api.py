"""`/api/guidelines`: how people decide, the same for everybody."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response

from annotate.app.guidelines import Guideline, guidelines
from mira.taxonomy.catalogue import taxonomy


def guidelines_router() -> APIRouter:
    """The endpoint of guidelines; browsers keep what it says until it says something else."""
    router = APIRouter(prefix="/api")
    body = orjson.dumps({"guidelines": [_view(one) for one in guidelines()]})
    headers = {
        "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "cache-control": "private, no-cache",
    }

    @router.get("/guidelines")
    def _guidelines(request: Request) -> Response:
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)

    return router


def _view(guideline: Guideline) -> dict[str, Any]:
    subtask = taxonomy().subtask(taxonomy().template(guideline.template_id).subtask)
    return {**guideline.model_dump(mode="json"), "subtask": subtask.name}
