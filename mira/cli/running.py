"""From exceptions to exit statuses: 0 done, 1 a check failed, 2 wrong input, 130 interrupted."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from mira.errors import MiraError


def guarded(command: Callable[..., Any], **arguments: Any) -> NoReturn:
    """Run a command line and end the process.

    A `MiraError` or a fault of the file system is one line on stderr and status 2, an interrupt
    is status 130, a reader that closed the pipe is status 1 without a word; any other exception
    is a bug and shows its traceback. Letters that the terminal does not know print as `?`.

    Args:
        command: Called once; it may raise `SystemExit` as well as return.
        arguments: Passed on.
    """
    _print_all_letters()
    try:
        command(**arguments)
        status = 0
    except SystemExit as leaving:
        status = _status(leaving)
    except MiraError as error:
        _say(f"error: {error}")
        status = 2
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 1
    except OSError as error:
        _say(f"error: {_os_fault(error)}")
        status = 2
    if status == 130:
        _say("interrupted")
    unwritten = _flush()
    sys.exit(status or unwritten)


def _print_all_letters() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _os_fault(error: OSError) -> MiraError:
    if error.filename is None:
        # Writers of files name them, printing does not.
        return MiraError("output", error.strerror or str(error))
    from mira.store.atomic import os_fault

    return os_fault(error, "file system")


def _status(leaving: SystemExit) -> int:
    """The number a `SystemExit` stands for; a text goes to stderr, as Python itself does."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code
    _say(str(leaving.code))
    return 1


def _say(line: str) -> None:
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def _flush() -> int:
    """Write what is left in stdout's buffer; the exit status for what goes wrong, 0 for nothing.

    After a fault the rest goes nowhere, so that Python has nothing to complain of at exit.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        status = 1
    except OSError as error:
        _say(f"error: {_os_fault(error)}")
        status = 2
    else:
        return 0
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return status
