"""`SHA256SUMS`: the digests of a folder's files, in the form that `sha256sum -c` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mira.errors import MiraError
from mira.store.atomic import file_ref
from mira.store.names import require_name

SUMS_NAME = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


class FileFault(NamedTuple):
    """A file that is not what a folder's sums say."""

    name: str
    """The file."""
    problem: str
    """What is wrong with it."""

    def __str__(self) -> str:
        return f"{self.name}: {self.problem}"


def format_sums(digests: Mapping[str, str]) -> bytes:
    """The text of a `SHA256SUMS`: one line a file, by name."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def read_sums(folder: Path) -> dict[str, str] | FileFault:
    """The digests by name that a folder's `SHA256SUMS` gives; a fault where it gives none."""
    try:
        text = (folder / SUMS_NAME).read_bytes().decode()
    except FileNotFoundError:
        return FileFault(SUMS_NAME, "is missing")
    except (OSError, UnicodeDecodeError) as error:
        return FileFault(SUMS_NAME, f"cannot be read: {error}")
    digests: dict[str, str] = {}
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        found = _LINE.fullmatch(line)
        if found is None or not _is_name(found[2]) or found[2] in digests:
            problem = f"line {number}: expected a digest and a file's name, found {line[:90]!r}"
            return FileFault(SUMS_NAME, problem)
        digests[found[2]] = found[1]
    if not digests or not text.endswith("\n"):
        return FileFault(SUMS_NAME, "expected whole lines, found it cut off")
    return digests


def check_files_exist(folder: Path) -> tuple[FileFault, ...]:
    """What a folder lacks of that which its sums name; their content is not looked at."""
    digests = read_sums(folder)
    if isinstance(digests, FileFault):
        return (digests,)
    missing = (name for name in digests if not (folder / name).is_file())
    return tuple(FileFault(name, "is missing") for name in missing)


def check_sums(folder: Path) -> tuple[FileFault, ...]:
    """How a folder's files differ from its sums; nothing where all are as they were written.

    Files that the sums do not name may have come later and are no fault.
    """
    digests = read_sums(folder)
    if isinstance(digests, FileFault):
        return (digests,)
    faults = (_fault_of(folder / name, digest) for name, digest in digests.items())
    return tuple(fault for fault in faults if fault is not None)


def _fault_of(path: Path, digest: str) -> FileFault | None:
    if path.exists() and not path.is_file():
        # A device or a pipe has no end.
        return FileFault(path.name, "is no file")
    try:
        found = file_ref(path, relative_to=path.parent).sha256
    except FileNotFoundError:
        return FileFault(path.name, "is missing")
    except OSError as error:
        return FileFault(path.name, f"cannot be read: {error.strerror}")
    return None if found == digest else FileFault(path.name, "is not what was written")


def _is_name(name: str) -> bool:
    try:
        return require_name(name) != SUMS_NAME
    except MiraError:
        return False
