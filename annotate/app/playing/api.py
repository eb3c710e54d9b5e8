"""`/api`: what the page asks; nothing in it says more of an episode than a model is told."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from annotate.app.gate import token_of
from annotate.playing.players import Players
from annotate.playing.sitting import Sitting, Turn
from mira.errors import DeskError

COOKIE = "mira_player"
_COOKIE_S = 180 * 24 * 3600
_FOR_EVER = "private, max-age=31536000, immutable"


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Named(_Body):
    """Somebody comes under a code name."""

    name: str = Field(max_length=100)


class Pressed(_Body):
    """A button was pressed."""

    place: int = Field(ge=0, lt=2**31)
    heard: int = Field(ge=0, lt=2**31)
    button: int = Field(ge=0, lt=100)


def play_router(players: Players) -> APIRouter:
    """Endpoints of the page."""
    router = APIRouter(prefix="/api")

    def sitting(request: Request) -> Sitting:
        name = players.who(token_of(request.headers, cookie=COOKIE))
        if name is None:
            raise DeskError("your code name", "is asked for first", code="no-player")
        return players.sitting(name)

    @router.get("/start")
    def _start(request: Request) -> dict[str, Any]:
        offer, token = players.offer, token_of(request.headers, cookie=COOKIE)
        name = players.who(token)
        return {
            "title": offer.title,
            "about": offer.about,
            "buttons": [{"label": one.label, "keys": one.keys} for one in offer.buttons],
            "episodes": offer.episodes,
            "most_turns": offer.most_turns,
            "player": name,
            "left": players.sitting(name).left if name else offer.episodes,
            "link": f"/back/{token}" if name and players.only is None else None,
        }

    @router.post("/join")
    def _join(request: Request, response: Response, named: Named) -> dict[str, str]:
        token = players.join(named.name)
        keep_player(request, response, token)
        return {"player": named.name, "link": f"/back/{token}"}

    @router.get("/turn")
    def _turn(request: Request) -> dict[str, Any]:
        return _told(sitting(request))

    @router.post("/reply")
    def _reply(request: Request, pressed: Pressed) -> dict[str, Any]:
        found, buttons = sitting(request), players.offer.buttons
        if pressed.button >= len(buttons):
            raise DeskError("button", "there is no such button", code="bad-answer")
        ended = found.reply(pressed.place, pressed.heard, buttons[pressed.button].reply)
        if ended is not None:
            # The next episode is asked for apart: its first picture may take a moment.
            return {"ended": {**ended._asdict(), "left": found.left}}
        return _told(found)

    @router.get("/pictures/{sha256}")
    def _picture(request: Request, sha256: str) -> Response:
        png = sitting(request).picture(sha256)
        return Response(png, media_type="image/png", headers={"cache-control": _FOR_EVER})

    return router


def keep_player(request: Request, response: Response, token: str) -> None:
    """Have the browser know the player again."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=_COOKIE_S,
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def _told(sitting: Sitting) -> dict[str, Any]:
    turn = sitting.turn()
    return {"turn": None if turn is None else _shown(sitting, turn), "left": sitting.left}


def _shown(sitting: Sitting, turn: Turn) -> dict[str, Any]:
    planned = sitting.course.planned
    return {
        "place": turn.place,
        "heard": turn.heard,
        "turns": planned[turn.place].turns,
        "part": planned[turn.place].part,
        "parts": max(one.part for one in planned),
        "task": turn.task,
        "since": turn.since,
        "pictures": [picture.sha256 for picture in turn.pictures],
    }
