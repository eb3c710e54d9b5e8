from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from mira.errors import MissingExtraError
from mira.sim import engine


def _python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key != "MUJOCO_GL"}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_missing_engine_is_one_line_that_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(MissingExtraError) as caught:
        engine.load_mujoco()
    assert str(caught.value) == f"mujoco: is not installed ({MissingExtraError.how_to_add('sim')})"


def test_a_missing_gl_is_one_line_that_names_the_packages(gl: None) -> None:
    code = (
        "import mira.sim.engine as e\n"
        "e._has_library = lambda backend: False\n"
        "try: e.load_mujoco()\n"
        "except e.SimulationError as error: print(error)"
    )

    lines = _python(code).stdout.splitlines()

    assert len(lines) == 1
    for package in ("libegl1", "libegl-mesa0", "libgl1-mesa-dri", "libosmesa6"):
        assert package in lines[0]


def test_a_gl_that_fails_is_one_line(gl: None) -> None:
    code = (
        "import mira.sim.engine as e\n"
        "try: e.load_mujoco()\n"
        "except e.SimulationError as error: print(error)"
    )

    lines = _python(code, MUJOCO_GL="glfw", DISPLAY="").stdout.splitlines()

    assert len(lines) == 1
    assert lines[0].startswith("MUJOCO_GL=glfw: expected a working GL context")


def test_importing_the_rooms_imports_no_engine() -> None:
    code = (
        "import sys, mira.sim.rooms, mira.sim.packaged_scenes as p\n"
        "print('mujoco' in sys.modules, len(p.packaged_scene_ids()))"
    )

    assert _python(code).stdout.split() == ["False", "4"]


def test_packaged_scenes_are_found_without_numpy() -> None:
    code = "import sys, mira.sim.packaged_scenes\nprint('numpy' in sys.modules)"

    assert _python(code).stdout.split() == ["False"]
