"""People are let in from the command line."""

from __future__ import annotations

import json
import socket

import pytest
from extras import skip_without
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


def test_a_desk_takes_questions_gives_verdicts_and_is_carried_away(make_workspace, tmp_path):
    from annotate.desk.desk import Desk

    workspace = make_workspace()
    root = workspace.root
    found = json.loads(_run("annotate", "app", "import", "-w", root, "--json").stdout)
    assert found["items"] == found["new"] > 0
    assert "0 new or changed" in _run("annotate", "app", "import", "-w", root).stdout
    desk = Desk(workspace)
    for name in ("cora", "dora"):
        person = desk.people.add(name, "long enough", "reviewer")
        task = desk.reviews.next_task(person, "review")
        said = {"verdict": "accepted", "shown": task.item_sha8, "token": name}
        desk.reviews.judge(person, "review", task.item.item_id, **said)
    desk.remarks.add(person, "flag", task.item.image_id, "blurred", token="f")
    desk.close()
    told = _run("annotate", "app", "export", "-w", root).stdout
    assert "2 verdicts, 0 answers, 0 descriptions, 1 remark added" in told
    assert "1 accepted" in told
    assert told.endswith("1 open flag\n")
    exported = json.loads(_run("annotate", "app", "export", "-w", root, "--json").stdout)
    assert (exported["verdicts"], exported["standing"]["accepted"]) == (0, 1)
    assert (exported["remarks"], exported["open_flags"]) == (0, 1)
    kept = tmp_path / "kept.sqlite3"
    _run("annotate", "app", "backup", kept, "-w", root)
    _run("annotate", "app", "backup", kept, "-w", root, status=1)
    _run("annotate", "app", "restore", kept, "-w", root, status=1)
    _run("annotate", "app", "restore", kept, "-w", root, "--replace")
    assert "cora" in _run("annotate", "user", "list", "-w", root).stdout


def test_the_app_needs_a_free_port(make_workspace):
    skip_without("gradio", extra="app")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = ["annotate", "app", "-w", str(make_workspace().root), "--port"]
        done = CliRunner().invoke(app, [*words, str(taken.getsockname()[1])])
    assert "cannot be listened at" in str(done.exception)
