"""What the Hub holds of a repository, asked before anything is sent."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from pydantic import Field

from mira.errors import ExportError, MiraError, MissingExtraError
from mira.schema.record import Record

if TYPE_CHECKING:
    from huggingface_hub import HfApi

KIND = "dataset"
MAIN = "main"
_PROGRAM = "mira-toolkit"
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_TIMEOUT_S = 20.0


class HubFile(Record):
    """A file of a repository."""

    sha256: str | None = None
    """Digest of its content; absent for small files, which the Hub keeps in git."""
    git_sha1: str | None = None
    """Digest that git has of it; of large files that of a pointer."""


class HubState(Record):
    """A repository as the Hub shows it to whoever asks."""

    asked: bool = True
    """Whether the Hub answered; all else is unknown if not."""
    why_not: str = ""
    """Why the Hub did not answer."""
    exists: bool = False
    """Whether the repository is there, and may be seen."""
    has_revision: bool = False
    """Whether the branch is there; without it, files are those of the main branch."""
    is_private: bool | None = None
    """Whether others cannot see it."""
    gated: str = "no"
    """Whether people have to ask before they may download: `no`, `auto` or `manual`."""
    commit: str | None = None
    """The newest commit."""
    files: dict[str, HubFile] = Field(default_factory=dict)
    """Files by path."""


def require_repository(name: str) -> None:
    """A name of a repository, with its owner.

    Raises:
        ExportError: It is no `OWNER/NAME` that the Hub takes.
    """
    hub = import_hub()
    try:
        hub.utils.validate_repo_id(name)
        fits = _REPOSITORY.fullmatch(name) is not None
    except hub.utils.HFValidationError:
        fits = False
    if not fits:
        raise ExportError("--repo", f"expected OWNER/NAME as the Hub has it, found {name!r}")


def hub_api() -> HfApi:
    """The Hub, at `HF_ENDPOINT` if that is set; its token is found by its own rules."""
    made: HfApi = import_hub().HfApi(library_name=_PROGRAM, library_version=version(_PROGRAM))
    return made


def ask_hub(api: HfApi, repository: str, revision: str) -> HubState:
    """What is in a repository, without reading a file of it.

    Args:
        api: The Hub.
        repository: `OWNER/NAME`.
        revision: A branch or commit.

    Returns:
        The state; one that was not `asked` where the Hub cannot be reached.
    """
    from huggingface_hub.errors import (
        GatedRepoError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        return _state(api, repository, revision)
    except GatedRepoError as error:
        return HubState(asked=False, why_not=first_line(error))
    except RepositoryNotFoundError:
        return HubState()
    except RevisionNotFoundError:
        if revision == MAIN:
            return HubState(exists=True)
        return ask_hub(api, repository, MAIN).model_copy(update={"has_revision": False})
    except network_faults() as error:
        return HubState(asked=False, why_not=first_line(error))


def network_faults() -> tuple[type[Exception], ...]:
    """What the Hub's client raises when the network or the Hub fails."""
    from huggingface_hub.errors import HfHubHTTPError

    # Which client of HTTP it stands on changed over time; its own error always had that as a base.
    return (*HfHubHTTPError.__bases__, OSError)


def first_line(error: BaseException) -> str:
    """A fault as a user may see it: one line, and never the token."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    token = import_hub().get_token()
    return text.replace(token, "(token)") if token else text


def require_token() -> None:
    """Raise unless the Hub's client knows who sends.

    Raises:
        MiraError: There is no token.
    """
    if not import_hub().get_token():
        raise MiraError("HF_TOKEN", "no token of the Hub is known", "log in with: hf auth login")


def import_hub() -> Any:
    """The Hub's client.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import huggingface_hub.utils
    except ImportError:
        raise MissingExtraError("huggingface_hub", "export") from None
    return huggingface_hub


def _state(api: HfApi, repository: str, revision: str) -> HubState:
    info = api.dataset_info(repository, revision=revision, files_metadata=True, timeout=_TIMEOUT_S)
    return HubState(
        exists=True,
        has_revision=True,
        is_private=bool(info.private),
        gated=str(info.gated or "no"),
        commit=info.sha,
        files={
            one.rfilename: HubFile(
                sha256=None if one.lfs is None else one.lfs.sha256, git_sha1=one.blob_id
            )
            for one in info.siblings or ()
        },
    )
