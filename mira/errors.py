"""Exceptions that a user of MIRA can cause and mend.

Every `MiraError` prints as one line, `where: what was expected, what was found (fix)`, and ends a
command with exit status 2. Anything else that escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

from pathlib import Path


class MiraError(Exception):
    """A fault in what the user gave: a file, a flag, a missing package.

    Attributes:
        where: The file, folder or flag at fault.
        problem: What was expected and what was found.
        fix: What the user can do about it, where there is one thing to do.
    """

    def __init__(self, where: str | Path, problem: str, fix: str | None = None) -> None:
        self.where = str(where)
        self.problem = problem
        self.fix = fix
        super().__init__(self.where, problem, fix)

    def __str__(self) -> str:
        text = f"{self.where}: {self.problem}"
        if self.fix:
            text += f" ({self.fix})"
        line = " ".join(text.split())
        # Names in it may be anybody's, and a terminal obeys signs that are not to be seen.
        return "".join(sign if sign.isprintable() else "\ufffd" for sign in line)


class RecordError(MiraError):
    """A record on disk does not hold what its schema asks for."""


class WorkspaceError(MiraError):
    """A workspace is missing, locked, of another version or incomplete."""


class SessionError(MiraError):
    """A capture session is missing, or holds what no session does."""


class CaptureError(MiraError):
    """A camera, a recording or a plan of capture cannot be used."""


class SceneSourceError(MiraError):
    """A picture, depth map or camera file of a scene cannot be used."""


class GeometryError(MiraError):
    """Cameras or points do not allow what is asked of them."""


class AnnotationFormatError(MiraError):
    """An annotation file cannot be read.

    Attributes:
        field: The field at fault, as a path into the document; empty for the whole file.
    """

    def __init__(self, path: str | Path, field: str, problem: str, fix: str | None = None) -> None:
        self.path = str(path)
        self.field = field
        super().__init__(f"{path}: {field}" if field else path, problem, fix)


class TemplateError(MiraError):
    """A question template misses a slot, an option or a protocol."""


class SimulationError(MiraError):
    """A simulated scene cannot be made or written here."""


class EpisodeError(MiraError):
    """A folder of episodes is missing, or holds what no run does."""


class TomSetError(MiraError):
    """A published theory-of-mind set cannot be read."""


class DeskError(MiraError):
    """Somebody at the annotation app asks for what cannot be done.

    Attributes:
        code: What kind of fault it is, in kebab-case, for programs.
    """

    def __init__(
        self, where: str | Path, problem: str, fix: str | None = None, *, code: str
    ) -> None:
        self.code = code
        super().__init__(where, problem, fix)


class ExportError(MiraError):
    """A release cannot be written."""


class ReleaseError(MiraError):
    """A folder is no release, or does not hold what its checksums say."""


class PredictionError(MiraError):
    """A file of predictions cannot be scored."""


class MissingExtraError(MiraError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, "is not installed", self.how_to_add(extra))

    @staticmethod
    def how_to_add(extra: str) -> str:
        """The command that installs an extra, in a checkout or beside an installed wheel."""
        if (Path(__file__).parents[1] / "scripts" / "setup.sh").is_file():
            return f"bash scripts/setup.sh {extra}"
        return f"pip install 'mira-toolkit[{extra}]'"
