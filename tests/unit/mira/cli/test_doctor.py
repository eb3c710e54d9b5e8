"""The doctor finds what is missing, what clashes and what crashes left behind."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mira.cli import health
from mira.cli.doctor import run_doctor
from mira.cli.health import (
    Check,
    check_disk,
    check_libraries,
    check_name_clashes,
    check_packages,
    check_workspace,
)
from mira.store.workspace import Workspace


def without(*missing: str) -> Callable[[str], str]:
    """Versions of a machine that has all packages but some."""

    def version(package: str) -> str:
        if package in missing:
            raise PackageNotFoundError(package)
        return "9.9"

    return version


def by_name(checks: object) -> dict[str, Check]:
    return {check.name: check for check in checks}  # type: ignore[attr-defined]


@pytest.fixture
def requirements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        health,
        "requires",
        lambda _: [
            "numpy>=2.0",
            "gradio>=6.31; extra == 'app'",
            "gradio>=6.31; extra == 'all'",
            "mira-toolkit[export]; extra == 'eval'",
            "pyrealsense2>=2; (platform_system != 'Darwin') and extra == 'capture'",
        ],
    )


@pytest.mark.usefixtures("requirements")
def test_missing_requirement_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "version", without("numpy"))
    assert by_name(check_packages())["numpy"].status == "broken"


@pytest.mark.usefixtures("requirements")
def test_missing_extra_is_absent_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "version", without("gradio"))
    checks = by_name(check_packages())
    assert checks.keys() == {"numpy", "app", "capture"}
    assert checks["app"].status == "absent"
    assert checks["app"].detail == "without gradio"
    assert "app" in (checks["app"].fix or "")
    assert checks["capture"].status == "ok"


def test_library_that_does_not_load_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 'ImportError: libGL.so.1: cannot open' >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    check = by_name(check_libraries())["OpenCV"]
    assert check.status == "broken"
    assert check.detail == "ImportError: libGL.so.1: cannot open"


def test_packages_of_this_distribution_do_not_clash() -> None:
    assert all(check.status in ("ok", "absent") for check in check_name_clashes())


def test_package_of_another_distribution_clashes(tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "__init__.py").touch()
    assert by_name(check_name_clashes(tmp_path))["export"].status == "broken"


def test_full_disk_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = check_disk(tmp_path)
    monkeypatch.setattr(health, "LOW_DISK_BYTES", 1 << 62)
    (low,) = check_disk(tmp_path)
    assert check.status in ("ok", "warning")
    assert low.status == "warning"


def test_healthy_workspace_is_counted(tmp_path: Path) -> None:
    Workspace.create(tmp_path)
    checks = by_name(check_workspace(tmp_path))
    assert all(check.status == "ok" for check in checks.values())
    assert checks["scenes"].detail == "0"


def test_folder_that_is_no_workspace_is_broken(tmp_path: Path) -> None:
    (check,) = check_workspace(tmp_path)
    assert check.status == "broken"
    assert check.fix
    assert "mira init" in check.fix


def test_damaged_record_is_broken(tmp_path: Path) -> None:
    Workspace.create(tmp_path)
    (tmp_path / "scenes" / "a").mkdir(parents=True)
    (tmp_path / "scenes" / "a" / "scene.json").write_text("{")
    assert any(check.status == "broken" for check in check_workspace(tmp_path))


def test_what_a_killed_process_left_is_a_warning(tmp_path: Path) -> None:
    Workspace.create(tmp_path)
    (tmp_path / ".qa.partial-x1").mkdir()
    assert by_name(check_workspace(tmp_path))["partial files"].status == "warning"


def test_report_is_json_with_an_overall_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    healthy = run_doctor(tmp_path, as_json=True)
    report = json.loads(capsys.readouterr().out)
    assert report["healthy"] is healthy is False
    assert {"section", "name", "status", "detail", "fix"} == report["checks"][0].keys()


def test_report_for_people_ends_with_the_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_doctor(tmp_path, as_json=False)
    text = capsys.readouterr().out
    assert "is no workspace" in text
    assert text.splitlines()[-1].startswith("Something that is required")
