"""Every record of the data model survives being written and read, whatever it holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime

from mira.schema import (
    annotation,
    capture,
    evaluation,
    export,
    finding,
    qa,
    record,
    session,
    truth,
)
from mira.schema.annotation import Correspondence, ImageAnnotation, Instance, Surface
from mira.schema.capture import FrameTiming, RigidTransform, ViewFrame
from mira.schema.evaluation import Score
from mira.schema.qa import ItemEdit
from mira.schema.record import FileRef, Record
from mira.schema.session import JournalEntry

RECORDS = sorted(
    {
        found
        for module in (
            annotation,
            capture,
            evaluation,
            export,
            finding,
            qa,
            record,
            session,
            truth,
        )
        for found in vars(module).values()
        if isinstance(found, type)
        and issubclass(found, Record)
        and found.__module__ == module.__name__
        and found not in (Record, record.RootRecord)
    },
    key=lambda found: found.__name__,
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    Any: ANY_JSON,
    None: st.none(),
    bool: st.booleans(),
    str: st.text(max_size=8),
    type(None): st.none(),
    AwareDatetime: st.datetimes(timezones=st.just(UTC)),
    datetime: st.datetimes(timezones=st.just(UTC)),
}


def values(kind: Any, bounds: list[Any]) -> st.SearchStrategy[Any]:
    """Values of a field's type within its bounds."""
    arguments = get_args(kind)
    if kind in (int, float):
        return numbers(kind, bounds)
    if kind in LEAVES:
        return LEAVES[kind]
    if isinstance(kind, type) and issubclass(kind, Record):
        return records(kind)
    if get_origin(kind) is Annotated:
        return values(arguments[0], [*bounds, *lengths(arguments[1:])])
    if get_origin(kind) is Literal:
        return st.sampled_from(arguments)
    if get_origin(kind) is dict:
        keys = st.text(max_size=4) if arguments[0] is str else values(arguments[0], [])
        return st.dictionaries(keys, values(arguments[1], []), max_size=2)
    if get_origin(kind) is tuple and arguments[1:] == (...,):
        low = max((bound.min_length for bound in bounds if hasattr(bound, "min_length")), default=0)
        inner = [bound for bound in bounds if not hasattr(bound, "min_length")]
        return st.lists(values(arguments[0], inner), min_size=low, max_size=low + 2).map(tuple)
    if get_origin(kind) is tuple:
        return st.tuples(*(values(part, []) for part in arguments))
    assert get_origin(kind) in (Union, UnionType), kind
    return st.one_of(*(values(part, bounds) for part in arguments))


def lengths(metadata: tuple[Any, ...]) -> list[Any]:
    """Bounds on lengths in what an `Annotated` says."""
    inner = [bound for item in metadata for bound in getattr(item, "metadata", [item])]
    return [bound for bound in inner if hasattr(bound, "min_length")]


def numbers(kind: type, bounds: list[Any]) -> st.SearchStrategy[Any]:
    """Numbers that JSON holds exactly."""
    limits: dict[str, Any] = {}
    for bound in bounds:
        limits |= {key: getattr(bound, key) for key in ("gt", "ge", "le") if hasattr(bound, key)}
    if kind is float:
        return st.floats(
            limits.get("gt", limits.get("ge")),
            limits.get("le"),
            exclude_min="gt" in limits,
            allow_nan=False,
            allow_infinity=False,
        )
    low = limits["gt"] + 1 if "gt" in limits else limits.get("ge", -(2**53))
    return st.integers(low, limits.get("le", 2**53))


@cache
def records(kind: type[Record]) -> st.SearchStrategy[Record]:
    """Records of one class; `schema_version` is left to the class."""
    return BY_HAND[kind]() if kind in BY_HAND else built(kind)


def built(kind: type[Record], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Records whose fields hold anything of their type, but for those that are given."""
    fields = {
        name: values(field.annotation, field.metadata)
        for name, field in kind.model_fields.items()
        if name != "schema_version" and name not in given
    }
    return st.builds(kind, **fields, **given)


def transforms() -> st.SearchStrategy[RigidTransform]:
    """Rotations by unit quaternions."""

    def rotated(q: tuple[float, ...]) -> st.SearchStrategy[RigidTransform]:
        w, x, y, z = (part / math.hypot(*q) for part in q)
        rotation = (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        return built(RigidTransform, rotation=st.just(rotation))

    part = st.floats(-1, 1)
    return st.tuples(part, part, part, part).filter(lambda q: math.hypot(*q) > 0.1).flatmap(rotated)


@st.composite
def timings(draw: st.DrawFn) -> FrameTiming:
    color, depth = draw(st.floats(0, 2e12)), draw(st.floats(0, 2e12))
    one_clock = draw(st.booleans())
    return FrameTiming(
        color_frame=draw(st.integers(0, 2**40)),
        depth_frame=draw(st.integers(0, 2**40)),
        color_ms=color,
        depth_ms=depth,
        color_domain="global_time",
        depth_domain="global_time" if one_clock else "hardware_clock",
        dt_ms=abs(color - depth) if one_clock else None,
    )


@st.composite
def annotations(draw: st.DrawFn) -> ImageAnnotation:
    """One surface, a real object, its reflection and a reflection of that."""
    whole = draw(
        built(ImageAnnotation, surfaces=st.just(()), instances=st.just(()), links=st.just(()))
    )
    surface = draw(built(Surface, surface_id=st.just(9)))
    seen = {1: "direct", 2: "reflected", 3: "reflected"}
    instances = tuple(
        draw(
            built(
                Instance,
                instance_id=st.just(k),
                visibility=st.just(visibility),
                seen_in=st.just(() if k == 1 else (9,)),
            )
        )
        for k, visibility in seen.items()
    )
    ends = {2: 1, 3: 2}
    links = tuple(
        draw(
            built(
                Correspondence,
                reflected_id=st.just(k),
                real_id=st.just(1),
                reflection_of_id=st.just(of),
            )
        )
        for k, of in ends.items()
    )
    fields = {"surfaces": (surface,), "instances": instances, "links": links}
    return ImageAnnotation.model_validate({**dict(whole), **fields})


BY_HAND: dict[type[Record], Callable[[], st.SearchStrategy[Any]]] = {
    FileRef: lambda: built(
        FileRef, path=st.from_regex(r"[a-z0-9 _.é-]{0,8}[a-z](/[a-z.]{0,5}[a-z])?", fullmatch=True)
    ),
    ImageAnnotation: annotations,
    RigidTransform: transforms,
    FrameTiming: timings,
    JournalEntry: lambda: st.one_of(
        built(JournalEntry, event=st.just("failed"), reason=st.text(max_size=8)),
        built(JournalEntry, event=st.sampled_from(["planned", "started"]), reason=st.none()),
    ),
    ViewFrame: lambda: st.one_of(
        built(ViewFrame, depth_kind=st.none(), depth_unit_m=st.none(), depth_scope=st.none()),
        built(ViewFrame, depth_kind=st.just("normalised"), depth_unit_m=st.none()),
        built(
            ViewFrame,
            depth_kind=st.just("metric"),
            depth_unit_m=st.floats(1e-6, 0.1),
            depth_scope=st.none(),
        ),
    ),
    ItemEdit: lambda: built(ItemEdit, options=st.just(())),
    Score: lambda: st.one_of(
        built(Score, value=st.floats(-9, 1), unscored_reason=st.none()),
        built(Score, value=st.none(), unscored_reason=st.text(max_size=8)),
    ),
}
"""Records whose fields depend on each other."""


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_record_survives_dump_and_load(kind: type[Record], data: st.DataObject) -> None:
    original = data.draw(records(kind))
    text = orjson.dumps(original.model_dump(mode="json"))
    assert kind.model_validate(orjson.loads(text)) == original
