"""`/api/baseline`: questions as a model is asked them, and replies; nothing more is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from annotate.app.asking import signed_in
from annotate.app.media import Depicted, DrawnFile, Media
from annotate.desk.baseline import Asked
from annotate.desk.desk import Desk
from annotate.desk.replies import axis_words
from annotate.desk.roles import Person
from mira.errors import MiraError
from mira.render.legend import picture_legend
from mira.render.prompt import option_line
from mira.schema.qa import Modality, Protocol
from mira.taxonomy.catalogue import taxonomy

_MOST_SKIPPED = 500
_MOST_UNDRAWN = 200
_WITHOUT_DEPTH: dict[Modality, Modality] = {"rgb_d": "rgb", "rgb_dm": "rgb_m"}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NextWanted(_Body):
    """A question is asked for."""

    protocol: Protocol
    modality: Modality
    item_id: str | None = Field(default=None, max_length=200)
    skipped: list[str] = Field(default=[], max_length=_MOST_SKIPPED)


class Replied(_Body):
    """A reply."""

    item_id: str = Field(max_length=200)
    protocol: Protocol
    modality: Modality
    shown: str = Field(max_length=64)
    token: str = Field(min_length=16, max_length=64)
    answer: dict[str, Any] = Field(max_length=4)
    seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class LeftUnanswered(_Body):
    """A question that is given back."""

    item_id: str = Field(max_length=200)


def baseline_router(desk: Desk, media: Media) -> APIRouter:
    """Endpoints of the page of the human baseline."""
    router = APIRouter(prefix="/api/baseline")

    def shown(person: Person, wanted: NextWanted, skipped: Sequence[str]) -> dict[str, Any] | None:
        """The next question whose pictures can be drawn."""
        if wanted.item_id is not None:
            asked = desk.baseline.open(person, wanted.item_id, wanted.protocol)
            return _drawn(media, asked, wanted.modality)
        undrawn: list[str] = []
        while len(undrawn) < _MOST_UNDRAWN:
            late = [*skipped, *undrawn]
            given = desk.baseline.next_question(person, wanted.protocol, skipped=late)
            if given is None:
                return None
            try:
                return _drawn(media, given, wanted.modality)
            except MiraError:
                # Its annotation has changed, so that no model is asked it either.
                desk.baseline.leave(person, given.item.item_id)
                if given.item.item_id in undrawn:
                    return None
                undrawn.append(given.item.item_id)
        return None

    @router.get("/ways")
    def _ways() -> dict[str, Any]:
        pointing, shown = taxonomy().protocols, taxonomy().modalities
        return {
            "protocols": [{"id": one.id, "name": one.name} for one in pointing],
            "modalities": [{"id": one.id, "name": one.name} for one in shown],
        }

    @router.post("/next")
    def _next(request: Request, wanted: NextWanted) -> dict[str, Any]:
        person = signed_in(request)
        question = shown(person, wanted, wanted.skipped)
        return {"question": question, "share": desk.baseline.share(person)._asdict()}

    @router.post("/reply")
    def _reply(request: Request, replied: Replied) -> dict[str, bool]:
        person = signed_in(request)
        desk.baseline.reply(
            person,
            replied.item_id,
            replied.answer,
            protocol=replied.protocol,
            modality=replied.modality,
            shown=replied.shown,
            # Tokens of two people never meet.
            token=f"{person.name} {replied.token}",
            seconds=replied.seconds,
        )
        return {"kept": True}

    @router.post("/leave")
    def _leave(request: Request, left: LeftUnanswered) -> dict[str, bool]:
        desk.baseline.leave(signed_in(request), left.item_id)
        return {"left": True}

    return router


def question_view(
    asked: Asked, modality: Modality, pictures: Sequence[DrawnFile]
) -> dict[str, Any]:
    """A question as the page puts it: what a model is told and shown, in the same order."""
    item, wording = asked.item, asked.wording
    legend = [(picture.role, picture.depth) for picture in pictures]
    options = zip(item.options, wording.option_texts, strict=True)
    return {
        "item_id": item.item_id,
        "shown": asked.shown,
        "protocol": wording.protocol,
        "modality": modality,
        "pictures": [picture.role for picture in pictures],
        "legend": picture_legend(legend, mirrors_tinted=taxonomy().modality(modality).mirror),
        "question": wording.question,
        "format": item.answer.format,
        "choices": [
            {"value": one.label, "text": option_line(one.label, text)} for one, text in options
        ],
        "axes": axis_words() if item.answer.format == "spatial_3d_axes" else {},
    }


def _drawn(media: Media, asked: Asked, wanted: Modality) -> dict[str, Any]:
    modality = _possible(media, asked.item.image_id, wanted)
    pictures = media.rendered(Depicted.of(asked.item), asked.wording.protocol, modality)
    return question_view(asked, modality, pictures)


def _possible(media: Media, image_id: str, wanted: Modality) -> Modality:
    """The pictures that there are: without depth where it was not measured."""
    if media.view(image_id).depth_aligned is not None:
        return wanted
    return _WITHOUT_DEPTH.get(wanted, wanted)
