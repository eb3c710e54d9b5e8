"""People are let in from the command line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from mira.cli.app import app


def _run(*words, typed="", status=0):
    done = CliRunner().invoke(app, [str(word) for word in words], input=typed)
    assert done.exit_code == status, (done.output, done.exception)
    return done


def test_people_are_let_in_and_may_do_more(make_workspace):
    root = make_workspace().root
    _run("annotate", "user", "add", "cora", "-w", root, "--role", "reviewer", typed="long enough\n")
    _run("annotate", "user", "role", "cora", "admin", "-w", root)
    _run("annotate", "user", "passwd", "cora", "-w", root, typed="longer still\n")
    (person,) = json.loads(_run("annotate", "user", "list", "-w", root, "--json").stdout)
    assert (person["name"], person["role"]) == ("cora", "admin")
    assert "cora" in _run("annotate", "user", "list", "-w", root).stdout


@pytest.mark.parametrize(
    ("words", "typed", "fault"),
    [
        (("add", "cora", "--role", "reviewer"), "short\n", "password: expected 8 letters at least"),
        (("add", "C/../x", "--role", "reviewer"), "long enough\n", "name: expected up to 32 of"),
        (("passwd", "nobody"), "long enough\n", "is nobody's name"),
        (("role", "nobody", "admin"), "", "is nobody's name"),
    ],
)
def test_a_fault_is_one_line(make_workspace, words, typed, fault):
    root = make_workspace().root
    done = CliRunner().invoke(app, ["annotate", "user", *words, "-w", str(root)], input=typed)
    assert fault in str(done.exception)
