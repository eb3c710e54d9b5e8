"""Logs of the PCM-LLM study as trials: what they score, in both forms, and faults in them."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.errors import EpisodeError
from mira.evals.mosaic.pcm_files import QUANTITIES
from mira.evals.mosaic.pcm_llm import import_pcm_llm, pcm_groups, write_pcm_run
from mira.evals.mosaic.policy import MosaicPolicy
from mira.evals.mosaic.scoring import score_trial
from mira.evals.mosaic.sources import read_runs

LOGS = Path(__file__).parents[6] / "shared" / "data" / "pcm_llm_mosaic"
needs_logs = pytest.mark.skipif(not LOGS.is_dir(), reason="the logs are not on this machine")
CONDITIONS = ("coop-tom0", "coop-tom1", "comp-tom0", "comp-tom1")


@pytest.fixture(scope="module")
def scored():
    """All 4,000 games with their scores."""
    policy = MosaicPolicy()
    return [(one, score_trial(one, policy)) for one in import_pcm_llm(LOGS, where={}).trials]


def means(scored, name):
    by_condition = defaultdict(list)
    for _, score in scored:
        by_condition[score.condition].append(getattr(score, name))
    return [round(float(np.mean(by_condition[one])), 3) for one in CONDITIONS]


@needs_logs
def test_all_games_have_the_trajectories_that_their_study_lets_one_expect(scored):
    assert len(scored) == 4000
    assert means(scored, "tas") == [0.813, 0.927, 0.839, 0.911]


@needs_logs
def test_games_with_words_and_bodies_reproduce_what_is_known_of_them(scored):
    settings = ("VerbalMode=Verbal_NonVerbal ", "LLMHypothesis=0 ")
    chosen = [pair for pair in scored if all(one in pair[0].episode.task for one in settings)]
    counts = [sum(score.condition == one for _, score in chosen) for one in CONDITIONS]
    assert counts == [372, 378, 352, 362]
    assert means(chosen, "tas") == [1, 1, 1, 1]
    assert means(chosen, "gas") == [0.984, 0.854, 0.972, 0.403]
    right = [
        (trial, score.model_copy(update={"s": score.participant_score == 1}))
        for trial, score in chosen
    ]
    assert means(right, "s") == [0.952, 0.889, 0.923, 0.453]
    where = {"VerbalMode": "Verbal_NonVerbal", "LLMHypothesis": "0"}
    assert import_pcm_llm(LOGS, where=where).n == len(chosen)


@needs_logs
def test_the_licence_and_what_was_read_go_with_the_run():
    found = import_pcm_llm(LOGS, where={"LLMHypothesis": "2"})
    assert found.run.licence == "CC-BY-4.0"
    assert "Rudrauf" in found.run.provenance.parameters["attribution"]
    assert [one.path for one in found.run.provenance.inputs] == ["meta.csv.gz", "series.npz"]
    assert import_pcm_llm(LOGS, where={}).other_scores == 307


# Logs made by hand


SETTINGS = {
    "VirtualAgentRole": ["Partner", "Adversary", "Partner"],
    "VerbalMode": ["Verbal", "Verbal", "NonVerbal"],
    "ToM": ["0", "1", "1"],
    "FacialExpression": ["0", "1", "1"],
    "ParticipantPhysiologicalSensitivity": ["0.0"] * 3,
    "LLMHypothesis": ["0", "0", "-1"],
    "RewardBoxID": ["1", "0", "0"],
    "SelectedBox": ["1", "-1", "1"],
    "PlayerScore": ["1", "0", "1"],
    "Simulation": ["0", "1", "2"],
}


def series():
    """Three games in which the subject goes to the light box, looks at it and is glad."""
    rounds = np.tile(np.arange(11.0), (3, 1))
    made = {one.name: np.zeros((3, 11)) for one in QUANTITIES}
    made |= {"box_0_x": np.full((3, 11), 160.0), "box_1_x": np.full((3, 11), -160.0)}
    made |= {"subject_x": -16 * rounds, "subject_z": np.full((3, 11), -320.0)}
    made |= {"gaze_0": np.full((3, 11), 0.1), "gaze_1": rounds / 10, "facial": rounds / 20}
    return made | {"participant_1": np.full((3, 11), 1.026), "participant_0": 0.5 - rounds / 20}


def table(columns):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def pack(folder, *, settings=SETTINGS, arrays=None):
    folder.mkdir(exist_ok=True)
    (folder / "meta.csv.gz").write_bytes(gzip.compress(table(settings).encode()))
    arrays = series() if arrays is None else arrays
    packed = {one.packed: arrays[one.name] for one in QUANTITIES if one.packed}
    np.savez(folder / "series.npz", **packed)
    return folder


def publish(folder, names=None):
    inner = folder / "RawData" / "Simulation_results"
    inner.mkdir(parents=True)
    for one in QUANTITIES:
        if names is None or one.name in names:
            rounds = {str(k): series()[one.name][:, k] for k in range(11)}
            (inner / f"real_{one.file}.csv").write_text(table({**SETTINGS, **rounds}), "utf-8")
    return folder


def test_a_game_becomes_a_trial_in_grid_steps_with_what_its_log_tells(tmp_path):
    first, second, _ = import_pcm_llm(publish(tmp_path / "logs"), where={}).trials
    assert first.details.boxes_cells == ((2, 0), (-2, 0))
    assert first.details.model_dump(include={"mode", "choice", "subject_score"}) == {
        "mode": "cooperative",
        "choice": 1,
        "subject_score": 1,
    }
    assert (second.condition.title, second.details.participant_score) == ("Comp-ToM1", 0)
    one = first.subject[0]
    assert (one.round, one.position_cells, one.gaze_certainty) == (1, (-0.2, -4), (0.1, 0.1))
    # A preference of one half is none, and one that overshoots is cut.
    assert first.participant[-1].preference_boxes == (-1, 1)
    assert first.participant[0].preference_boxes == pytest.approx((-0.1, 1))
    assert "VerbalMode=Verbal LLMHypothesis=0" in first.episode.task


def test_packed_logs_score_as_published_ones_do(tmp_path):
    packed, published = pack(tmp_path / "packed"), publish(tmp_path / "published")
    scores = [
        [score_trial(one, MosaicPolicy()) for one in import_pcm_llm(folder, where={}).trials]
        for folder in (packed, published)
    ]
    assert scores[0] == scores[1]
    assert [one.gas for one in scores[0]] == [1, -1, -1]
    # Quantities that metrics do not need may be missing.
    fewer = publish(tmp_path / "fewer", names={one.name for one in QUANTITIES if one.packed})
    assert [one.s for one in scores[0]] == [
        score_trial(one, MosaicPolicy()).s for one in import_pcm_llm(fewer, where={}).trials
    ]


def test_a_run_on_disk_holds_the_same_trials_and_goes_on_where_it_stopped(tmp_path):
    found = import_pcm_llm(publish(tmp_path / "logs"), where={})
    store = write_pcm_run(found, tmp_path / "run")
    assert store.episode_ids() == ("pcm-0000", "pcm-0001", "pcm-0002")
    (tmp_path / "run/episodes/pcm-0001/steps.jsonl").unlink()
    kept = (tmp_path / "run/episodes/pcm-0000/episode.json").stat().st_mtime_ns
    write_pcm_run(import_pcm_llm(tmp_path / "logs", where={}), tmp_path / "run")
    assert (tmp_path / "run/episodes/pcm-0000/episode.json").stat().st_mtime_ns == kept
    (written,) = read_runs([tmp_path / "run"])
    (logged,) = pcm_groups(tmp_path / "logs", where={})
    assert written.trials == logged.trials
    assert (written.key, written.licence) == ("PCM-LLM", "CC-BY-4.0")


def test_another_selection_is_another_run(tmp_path):
    logs = pack(tmp_path / "logs")
    write_pcm_run(import_pcm_llm(logs, where={"ToM": "1"}), tmp_path / "run")
    with pytest.raises(EpisodeError, match="games: expected 2 as before, found 3"):
        write_pcm_run(import_pcm_llm(logs, where={}), tmp_path / "run")


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ({"Verbal": "x"}, "expected a setting of the logs .*, found 'Verbal'"),
        ({"VerbalMode": "x"}, "VerbalMode: expected one of NonVerbal, Verbal, found 'x'"),
        ({"ToM": "0", "VerbalMode": "NonVerbal"}, "expected one of Verbal, found 'NonVerbal'"),
    ],
)
def test_a_setting_that_no_game_has_is_named_with_those_there_are(tmp_path, where, problem):
    with pytest.raises(EpisodeError, match=problem):
        import_pcm_llm(pack(tmp_path / "logs"), where=where)


def changed(**columns):
    return {**SETTINGS, **columns}


def without(name):
    return {key: value for key, value in SETTINGS.items() if key != name}


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (without("RewardBoxID"), "game 0: expected a column 'RewardBoxID'"),
        (changed(ToM=["0", "2", "0"]), "game 1: .*tom_order"),
        (changed(SelectedBox=["1", "left", "0"]), "game 1: expected whole numbers"),
        (changed(VirtualAgentRole=["Partner", "Friend", "Partner"]), "game 1: .*mode"),
        (changed(Simulation=["0", "1", "1"]), "expected each game once"),
    ],
)
def test_a_fault_in_the_settings_names_the_game(tmp_path, settings, problem):
    with pytest.raises(EpisodeError, match=problem):
        list(import_pcm_llm(pack(tmp_path / "logs", settings=settings), where={}).trials)


def test_a_number_out_of_its_range_names_the_game(tmp_path):
    arrays = series()
    arrays["gaze_1"][2, 4] = 1.5
    with pytest.raises(EpisodeError, match=r"game 2: gaze_certainty\.1"):
        list(import_pcm_llm(pack(tmp_path / "logs", arrays=arrays), where={}).trials)
    arrays = series()
    arrays["subject_x"][1, 4] = np.nan
    with pytest.raises(EpisodeError, match=r"game 1: position_cells\.0"):
        list(import_pcm_llm(pack(tmp_path / "nan", arrays=arrays), where={}).trials)


def shorten(folder):
    arrays = {name: array[:2] for name, array in series().items()}
    pack(folder, arrays=arrays)


@pytest.mark.parametrize(
    ("mangle", "problem"),
    [
        (lambda f: (f / "series.npz").write_bytes(b"PK nothing"), "series.npz: expected an array"),
        (lambda f: (f / "series.npz").write_bytes(b""), "series.npz: expected an array"),
        (lambda f: np.savez(f / "series.npz", sx=np.zeros(3)), "series.npz: expected an array"),
        (lambda f: np.savez(f / "series.npz", sx=np.array([{}])), "series.npz: expected an array"),
        (lambda f: (f / "meta.csv.gz").write_bytes(b"x"), "meta.csv.gz: expected compressed text"),
        (
            lambda f: (f / "meta.csv.gz").write_bytes(gzip.compress(b"\xff\xfe,a\n1,2\n")),
            "meta.csv.gz: expected comma-separated text",
        ),
        (
            lambda f: (f / "meta.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2,3\n")),
            "meta.csv.gz:2: expected a cell a column",
        ),
        (lambda f: (f / "meta.csv.gz").unlink(), "meta.csv.gz: cannot be read"),
        (lambda f: (f / "series.npz").unlink(), "expected series.npz with meta.csv.gz, or RawData"),
        (shorten, r"expected shape \(3, 11\), found \(2, 11\)"),
    ],
)
def test_files_that_are_no_logs_are_refused_in_one_line(tmp_path, mangle, problem):
    folder = pack(tmp_path / "logs")
    mangle(folder)
    with pytest.raises(EpisodeError, match=problem):
        import_pcm_llm(folder, where={})


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Packed logs, compressed, with the bytes of their files."""
    folder = pack(tmp_path_factory.mktemp("packed") / "logs")
    arrays = {one.packed: series()[one.name] for one in QUANTITIES if one.packed}
    np.savez_compressed(folder / "series.npz", **arrays)
    return folder, {path.name: path.read_bytes() for path in folder.iterdir()}


@given(
    name=st.sampled_from(["meta.csv.gz", "series.npz"]),
    changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1),
    kept=st.floats(0.5, 1) | st.just(1.0),
)
def test_bytes_that_changed_or_are_gone_give_trials_or_an_error_of_ours(
    packed, name, changes, kept
):
    folder, files = packed
    data = bytearray(files[name])
    for place, value in changes:
        data[int(place * len(data))] = value
    (folder / name).write_bytes(data[: int(kept * len(data))])
    try:
        with contextlib.suppress(EpisodeError):
            assert list(import_pcm_llm(folder, where={}).trials)
    finally:
        (folder / name).write_bytes(files[name])


def test_published_files_of_other_games_or_without_numbers_are_refused(tmp_path):
    folder = publish(tmp_path / "logs") / "RawData" / "Simulation_results"
    path = folder / f"real_{QUANTITIES[3].file}.csv"
    text = path.read_text("utf-8")
    path.write_text(text.replace("Adversary", "Partner"), "utf-8")
    with pytest.raises(EpisodeError, match="expected the games of the other files"):
        import_pcm_llm(tmp_path / "logs", where={})
    path.write_text(text.replace("0.0\n", "x\n"), "utf-8")
    with pytest.raises(EpisodeError, match="expected numbers in columns 0 to 10"):
        import_pcm_llm(tmp_path / "logs", where={})
    path.unlink()
    with pytest.raises(EpisodeError, match="cannot be read"):
        import_pcm_llm(tmp_path / "logs", where={})
