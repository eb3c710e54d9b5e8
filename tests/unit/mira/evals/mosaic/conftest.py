"""What tests of MOSAIC share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mosaic_trials import make_mosaic_trial

from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.trials import Trial


@pytest.fixture(scope="session")
def make_trial() -> Callable[..., Trial]:
    """Makes a trial."""
    return make_mosaic_trial


@pytest.fixture(scope="session")
def policy() -> MosaicPolicy:
    """The thresholds by default."""
    return MosaicPolicy()
