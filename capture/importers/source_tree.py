"""The files below a folder, walked and read with care: it is other people's."""

from __future__ import annotations

import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from capture.importers.policy import ImportPolicy
from capture.importers.source_scene import ImportFault
from mira.errors import CaptureError, SceneSourceError
from mira.store.session import is_session

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg"})
_Identity = tuple[int, int]
_OF_ARCHIVERS = "__MACOSX"
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")


class SourceTree:
    """The files of a data set, by their paths below its folder.

    Attributes:
        root: The folder.
        name: Its name.
        folders: Names of files by folder, both in order; the folder itself is `""`.
        faults: Pictures that cannot be read, and folders that cannot be looked into.
    """

    def __init__(self, root: Path, *, policy: ImportPolicy, less: Path | None = None) -> None:
        """Look through a folder; hidden files, sessions and workspaces in it are passed over.

        Links are followed, but for one that leads back to a folder above it.

        Args:
            root: The folder.
            policy: Limits.
            less: A folder in it to pass over, such as that of the output.

        Raises:
            CaptureError: It is no folder, is a session, or holds too many files.
        """
        if not root.is_dir():
            found = "a file" if root.exists() else "nothing"
            fix = "unpack it" if root.name.casefold().endswith(_ARCHIVES) else None
            raise CaptureError(root, f"expected a folder, found {found}", fix)
        if is_session(root):
            raise CaptureError(root, "is a capture session already")
        self.root = root
        self.name = _shown(root.resolve().name)
        self.faults: list[ImportFault] = []
        self._policy = policy
        self._less = less.resolve() if less is not None else None
        found_in: defaultdict[str, list[str]] = defaultdict(list)
        for count, path in enumerate(self._walk(), start=1):
            if count > policy.file_limit:
                raise CaptureError(root, f"expected at most {policy.file_limit:,} files in it")
            folder, _, name = path.rpartition("/")
            found_in[folder].append(name)
        self.folders: Mapping[str, tuple[str, ...]] = {
            folder: tuple(sorted(found_in[folder])) for folder in sorted(found_in)
        }

    def files(self) -> Iterator[str]:
        """Paths of all files, in order."""
        for folder, names in self.folders.items():
            yield from (join(folder, name) for name in names)

    def pictures(self, folder: str) -> list[str]:
        """Paths of the pictures in a folder, in order; none where there is no such folder."""
        return [join(folder, name) for name in self.folders.get(folder, ()) if is_picture(name)]

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        folder, _, name = path.rpartition("/")
        return name in self.folders.get(folder, ())

    def subfolders(self, folder: str) -> list[str]:
        """Folders right below another that hold files, in order."""
        start = f"{folder}/" if folder else ""
        below = {
            path[len(start) :].partition("/")[0]
            for path in self.folders
            if path and path.startswith(start)
        }
        return [start + name for name in sorted(below - {""})]

    def parents_of(self, name: str) -> list[str]:
        """Folders that have a folder of a name with files somewhere below it, in order."""
        found = set()
        for folder in self.folders:
            parts = folder.split("/")
            found |= {"/".join(parts[:k]) for k, part in enumerate(parts) if part == name}
        return sorted(found)

    def read_picture_bytes(self, path: str) -> bytes:
        """Content of a picture file.

        Raises:
            SceneSourceError: It cannot be read, or is too large.
        """
        return read_bytes(self.root / path, limit=self._policy.picture_limit_bytes, where=path)

    def read_text_bytes(self, path: str) -> bytes:
        """Content of a small file of text; raises as `read_picture_bytes` does."""
        return read_bytes(self.root / path, limit=self._policy.text_limit_bytes, where=path)

    def _walk(self) -> Iterator[str]:
        """Paths of all files that can be read; without recursion, as folders may be deep."""
        waiting: list[tuple[str, frozenset[_Identity]]] = [("", frozenset())]
        while waiting:
            folder, above = waiting.pop()
            here = self.root / folder
            try:
                status = here.stat()
                with os.scandir(here) as found:
                    entries = list(found)
            except OSError as error:
                reason = f"cannot be read: {error.strerror}"
                self.faults.append(ImportFault(_shown(folder) or ".", reason))
                continue
            identity = (status.st_dev, status.st_ino)
            if identity in above:
                continue
            for entry in entries:
                path = join(folder, entry.name)
                if entry.name.startswith(".") or entry.name == _OF_ARCHIVERS:
                    continue
                if _is_folder(entry):
                    if not self._is_passed_over(self.root / path):
                        waiting.append((path, above | {identity}))
                elif (fault := _fault_of(entry, path)) is None:
                    yield path
                elif is_picture(entry.name):
                    self.faults.append(fault)
        self.faults.sort()

    def _is_passed_over(self, folder: Path) -> bool:
        own = is_session(folder) or (folder / "workspace.json").is_file()
        return own or (self._less is not None and folder.resolve() == self._less)


def join(folder: str, name: str) -> str:
    """The path of a name in a folder of the source; either may be empty."""
    return "/".join(filter(None, (folder, name)))


def stem_of(path: str) -> str:
    """A file's name without its ending."""
    return PurePosixPath(path).stem


def in_time(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which names of frames sort as people count: `9` before `10`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return tuple((0, int(part), part) if "0" <= part[0] <= "9" else (1, 0, part) for part in parts)


def is_picture(name: str) -> bool:
    """Whether a file's name is that of a picture."""
    return PurePosixPath(name).suffix.casefold() in PICTURE_SUFFIXES


def read_bytes(path: Path, *, limit: int, where: str | Path) -> bytes:
    """Content of a regular file.

    Args:
        path: The file.
        limit: Most bytes that are read.
        where: Named in the error.

    Raises:
        SceneSourceError: It is missing, no regular file, too large, or cannot be read.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SceneSourceError(where, "expected a file, found another thing of that name")
        if status.st_size > limit:
            problem = f"expected at most {limit:,} bytes, found {status.st_size:,}"
            raise SceneSourceError(where, problem)
        return path.read_bytes()
    except FileNotFoundError:
        raise SceneSourceError(where, "expected a file, found none") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SceneSourceError(where, f"cannot be read: {reason}") from None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _fault_of(entry: os.DirEntry[str], path: str) -> ImportFault | None:
    """Why a file cannot be read or named; None where it can."""
    try:
        is_file = entry.is_file()
    except OSError as error:
        return ImportFault(_shown(path), f"cannot be read: {error.strerror}")
    shown = _shown(path)
    if not is_file:
        link = "a link that leads to no file" if entry.is_symlink() else "another thing"
        return ImportFault(shown, f"expected a file, found {link}")
    if shown != path or "\\" in path or ":" in path.split("/")[0]:
        return ImportFault(shown, "expected a name without '\\' and, at its start, ':', in UTF-8")
    return None


def _shown(path: str) -> str:
    """A path as text that can be written, whatever bytes its names are of."""
    return os.fsencode(path).decode(errors="backslashreplace")
