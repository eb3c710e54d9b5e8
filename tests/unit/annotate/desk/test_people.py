"""Who comes in, by what, and for how long."""

from __future__ import annotations

import pytest

from annotate.desk.roles import Person
from mira.errors import DeskError


def _code(call, *arguments, **named):
    with pytest.raises(DeskError) as caught:
        call(*arguments, **named)
    return caught.value.code


def test_who_knows_the_password_comes_in_for_a_while(make_desk, clock):
    people = make_desk().people
    token = people.sign_in("cora", "long enough")
    assert people.who(token) == Person("cora", "reviewer")
    clock.go(days=13)
    assert people.who(token)
    clock.go(days=2)
    assert people.who(token) is None


def test_neither_password_nor_token_is_in_the_database(make_desk):
    desk = make_desk()
    token = desk.people.sign_in("cora", "long enough")
    desk.close()
    kept = b"".join(path.read_bytes() for path in desk.database.path.parent.iterdir())
    assert b"long enough" not in kept
    assert token.encode() not in kept


@pytest.mark.parametrize("name", ["cora", "nobody"])
def test_a_wrong_password_and_a_wrong_name_are_told_alike_and_not_for_ever(make_desk, clock, name):
    people = make_desk().people
    for _ in range(8):
        assert _code(people.sign_in, name, "wrong wrong") == "wrong-password"
    assert _code(people.sign_in, name, "long enough") == "too-many-tries"
    clock.go(minutes=11)
    if name == "cora":
        assert people.sign_in(name, "long enough")


def test_another_password_ends_what_was_signed_in(make_desk):
    people = make_desk().people
    token = people.sign_in("cora", "long enough")
    people.set_password("cora", "another one")
    assert people.who(token) is None
    assert _code(people.sign_in, "cora", "long enough") == "wrong-password"
    token = people.sign_in("cora", "another one")
    people.sign_out(token)
    assert people.who(token) is None


def test_an_invitation_lets_one_person_in_once(make_desk, clock):
    people = make_desk().people
    token = people.invite("admin")
    assert _code(people.accept, token, "cora", "long enough") == "name-taken"
    assert people.accept(token, "gina", "long enough") == Person("gina", "admin")
    assert _code(people.accept, token, "hans", "long enough") == "no-invitation"
    late = people.invite("reviewer")
    clock.go(hours=25)
    assert _code(people.accept, late, "hans", "long enough") == "no-invitation"


@pytest.mark.parametrize(
    ("name", "password", "role", "code"),
    [
        ("cora", "long enough", "reviewer", "name-taken"),
        ("Cora", "long enough", "reviewer", "bad-name"),
        ("../x", "long enough", "reviewer", "bad-name"),
        ("x" * 33, "long enough", "reviewer", "bad-name"),
        ("", "long enough", "reviewer", "bad-name"),
        ("hans", "short", "reviewer", "short-password"),
        ("hans", "long enough", "king", "bad-role"),
    ],
)
def test_who_cannot_be_let_in_is_told_why(make_desk, name, password, role, code):
    assert _code(make_desk().people.add, name, password, role) == code


def test_a_role_allows_what_the_ones_before_it_do():
    acts = ("answer", "review", "adjudicate", "manage")
    for k, role in enumerate(("annotator", "reviewer", "adjudicator", "admin")):
        assert [Person("a", role).may(act) for act in acts] == [j <= k for j in range(4)]


def test_a_role_is_another_at_once(make_desk):
    people = make_desk().people
    token = people.sign_in("cora", "long enough")
    people.set_role("cora", "admin")
    assert people.who(token) == Person("cora", "admin")
    assert _code(people.set_role, "nobody", "admin") == "no-such-person"
