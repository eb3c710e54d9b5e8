"""Who asks, and whether there is anything of that kind here."""

from __future__ import annotations

from fastapi import Request

from annotate.desk.answering import AnswerDesk
from annotate.desk.desk import Desk
from annotate.desk.roles import Person
from mira.errors import DeskError


def signed_in(request: Request) -> Person:
    """Who sends a request.

    Raises:
        DeskError: Nobody has signed in.
    """
    person: Person | None = request.state.person
    if person is None:
        raise DeskError("sign in", "is needed first", code="sign-in")
    return person


def author_desk(desk: Desk) -> AnswerDesk:
    """Where questions are authored.

    Raises:
        DeskError: The program was started without.
    """
    if desk.answers is None:
        raise DeskError("questions", "nobody authors at this desk", code="no-such-item")
    return desk.answers
