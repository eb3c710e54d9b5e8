"""Files of the PCM-LLM study: 4,000 logged games, as published or packed into two files.

Published (github.com/tonglinyan/PCM-LLM): `RawData/Simulation_results/real_*.csv`, a file a
quantity, a row a game: settings, then what it was at the start and after each of ten rounds.
Packed: the settings in `meta.csv.gz`, the quantities in `series.npz`, row by row the same games.
"""

from __future__ import annotations

import csv
import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.errors import EpisodeError
from mira.schema.record import FileRef
from mira.store.atomic import file_ref

FloatArray = NDArray[np.float64]
ROUNDS = 10
_COLUMNS = tuple(str(k) for k in range(ROUNDS + 1))
_MOST_BYTES = 200_000_000
_UNNAMED = ""
_ARRAY_FAULTS = (
    *(KeyError, ValueError, TypeError, OSError, EOFError, MemoryError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, struct.error),
)
"""What numpy and zipfile make of bytes that are no arrays, or arrays of another program."""


class Quantity(NamedTuple):
    """What is logged of every round of a game."""

    name: str
    """Ours."""
    file: str
    """Stem of the published file, after `real_`."""
    packed: str | None
    """Key in the packed file; None where it lacks it."""


QUANTITIES = (
    Quantity("subject_x", "position_position_subject_x", "sx"),
    Quantity("subject_z", "position_position_subject_z", "sz"),
    Quantity("participant_x", "position_position_participant_x", "px"),
    Quantity("participant_z", "position_position_participant_z", "pz"),
    Quantity("box_0_x", "position_position_dark_brown_box_x", "dx"),
    Quantity("box_0_z", "position_position_dark_brown_box_z", "dz"),
    Quantity("box_1_x", "position_position_light_brown_box_x", "lx"),
    Quantity("box_1_z", "position_position_light_brown_box_z", "lz"),
    Quantity("gaze_0", "agent_data_certainty_subject_dark_brown_box", "gd"),
    Quantity("gaze_1", "agent_data_certainty_subject_light_brown_box", "gl"),
    Quantity("facial", "agent_data_valence_subject_facial", "e"),
    Quantity("physiological", "agent_data_valence_subject_physiological", None),
    Quantity("felt", "agent_data_valence_subject_felt", None),
    Quantity("subject_other", "agent_data_preference_subject_participant", None),
    Quantity("subject_0", "agent_data_preference_subject_dark_brown_box", None),
    Quantity("subject_1", "agent_data_preference_subject_light_brown_box", None),
    Quantity("participant_other", "part_data_preference_participant_subject", None),
    Quantity("participant_0", "part_data_preference_participant_dark_brown_box", None),
    Quantity("participant_1", "part_data_preference_participant_light_brown_box", None),
)
"""Those that metrics need, then those that only the published files have."""


class PcmLogs(NamedTuple):
    """Games as they were logged."""

    settings: list[dict[str, str]]
    """Columns that are no rounds, a game each."""
    series: dict[str, FloatArray]
    """Quantities by our names, shape (games, 11), the state before round 1 first."""
    files: tuple[FileRef, ...]
    """What was read."""


def read_pcm_logs(folder: Path) -> PcmLogs:
    """The games of a folder, published or packed.

    Raises:
        EpisodeError: It holds neither, or files that do not belong together.
    """
    if not folder.is_dir():
        raise EpisodeError(folder, "expected a folder of PCM-LLM logs, found none")
    if (folder / "series.npz").is_file():
        return _read_packed(folder)
    for inner in (folder, folder / "RawData" / "Simulation_results", folder / "Simulation_results"):
        if (inner / f"real_{QUANTITIES[0].file}.csv").is_file():
            return _read_published(inner, folder)
    raise EpisodeError(
        folder,
        "expected series.npz with meta.csv.gz, or RawData/Simulation_results, found neither",
    )


def _read_packed(folder: Path) -> PcmLogs:
    meta, packed = folder / "meta.csv.gz", folder / "series.npz"
    rows = list(_rows(meta, _unzipped(meta)))
    series = _arrays(packed)
    for name, array in series.items():
        if array.shape != (len(rows), ROUNDS + 1):
            wanted = f"({len(rows)}, {ROUNDS + 1})"
            raise EpisodeError(packed, f"{name}: expected shape {wanted}, found {array.shape}")
    files = tuple(file_ref(path, relative_to=folder) for path in (meta, packed))
    return PcmLogs(rows, series, files)


def _unzipped(path: Path) -> bytes:
    try:
        with gzip.open(io.BytesIO(_bytes(path))) as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise EpisodeError(path, f"expected compressed text: {error}") from None
    _require_size(path, len(data))
    return data


def _arrays(path: Path) -> dict[str, FloatArray]:
    data = _bytes(path)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as members:
            _require_size(path, sum(member.file_size for member in members.infolist()))
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return {
                one.name: np.asarray(arrays[one.packed], np.float64)
                for one in QUANTITIES
                if one.packed is not None
            }
    except _ARRAY_FAULTS as error:
        raise EpisodeError(path, f"expected an array of numbers a quantity: {error}") from None


def _read_published(inner: Path, folder: Path) -> PcmLogs:
    settings: list[dict[str, str]] = []
    series: dict[str, FloatArray] = {}
    files = []
    for one in QUANTITIES:
        path = inner / f"real_{one.file}.csv"
        if one.packed is None and not path.is_file():
            continue
        rows = list(_rows(path, _bytes(path)))
        told = [{k: v for k, v in row.items() if k not in _COLUMNS} for row in rows]
        if settings and told != settings:
            raise EpisodeError(path, "expected the games of the other files, found others")
        settings = told
        try:
            series[one.name] = np.array(
                [[float(row[column] or "nan") for column in _COLUMNS] for row in rows], np.float64
            ).reshape(len(rows), ROUNDS + 1)
        except (KeyError, ValueError) as error:
            raise EpisodeError(path, f"expected numbers in columns 0 to 10: {error}") from None
        files.append(file_ref(path, relative_to=folder))
    return PcmLogs(settings, series, tuple(files))


def _bytes(path: Path) -> bytes:
    try:
        _require_size(path, path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise EpisodeError(path, f"cannot be read: {error.strerror}") from None


def _require_size(path: Path, size: int) -> None:
    if size > _MOST_BYTES:
        raise EpisodeError(path, f"expected at most {_MOST_BYTES:,} bytes, found more")


def _rows(path: Path, data: bytes) -> Iterator[dict[str, str]]:
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig")))
        for number, row in enumerate(reader, start=2):
            if None in row or None in row.values():
                raise EpisodeError(f"{path}:{number}", "expected a cell a column, found others")
            yield {key: value for key, value in row.items() if key != _UNNAMED}
    except (UnicodeDecodeError, csv.Error) as error:
        raise EpisodeError(path, f"expected comma-separated text: {error}") from None
