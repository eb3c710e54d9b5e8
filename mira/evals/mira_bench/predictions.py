"""Files of predictions: one JSON object a line, or a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import orjson

from mira.errors import PredictionError
from mira.evals.mira_bench.reply_sheet import is_sheet, numbered_rows
from mira.schema.evaluation import Prediction, PredictionStatus
from mira.store.atomic import write_file

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UNHEARD = ("failed", "unparsable", "refused", "abstained", "truncated")
"""Statuses that stand without any text."""


def read_predictions(
    path: Path, *, question_ids: Collection[str], asked: str = "release"
) -> tuple[Prediction, ...]:
    """Predictions of a file, in its order.

    A line has `question_id` (or `id`) and at least one of `answer` and `raw_text` (or `raw`);
    `answer` wins. `status` and `confidence` may be given; other fields are not read.

    Args:
        path: UTF-8 JSON lines, with or without a byte order mark; blank lines are skipped. A file
            named `.csv` is a table with columns of these names.
        question_ids: All questions of the release, whichever of them are scored.
        asked: What errors call that which holds the questions.

    Raises:
        PredictionError: The file cannot be read, or a line is no prediction, names an unknown
            question or one that came before. The first fault is told, with the number of others.
    """
    known = frozenset(question_ids)
    first_lines: dict[str, int] = {}
    predictions: list[Prediction] = []
    faults: list[PredictionError] = []
    entries = numbered_rows(path) if is_sheet(path) else numbered_lines(path)
    for number, entry in entries:
        where = f"{path}:{number}"
        try:
            prediction = (
                parse_prediction(entry, where=where)
                if isinstance(entry, bytes)
                else prediction_of_fields(entry, where=where)
            )
            _require_new(
                prediction.question_id, where, known=known, first_lines=first_lines, asked=asked
            )
        except PredictionError as fault:
            faults.append(fault)
            continue
        first_lines[prediction.question_id] = number
        predictions.append(prediction)
    if faults:
        raise _first_of(faults)
    return tuple(predictions)


def parse_prediction(line: bytes, *, where: str) -> Prediction:
    """One prediction from its line.

    Args:
        line: One JSON object.
        where: Named in the error, as `file:line`.

    Raises:
        PredictionError: The line is no JSON object, or a field is missing or of a wrong kind.
    """
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise PredictionError(where, f"expected one JSON object, found a fault: {error}") from None
    if not isinstance(fields, dict):
        raise PredictionError(where, f"expected one JSON object, found {_shown(fields)}")
    return prediction_of_fields(fields, where=where)


def prediction_of_fields(fields: dict[str, Any], *, where: str) -> Prediction:
    """One prediction from its fields by name.

    Raises:
        PredictionError: A field is missing or of a wrong kind.
    """
    question_id = _text(fields, ("question_id", "id"), where)
    if question_id is None:
        raise PredictionError(f"{where}: question_id", "expected text, found nothing")
    status = _status(fields, where)
    answer = _text(_with_number_as_text(fields), ("answer",), where)
    raw_text = _text(fields, ("raw_text", "raw"), where)
    if answer is None and raw_text is None and status not in _UNHEARD:
        raise PredictionError(
            f"{where}: answer",
            "expected answer or raw_text, found neither",
            'a call that failed is {"status": "failed"}',
        )
    return Prediction(
        question_id=question_id,
        raw_text=raw_text,
        repair_text=_text(fields, ("repair_text",), where),
        answer=answer,
        status=status,
        confidence=_confidence(fields, where),
        question_sha8=_text(fields, ("question_sha8",), where),
    )


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write predictions as JSON lines, whole or not at all; equal ones give equal bytes.

    Raises:
        MiraError: The disk is full or the folder cannot be written.
    """
    lines = (
        orjson.dumps(
            prediction.model_dump(mode="json", exclude_none=True),
            option=orjson.OPT_APPEND_NEWLINE,
        )
        for prediction in predictions
    )
    write_file(path, b"".join(lines))


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines of a file that are not blank, with their numbers from 1.

    Raises:
        PredictionError: The file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
                if text.strip():
                    yield number, text
    except OSError as error:
        raise PredictionError(path, f"cannot be read: {error.strerror}") from None


def _require_new(
    question_id: str,
    where: str,
    *,
    known: frozenset[str],
    first_lines: dict[str, int],
    asked: str,
) -> None:
    field = f"{where}: question_id"
    if question_id not in known:
        raise PredictionError(
            field,
            f"expected a question of this {asked}, found {_shown(question_id)}",
            f"score it on the {asked} it was made for",
        )
    if question_id in first_lines:
        raise PredictionError(
            field,
            f"expected one prediction a question, found {_shown(question_id)} "
            f"on line {first_lines[question_id]} already",
        )


def _text(fields: dict[str, Any], names: tuple[str, ...], where: str) -> str | None:
    """The text under one of several names; None when it is nowhere, or null."""
    given = {name: fields[name] for name in names if fields.get(name) is not None}
    for name, value in given.items():
        if not isinstance(value, str):
            raise PredictionError(f"{where}: {name}", f"expected text, found {_shown(value)}")
    if len(set(given.values())) > 1:
        both = " and ".join(given)
        raise PredictionError(f"{where}: {names[0]}", f"expected one, found {both} that differ")
    return next(iter(given.values()), None)


def _with_number_as_text(fields: dict[str, Any]) -> dict[str, Any]:
    """Counts are answers too, and come as JSON numbers."""
    answer = fields.get("answer")
    return {**fields, "answer": str(answer)} if type(answer) is int else fields


def _status(fields: dict[str, Any], where: str) -> PredictionStatus:
    status = fields.get("status")
    if status is None:
        return "parsed"
    known: tuple[PredictionStatus, ...] = get_args(PredictionStatus)
    for name in known:
        if status == name:
            return name
    raise PredictionError(
        f"{where}: status", f"expected one of {', '.join(known)}, found {_shown(status)}"
    )


def _confidence(fields: dict[str, Any], where: str) -> float | None:
    value = fields.get("confidence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise PredictionError(
            f"{where}: confidence", f"expected a number from 0 to 1, found {_shown(value)}"
        )
    return float(value)


def _first_of(faults: list[PredictionError]) -> PredictionError:
    first, others = faults[0], len(faults) - 1
    if not others:
        return first
    lines = "line" if others == 1 else "lines"
    problem = f"{first.problem}; {others} more {lines} at fault"
    return PredictionError(first.where, problem, first.fix)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
