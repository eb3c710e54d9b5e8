"""How the reader speaks: findings of one file, and the two ways of giving up."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mira.errors import AnnotationFormatError
from mira.schema.finding import Finding, Severity


class UnusableFileError(AnnotationFormatError):
    """An annotation file of which nothing can be read.

    Attributes:
        code: Code of the finding that says so.
    """

    def __init__(
        self, path: str | Path, field: str, problem: str, *, code: str, fix: str | None = None
    ) -> None:
        self.code = code
        super().__init__(path, field, problem, fix)


class Refused(Exception):  # noqa: N818 - a verdict on one shape, never seen outside
    """One shape, value or link is left out; it never leaves this package."""

    def __init__(self, code: str, where: str, message: str) -> None:
        self.code = code
        self.where = where
        self.message = message
        super().__init__(code, where, message)


class FindingLog:
    """Collects what is found in one file."""

    def __init__(self, path: str | Path) -> None:
        self.path = text_of(path)
        self._findings: list[Finding] = []

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings so far, in the order they were made."""
        return tuple(self._findings)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Take over findings made elsewhere."""
        self._findings.extend(findings)

    @property
    def has_errors(self) -> bool:
        """Whether anything was left out."""
        return any(finding.severity == "error" for finding in self._findings)

    def info(self, code: str, where: str, message: str, *, path: Path | None = None) -> None:
        """Note something for the record; `path` is another file that belongs to this one."""
        self._add("info", code, where, message, path)

    def warning(self, code: str, where: str, message: str, *, path: Path | None = None) -> None:
        """Note something that was read but wants a look."""
        self._add("warning", code, where, message, path)

    def error(self, code: str, where: str, message: str, *, path: Path | None = None) -> None:
        """Note that what `where` names was left out."""
        self._add("error", code, where, message, path)

    def refuse(self, refused: Refused) -> None:
        """Note a refusal."""
        self._add("error", refused.code, refused.where, refused.message)

    def refuse_once(self, refused: Refused) -> None:
        """Note a refusal unless one of its code is there already."""
        if all(finding.code != refused.code for finding in self._findings):
            self.refuse(refused)

    def unusable(self, error: UnusableFileError) -> None:
        """Note that the whole file was refused."""
        fix = f" ({error.fix})" if error.fix else ""
        self._add("error", error.code, error.field, f"{error.problem}{fix}")

    def _add(
        self, severity: Severity, code: str, where: str, message: str, path: Path | None = None
    ) -> None:
        text = text_of(" ".join(message.split()))
        file = self.path if path is None else text_of(path)
        self._findings.append(
            Finding(code=code, severity=severity, path=file, where=where, message=text)
        )


def text_of(value: str | Path) -> str:
    """A path or a text as it can be written: what is no Unicode in a name becomes `?`."""
    return str(value).encode("utf-8", "replace").decode("utf-8")


def brief(value: object) -> str:
    """A value as it goes into a message: one line, and short."""
    try:
        text = repr(value)
    except RecursionError:
        return "a deeply nested value"
    return text if len(text) <= 60 else f"{text[:57]}..."
