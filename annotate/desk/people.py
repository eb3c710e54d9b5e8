"""People, how they sign in, and how the first of them comes in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from annotate.code_names import require_code_name
from annotate.desk.database import Database
from annotate.desk.passwords import (
    SHORTEST_PASSWORD,
    hash_password,
    is_password,
    new_token,
    nobody,
    token_digest,
)
from annotate.desk.roles import ROLES, Person, Role
from mira.errors import DeskError

LOGIN_DAYS = 14
INVITATION_HOURS = 24
_TRIES, _WITHIN = 8, timedelta(minutes=10)
"""So many wrong passwords for a name in so long, and it has to wait."""


class People:
    """Those who work at a desk."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database, self._clock = database, clock

    def add(self, name: str, password: str, role: Role) -> Person:
        """Let somebody in.

        Raises:
            DeskError: The name is none, or is taken; the password is too short.
        """
        require_code_name(name)
        _require_role(role)
        kept = _kept(password)
        with self._database.write() as writing:
            if writing.execute("select 1 from people where name = ?", (name,)).fetchone():
                raise DeskError(name, "is somebody's name already", code="name-taken")
            writing.execute(
                "insert into people (name, role, password, created_at) values (?, ?, ?, ?)",
                (name, role, kept, self._now()),
            )
        return Person(name, role)

    def all(self) -> tuple[Person, ...]:
        """Everybody, by name."""
        rows = self._database.connection().execute(
            "select name, role from people where is_active order by name"
        )
        return tuple(Person(*row) for row in rows)

    def set_password(self, name: str, password: str) -> None:
        """Give somebody another password; they have to sign in anew everywhere."""
        kept = _kept(password)
        with self._database.write() as writing:
            found = writing.execute(
                "update people set password = ? where name = ? and is_active", (kept, name)
            )
            if not found.rowcount:
                raise _unknown(name)
            writing.execute("delete from logins where name = ?", (name,))

    def set_role(self, name: str, role: Role) -> None:
        """Let somebody do more or less."""
        _require_role(role)
        with self._database.write() as writing:
            found = writing.execute(
                "update people set role = ? where name = ? and is_active", (role, name)
            )
            if not found.rowcount:
                raise _unknown(name)

    def sign_in(self, name: str, password: str) -> str:
        """A token for who knows the password.

        Raises:
            DeskError: It is another password, or there were too many tries.
        """
        since = (self._clock() - _WITHIN).isoformat()
        reading = self._database.connection()
        (tries,) = reading.execute(
            "select count(*) from failed_logins where name = ? and at > ?", (name, since)
        ).fetchone()
        if tries >= _TRIES:
            minutes = int(_WITHIN.total_seconds() // 60)
            problem = f"too many wrong passwords in the last {minutes} minutes"
            raise DeskError("sign in", problem, "wait a while", code="too-many-tries")
        row = reading.execute(
            "select password from people where name = ? and is_active", (name,)
        ).fetchone()
        if not is_password(password, row["password"] if row else nobody()) or row is None:
            with self._database.write() as writing:
                writing.execute("insert into failed_logins values (?, ?)", (name, self._now()))
            raise DeskError("sign in", "the name or the password is another", code="wrong-password")
        token = new_token()
        until = (self._clock() + timedelta(days=LOGIN_DAYS)).isoformat()
        with self._database.write() as writing:
            writing.execute("delete from failed_logins where name = ?", (name,))
            writing.execute("delete from logins where expires_at <= ?", (self._now(),))
            writing.execute(
                "insert into logins values (?, ?, ?)", (token_digest(token), name, until)
            )
        return token

    def who(self, token: str) -> Person | None:
        """Whose token it is; None for nobody's, or one that has run out."""
        row = (
            self._database.connection()
            .execute(
                "select p.name, p.role from logins l join people p on p.name = l.name"
                " where l.token_sha256 = ? and l.expires_at > ? and p.is_active",
                (token_digest(token), self._now()),
            )
            .fetchone()
        )
        return Person(*row) if row else None

    def sign_out(self, token: str) -> None:
        """Forget a token."""
        with self._database.write() as writing:
            writing.execute("delete from logins where token_sha256 = ?", (token_digest(token),))

    def invite(self, role: Role) -> str:
        """A token by which one person may come in, once."""
        _require_role(role)
        token = new_token()
        until = (self._clock() + timedelta(hours=INVITATION_HOURS)).isoformat()
        with self._database.write() as writing:
            writing.execute("delete from invitations where expires_at <= ?", (self._now(),))
            writing.execute(
                "insert into invitations values (?, ?, ?)", (token_digest(token), role, until)
            )
        return token

    def accept(self, token: str, name: str, password: str) -> Person:
        """Come in by an invitation, which then is used up.

        Raises:
            DeskError: It is none, or the name or password cannot be taken; then it stays.
        """
        require_code_name(name)
        kept = _kept(password)
        with self._database.write() as writing:
            row = writing.execute(
                "delete from invitations where token_sha256 = ? and expires_at > ? returning role",
                (token_digest(token), self._now()),
            ).fetchone()
            if row is None:
                problem = "the invitation was used, or has run out"
                raise DeskError("invitation", problem, "ask for another", code="no-invitation")
            if writing.execute("select 1 from people where name = ?", (name,)).fetchone():
                raise DeskError(name, "is somebody's name already", code="name-taken")
            writing.execute(
                "insert into people (name, role, password, created_at) values (?, ?, ?, ?)",
                (name, row["role"], kept, self._now()),
            )
        return Person(name, row["role"])

    def _now(self) -> str:
        return self._clock().isoformat()


def _kept(password: str) -> str:
    if len(password) < SHORTEST_PASSWORD:
        problem = f"expected {SHORTEST_PASSWORD} letters at least, found {len(password)}"
        raise DeskError("password", problem, code="short-password")
    return hash_password(password)


def _require_role(role: str) -> None:
    if role not in ROLES:
        raise DeskError("role", f"expected {' or '.join(ROLES)}, found {role!r}", code="bad-role")


def _unknown(name: str) -> DeskError:
    return DeskError(
        name, "is nobody's name", "see: mira annotate user list", code="no-such-person"
    )
