"""The one commit that makes a release visible on the Hub."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from export.push.contents import is_same
from export.push.hub import (
    KIND,
    HubState,
    ask_hub,
    first_line,
    hub_api,
    import_hub,
    network_faults,
    require_token,
)
from export.push.plan import PushPlan
from mira.errors import ExportError

if TYPE_CHECKING:
    from huggingface_hub import HfApi


def send_release(release: Path, plan: PushPlan) -> str:
    """Send a release as it was planned, in one commit.

    Files go up first and nobody sees them; the commit names them all, and takes away what an
    earlier release left. If it is cut short, the repository is as it was, and what went up already
    need not go again.

    Args:
        release: The folder, of which nothing is changed.
        plan: What to do, as `plan_push` made it.

    Returns:
        Where the commit can be seen.

    Raises:
        MiraError: No token is known.
        ExportError: The Hub cannot be reached or refuses, somebody else changed the repository
            since it was asked, or it holds other files than were sent.
    """
    require_token()
    if not plan.hub.asked:
        raise ExportError(plan.repository, f"the Hub cannot be asked: {plan.hub.why_not}")
    api = hub_api()
    with _hub_faults(plan.repository), _quiet_without_terminal():
        state = _with_branch(api, plan)
        done = api.create_commit(
            plan.repository,
            _operations(release, plan),
            commit_message=f"{plan.name}, {plan.stage}, {plan.digest[:12]}",
            repo_type=KIND,
            revision=plan.revision,
            parent_commit=state.commit,
        )
    _require_arrived(release, plan, ask_hub(api, plan.repository, done.oid))
    return str(done.commit_url)


def _operations(release: Path, plan: PushPlan) -> list[Any]:
    hub = import_hub()
    return [
        *(hub.CommitOperationDelete(path_in_repo=path) for path in plan.removed),
        *(
            hub.CommitOperationAdd(one.file.path, str(release / one.file.path))
            for one in plan.files
            if one.hub != "same"
        ),
    ]


def _with_branch(api: HfApi, plan: PushPlan) -> HubState:
    """The repository with the branch, made where they are missing."""
    if plan.hub.has_revision:
        return plan.hub
    if not plan.hub.exists:
        api.create_repo(plan.repository, repo_type=KIND, private=plan.private)
    state = ask_hub(api, plan.repository, plan.revision)
    if state.exists and not state.has_revision:
        api.create_branch(plan.repository, branch=plan.revision, repo_type=KIND)
        state = ask_hub(api, plan.repository, plan.revision)
    if not state.has_revision:
        raise ExportError(plan.repository, f"the branch {plan.revision!r} could not be made")
    return state


def _require_arrived(release: Path, plan: PushPlan, state: HubState) -> None:
    if not state.asked:
        problem = f"all was sent, but the Hub cannot be asked what it holds: {state.why_not}"
        raise ExportError(plan.repository, problem, "push again to see")
    odd = [
        one.file.path
        for one in plan.files
        if one.file.path not in state.files
        or not is_same(release, one.file, state.files[one.file.path])
    ]
    odd += [path for path in plan.removed if path in state.files]
    if odd:
        problem = f"the Hub holds another {odd[0]} than was sent, of {len(odd)} files"
        raise ExportError(plan.repository, problem, "push again")


@contextmanager
def _hub_faults(repository: str) -> Iterator[None]:
    """Turn what the Hub's client raises into one line; it wraps faults of a file in others."""
    faults: tuple[type[Exception], ...] = (*network_faults(), ValueError, RuntimeError)
    try:
        yield
    except faults as error:
        cause = error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ else error
        problem = f"the Hub did not confirm the release: {first_line(cause)}"
        hint = "push again; what went up is not sent twice"
        raise ExportError(repository, problem, hint) from error


@contextmanager
def _quiet_without_terminal() -> Iterator[None]:
    """No progress bars where nobody could read them."""
    bars = import_hub().utils
    if sys.stderr.isatty() or bars.are_progress_bars_disabled():
        yield
        return
    bars.disable_progress_bars()
    try:
        yield
    finally:
        bars.enable_progress_bars()
