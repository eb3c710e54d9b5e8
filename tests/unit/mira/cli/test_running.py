"""Faults of the user are one line and status 2; bugs keep their traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from mira.cli.running import guarded
from mira.errors import AnnotationFormatError, MiraError


def status_of(error: BaseException | None) -> int | str | None:
    """Exit status of a command that ends with an exception, or without one."""

    def command() -> None:
        if error is not None:
            raise error

    with pytest.raises(SystemExit) as leaving:
        guarded(command)
    return leaving.value.code


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (None, 0),
        (MiraError("a", "b"), 2),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 1),
        (SystemExit(), 0),
        (SystemExit(1), 1),
        (SystemExit(130), 130),
        (SystemExit("no"), 1),
    ],
)
def test_each_end_has_its_exit_status(error: BaseException | None, status: int) -> None:
    assert status_of(error) == status


def test_fault_of_the_user_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    status_of(AnnotationFormatError("a.json", "shapes[3]", "expected 3 points\nfound 2", "redraw"))
    captured = capsys.readouterr()
    assert captured.err == "error: a.json: shapes[3]: expected 3 points found 2 (redraw)\n"
    assert captured.out == ""


def test_bug_keeps_its_traceback() -> None:
    def command() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        guarded(command)


def mira(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mira.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **more,  # type: ignore[call-overload]
    )


def test_command_line_ends_with_2_on_wrong_use_and_wrong_input(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").touch()
    assert mira("nonsense").returncode == 2
    assert mira("init").returncode == 2
    refused = mira("init", str(tmp_path))
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"error: {tmp_path}: expected a new or empty folder")
    assert refused.stderr.count("\n") == 1


def test_init_makes_a_workspace_and_says_what_comes_next(tmp_path: Path) -> None:
    done = mira("init", str(tmp_path / "work"))
    assert done.returncode == 0
    assert (tmp_path / "work" / "workspace.json").is_file()
    assert "mira annotate import" in done.stderr
    assert done.stdout == ""


PRINTS_MUCH = """
from mira.cli.output import print_json
from mira.cli.running import guarded
guarded(lambda: print_json(list(range({count}))))
"""


@pytest.mark.parametrize("count", [10, 100_000])
def test_reader_that_closed_the_pipe_gets_no_traceback(count: int) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-c", PRINTS_MUCH.format(count=count)],
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("count", [10, 100_000])
def test_full_disk_behind_stdout_is_one_line(count: int) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", PRINTS_MUCH.format(count=count)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "error: output: No space left on device\n"
    assert done.returncode == 2


def test_letters_that_the_terminal_lacks_print_as_question_marks() -> None:
    script = "from mira.cli.running import guarded\nguarded(lambda: print('12\u201319 \u93e1'))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "12?19 ?\n", "")


INTERRUPTED_IMPORT = """
import builtins
real = builtins.__import__
def importing(name, *more):
    if name == "typer":
        raise KeyboardInterrupt
    return real(name, *more)
builtins.__import__ = importing
from mira.cli.main import run
run()
"""


def test_interrupt_while_the_command_is_imported_ends_with_130() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


SLEEPS = """
import time, typer
from mira.cli.running import guarded
app = typer.Typer(pretty_exceptions_enable=False)
@app.command()
def sleep() -> None:
    print("asleep", flush=True)
    time.sleep(60)
guarded(app)
"""


def test_interrupt_ends_with_130_and_without_a_traceback() -> None:
    sleeper = subprocess.Popen(
        [sys.executable, "-c", SLEEPS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever starts the tests in the background has Ctrl-C ignored, and hands that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with sleeper:
        assert sleeper.stdout
        assert sleeper.stderr
        assert sleeper.stdout.readline() == "asleep\n"
        sleeper.send_signal(signal.SIGINT)
        assert sleeper.stderr.read() == "interrupted\n"
    assert sleeper.returncode == 130


def test_mira_errors_pass_through_typer(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    def fail() -> None:
        raise MiraError("here", "nothing works")

    with pytest.raises(SystemExit) as leaving:
        guarded(app, args=[])
    assert leaving.value.code == 2
    assert capsys.readouterr().err == "error: here: nothing works\n"
