"""The physics engine's renderer, found or refused in one line before anything else happens."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from ctypes.util import find_library
from functools import cache
from types import ModuleType
from typing import NamedTuple

from mira.errors import MissingExtraError, SimulationError

_PACKAGES = "apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri, or libosmesa6"
_BACKENDS = ("egl", "osmesa")
_PROBE_XML = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"


class EngineInfo(NamedTuple):
    """What pixels depend on besides seed and policy."""

    version: str
    """Version of MuJoCo."""
    backend: str
    """How the GL context is made, such as `egl`."""
    renderer: str
    """Name of the GL implementation, such as `llvmpipe (LLVM 15.0.6, 256 bits)`."""


def load_mujoco() -> ModuleType:
    """MuJoCo with a headless GL backend that works here.

    `MUJOCO_GL` counts only before the first import, so this is the one place that imports the
    package. On Linux an unset variable becomes `egl`, or `osmesa` where EGL cannot be loaded.

    Returns:
        The imported module.

    Raises:
        MissingExtraError: MuJoCo is not installed.
        SimulationError: No GL library is found; the line names the Debian packages.
    """
    if importlib.util.find_spec("mujoco") is None:
        raise MissingExtraError("mujoco", "sim")
    _probe()
    return importlib.import_module("mujoco")


def engine_info() -> EngineInfo:
    """Versions that decide the pixels.

    Raises:
        MissingExtraError: MuJoCo is not installed.
        SimulationError: No GL library is found.
    """
    mujoco = load_mujoco()
    backend, renderer = _probe()
    return EngineInfo(str(mujoco.__version__), backend, renderer)


@cache
def _probe() -> tuple[str, str]:
    """Backend and GL renderer, after one small picture has been drawn."""
    asked = os.environ.get("MUJOCO_GL")
    if asked or sys.platform != "linux":
        return asked or "default", _draw(asked or "default", _PACKAGES)
    if "mujoco" in sys.modules:
        return "default", _draw("default", "set MUJOCO_GL=egl before mujoco is imported")
    for backend in _BACKENDS:
        if _has_library(backend):
            os.environ["MUJOCO_GL"] = backend
            return backend, _draw(backend, _PACKAGES)
    raise SimulationError("MUJOCO_GL", "expected EGL or OSMesa, found neither", _PACKAGES)


def _has_library(backend: str) -> bool:
    return find_library({"egl": "EGL", "osmesa": "OSMesa"}[backend]) is not None


def _draw(backend: str, fix: str) -> str:
    """Draw one picture and name the GL that did it; `fix` ends the line where it cannot."""
    try:
        mujoco = importlib.import_module("mujoco")
        model = mujoco.MjModel.from_xml_string(_PROBE_XML)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        with mujoco.Renderer(model, 16, 16) as renderer:
            renderer.update_scene(data)
            renderer.render()
            return _gl_renderer_name()
    except Exception as error:
        raise SimulationError(
            f"MUJOCO_GL={backend}",
            f"expected a working GL context, found {type(error).__name__}: {error}",
            fix,
        ) from error


def _gl_renderer_name() -> str:
    """What GL calls itself; `unknown` where PyOpenGL cannot ask."""
    try:
        gl = importlib.import_module("OpenGL.GL")
        return str(gl.glGetString(gl.GL_RENDERER).decode("ascii", "replace"))
    except Exception:
        return "unknown"
