"""The base mesh of a person: how broad features mix, and details on top."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from makehuman import Floats, read_target


class Build(NamedTuple):
    """A person's build; numbers from 0 to 1.

    Attributes:
        gender: 0 female, 1 male.
        age: 0.5 is about 25 years, 1 is old; none is younger.
        muscle: 0.5 is average.
        weight: 0.5 is average.
        height: 0.5 adds nothing.
        proportions: 1 is what artists call ideal.
        cup: Size of breasts, 0.5 is average.
        origins: Shares of african, asian, caucasian.
        details: Shares of single targets by their path without its ending.
    """

    gender: float
    age: float = 0.5
    muscle: float = 0.5
    weight: float = 0.5
    height: float = 0.5
    proportions: float = 0.5
    cup: float = 0.5
    origins: Mapping[str, float] = {"caucasian": 1.0}
    details: Mapping[str, float] = {}


def shaped(base: Floats, build: Build, targets: Path) -> Floats:
    """The base mesh with a build, shape (n, 3).

    Args:
        base: The base mesh as it is.
        build: The build.
        targets: MPFB's folder of targets.
    """
    found = base.copy()
    shares = {**_macro_shares(build), **build.details}
    for name, share in shares.items():
        path = targets / f"{name}.target.gz"
        # A mix of average features is the base mesh itself and has no file.
        if share and (path.is_file() or name in build.details):
            found += share * read_target(path, len(base))
    return np.asarray(found)


def _macro_shares(build: Build) -> dict[str, float]:
    """Share of each target that stands for a mix of broad features."""
    gender = {"female": 1 - build.gender, "male": build.gender}
    age = {"young": 2 - 2 * build.age, "old": 2 * build.age - 1}
    muscle = _three(build.muscle, "muscle")
    weight = _three(build.weight, "weight")
    height = _three(build.height, "height")
    cup = _three(build.cup, "cup")
    uncommon, _, ideal = _three(build.proportions, "proportions").values()
    proportions = {"uncommonproportions": uncommon, "idealproportions": ideal}
    firmness = {"averagefirmness": 1.0}
    frame = (gender, age, muscle, weight)
    return {
        **_products("macrodetails/{}-{}-{}", build.origins, gender, age),
        **_products("macrodetails/universal-{}-{}-{}-{}", *frame),
        **_products("macrodetails/height/{}-{}-{}-{}-{}", *frame, height),
        **_products("macrodetails/proportions/{}-{}-{}-{}-{}", *frame, proportions),
        **_products("breast/{}-{}-{}-{}-{}-{}", *frame, cup, firmness),
    }


def _three(value: float, feature: str) -> dict[str, float]:
    low, high = max(0.0, 1 - 2 * value), max(0.0, 2 * value - 1)
    names = (f"min{feature}", f"average{feature}", f"max{feature}")
    return dict(zip(names, (low, 1 - low - high, high), strict=True))


def _products(pattern: str, *features: Mapping[str, float]) -> dict[str, float]:
    return {
        pattern.format(*(name for name, _ in mix)): float(np.prod([share for _, share in mix]))
        for mix in product(*(feature.items() for feature in features))
    }
