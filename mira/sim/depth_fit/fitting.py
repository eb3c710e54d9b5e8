"""The parameters of a depth camera from its frames."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import orjson

from mira.errors import MiraError, SimulationError
from mira.sim.depth_fit.dropout import FILLED, DropoutFinder
from mira.sim.depth_fit.edges import EdgeFinder
from mira.sim.depth_fit.frames import BENT, GLASS, MIRROR, ORDINARY, DepthFrame
from mira.sim.depth_fit.holes import find_holes
from mira.sim.depth_fit.noise import NoiseFinder
from mira.sim.depth_fit.reach import ReachFinder
from mira.sim.depth_fit.reading import read_frames
from mira.sim.depth_fit.records import DepthFit, Estimate, Found
from mira.sim.depth_fit.steps import StepFinder
from mira.sim.depth_fit.still import StillFinder
from mira.sim.rooms.policy import CameraPolicy, DepthSensorPolicy
from mira.store.atomic import write_file

Progress = Callable[[int, int], None]
_SAME_FOCAL = 0.01
_DIGITS = 5


def fit_depth(
    sources: tuple[Path, ...],
    *,
    baseline_m: float | None = None,
    progress: Progress | None = None,
) -> DepthFit:
    """Estimate a depth camera's parameters from all frames of capture sessions and folders.

    Lengths in pixels are given for pictures of the simulated camera's focal length, so that the
    policy gives depth like that of the frames whatever their size was.

    Args:
        sources: Sessions, and folders of pictures with depth and intrinsics.
        baseline_m: Distance between the two imagers; the policy's default where it is missing.
            Another only changes what is called a pixel of disparity, and the width of shadows.
        progress: Told of every frame that is done.

    Raises:
        MiraError: A source cannot be read, its depth is normalised, there is no frame, or frames
            are of cameras with other focal lengths.
    """
    default = DepthSensorPolicy()
    run = _Run(baseline_m or default.baseline_m)
    for done, frame in enumerate(read_frames(sources, run.faults.append), start=1):
        run.take(frame)
        if progress is not None:
            progress(done, 0)
    if not run.frames:
        raise (run.faults or [MiraError(sources[0], "expected views with depth, found none")])[0]
    return run.result(default)


def write_policy(path: Path, fit: DepthFit) -> None:
    """Write the parameters as a `DepthSensorPolicy` record, in one step."""
    content = fit.policy.model_dump(mode="json")
    write_file(path, orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


class _Scaled(NamedTuple):
    """An estimate and the factor from pixels of the depth maps to those of the policy."""

    found: Found
    factor: float = 1.0


class _Run:
    """One fit under way."""

    def __init__(self, baseline_m: float) -> None:
        self.faults: list[MiraError] = []
        self.frames = 0
        self._baseline_m = baseline_m
        self._focal_px = 0.0
        self._steps = StepFinder(baseline_m)
        self._noise = NoiseFinder(baseline_m)
        self._still = StillFinder(baseline_m)
        self._edges = EdgeFinder(baseline_m)
        self._reach = ReachFinder()
        self._blind, self._annotated = DropoutFinder(), DropoutFinder()
        self._annotated_frames = 0
        self._annotated_focal_px = 0.0

    def take(self, frame: DepthFrame) -> None:
        grid = frame.grid
        if self.frames and abs(grid.focal_px / self._focal_px - 1) > _SAME_FOCAL:
            problem = f"expected the focal length {self._focal_px:g}, found {grid.focal_px:g}"
            raise SimulationError(frame.name, problem, "fit one camera and size at a time")
        self._focal_px = self._focal_px or grid.focal_px
        self.frames += 1
        self._steps.add(grid)
        self._noise.add(grid)
        self._still.add(frame)
        self._edges.add(grid)
        holes = find_holes(grid.disparity_px(self._baseline_m))
        self._reach.add(grid, holes)
        self._blind.add(grid, holes)
        if frame.annotated is not None:
            if frame.annotated is not grid:
                holes = find_holes(frame.annotated.disparity_px(self._baseline_m))
            self._annotated.add(frame.annotated, holes)
            self._annotated_frames += 1
            self._annotated_focal_px = frame.annotated.focal_px

    def result(self, default: DepthSensorPolicy) -> DepthFit:
        policy_focal_px = CameraPolicy().focal_px
        factor = policy_focal_px / self._focal_px
        step = self._steps.result()
        noise, noise_grain = self._noise.result(step.value)
        if step.value is None and self._blind.is_filled:
            # Whatever filled the holes has smoothed the rest.
            noise = noise_grain = Found(value=None, pixels=0, reason=FILLED)
        still = self._still.result(step.value)
        dropout = self._annotated if self._annotated_frames else self._blind
        grid_factor = factor
        if self._annotated_frames:
            grid_factor = policy_focal_px / self._annotated_focal_px
        scaled = {
            "disparity_step_px": _Scaled(step, factor),
            "disparity_noise_px": _Scaled(noise, factor),
            "noise_grain_px": _Scaled(noise_grain, factor),
            "min_range_m": _Scaled(self._reach.nearest()),
            "max_range_m": _Scaled(self._reach.farthest()),
            "dropout_share": _Scaled(dropout.share(ORDINARY)),
            "mirror_dropout_share": _Scaled(dropout.share(MIRROR)),
            "glass_dropout_share": _Scaled(dropout.share(GLASS)),
            "bent_dropout_share": _Scaled(dropout.share(BENT)),
            "dropout_grain_px": _Scaled(dropout.grain(), grid_factor),
        }
        estimates = tuple(
            _estimate(name, one, getattr(default, name)) for name, one in scaled.items()
        )
        known = {one.parameter: one.value for one in estimates if one.value is not None}
        return DepthFit(
            policy=default.model_copy(update={**known, "baseline_m": self._baseline_m}),
            frames=self.frames,
            focal_px=round(self._focal_px, 3),
            policy_focal_px=policy_focal_px,
            estimates=estimates,
            still_noise_px=None if still.value is None else round(still.value * factor, _DIGITS),
            still_pixels=still.pixels,
            edge_flying_share=self._edges.share(),
            edge_lost_share=dropout.edge_share(),
            faults=tuple(map(str, self.faults)),
        )


def _estimate(name: str, scaled: _Scaled, default: float) -> Estimate:
    found = scaled.found
    value = None if found.value is None else round(found.value * scaled.factor, _DIGITS)
    return Estimate(
        parameter=name,
        value=value,
        default=default,
        pixels=found.pixels,
        reason=found.reason,
    )
