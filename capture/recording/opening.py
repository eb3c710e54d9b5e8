"""The session that a plan is recorded into."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from capture.policy import CapturePolicy
from capture.sdk import sdk_version
from capture.sources.frames import SourceKind
from mira.errors import SessionError
from mira.schema.record import FileRef, Provenance
from mira.schema.session import CaptureSession
from mira.store.session import SESSION_NAME, Session
from mira.store.version import tool_version


def open_session(
    out: Path,
    session_id: str,
    *,
    source: SourceKind,
    policy: CapturePolicy,
    operator: str | None = None,
    parameters: dict[str, Any] | None = None,
    inputs: tuple[FileRef, ...] = (),
) -> Session:
    """A new session, or the one that is there under the same id.

    Args:
        out: Its folder.
        session_id: Its id.
        source: What is recorded from.
        policy: Thresholds, which it keeps.
        operator: Who holds the camera, as a code name.
        parameters: What else decides the result.
        inputs: Files that are read.

    Raises:
        SessionError: The folder holds another session, one of another kind, or other files.
        MissingExtraError: The SDK is not installed.
    """
    record = CaptureSession(
        session_id=session_id,
        source=source,
        sdk_version=sdk_version(),
        provenance=Provenance(
            tool="mira capture",
            tool_version=tool_version(),
            created_at=datetime.now(UTC),
            created_by=operator,
            parameters={"policy": policy.model_dump(mode="json"), **(parameters or {})},
            inputs=inputs,
        ),
    )
    session = Session.create(out, record)
    if (held := session.read_session().source) != source:
        problem = f"source: expected {source!r}, found {held!r}"
        raise SessionError(out / SESSION_NAME, problem, "write to another folder")
    held_policy = session.read_session().provenance.parameters.get("policy", {})
    for name in ("max_dt_periods", "max_dt_ms"):
        wanted = getattr(policy, name)
        if (was := held_policy.get(name, wanted)) != wanted:
            problem = f"policy.{name}: expected {wanted}, found {was}"
            raise SessionError(out / SESSION_NAME, problem, "write to another folder")
    return session
