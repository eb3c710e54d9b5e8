"""Who may do what."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from mira.errors import DeskError

Role = Literal["annotator", "reviewer", "adjudicator", "admin"]
"""An annotator answers, a reviewer also reviews, an adjudicator also settles, an admin manages."""
Act = Literal["answer", "review", "adjudicate", "manage"]
"""What a role allows."""
ROLES: tuple[Role, ...] = get_args(Role)
_ACTS: tuple[Act, ...] = get_args(Act)


class Person(NamedTuple):
    """Somebody who works here.

    Attributes:
        name: Code name, as records give it.
        role: What they may do.
    """

    name: str
    role: Role

    def may(self, act: Act) -> bool:
        """Whether the role allows something: each role allows what those before it do."""
        return _ACTS.index(act) <= ROLES.index(self.role)

    def require(self, act: Act) -> None:
        """Raise unless the role allows something.

        Raises:
            DeskError: It does not.
        """
        if not self.may(act):
            problem = f"expected a role that may {act}, found {self.role}"
            raise DeskError(self.name, problem, "ask an admin", code="not-allowed")
