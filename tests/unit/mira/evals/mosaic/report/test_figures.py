"""Places in the figures of the report."""

from __future__ import annotations

from mosaic_trials import store_trials

from mira.evals.mosaic.evaluating import evaluate
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.report.figures import conformance_dots
from mira.evals.mosaic.sources import read_runs


def test_no_run_hides_another(make_trial, tmp_path):
    roots = [store_trials(tmp_path / name, [make_trial()]).root for name in "abc"]
    scores = evaluate(read_runs(roots), MosaicPolicy(), seed=0).scores
    (_, dots), *_ = conformance_dots(scores)
    assert [one.number for one in dots] == [1, 2, 3]
    assert len({one.x for one in dots}) == 3
    assert len({one.y for one in dots}) == 1
