"""The table `flat`: questions of one protocol with their pictures rendered, each row by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from export.building.cuts import cuts_by_size, shards_of
from export.building.places import question_at
from export.building.records import FlatForm, FlatPlan, Shard
from export.building.statistics import Statistics
from export.plan import ReleasePlan
from export.rendered import ASKED_COLUMNS, RenderedScene
from mira.errors import ExportError
from mira.release.columns import FLAT_CONFIG
from mira.release.reader import Row
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy

_KEPT = ("question_sha8", "count_max", "joint_group", "answer_source", "review")


def plan_flat(workspace: Workspace, release: ReleasePlan, form: FlatForm) -> FlatPlan:
    """Which questions are asked in a form.

    Args:
        workspace: Its questions are looked through.
        release: What goes out.
        form: How questions point and what is shown.

    Raises:
        ExportError: None is.
    """
    pictures = {one.image_id: one for some in release.pictures.values() for one in some}
    shows_depth = taxonomy().modality(form.modality).depth
    places: dict[str, list[int]] = {}
    without_depth = 0
    for item in workspace.item_heads():
        picture = pictures.get(item.image_id)
        if picture is None or form.protocol not in item.protocols or not release.takes(item):
            continue
        if shows_depth and not picture.has_depth:
            without_depth += 1
        else:
            places.setdefault(item.image_id, []).append(item.first_byte)
    if not places:
        lost = f"; {without_depth:,} are about pictures without depth" if without_depth else ""
        problem = f"expected questions in protocol {form.protocol!r}, found none{lost}"
        raise ExportError("--flat", problem)
    items = {image_id: tuple(some) for image_id, some in places.items()}
    return FlatPlan(**form.model_dump(), items=items, without_depth=without_depth)


def cut_flat(release: ReleasePlan, flat: FlatPlan) -> Iterator[Shard]:
    """The files of the table."""
    is_drawn = taxonomy().protocol(flat.protocol).drawn_box
    for split, pictures in release.pictures.items():
        rows = [len(flat.items.get(picture.image_id, ())) for picture in pictures]
        # A picture on which nothing is drawn is stored once for all questions about it.
        sizes = [
            picture.size_bytes * (count if is_drawn else bool(count))
            for picture, count in zip(pictures, rows, strict=True)
        ]
        yield from shards_of(FLAT_CONFIG, split, cuts_by_size(sizes, every=1), rows)


def flat_rows(
    scene: Row, places: Sequence[int], workspace: Workspace, flat: FlatPlan, counted: Statistics
) -> Iterator[Row]:
    """The rows about one picture.

    Args:
        scene: Its row of `scenes`.
        places: Where its items start.
        workspace: Holds them.
        flat: How they are asked.
        counted: Takes in what is counted on the way.
    """
    shown = RenderedScene(scene, modality=flat.modality)
    for place in places:
        row = question_at(workspace, place, scene["image_id"], flat.protocol)
        counted.count_questions([row])
        yield {
            **{name: row[name] for name in (*ASKED_COLUMNS, *_KEPT)},
            "modality": flat.modality,
            "source": scene["source"],
            "licence": scene["licence"],
            "consent": scene["consent"],
            **shown.of(row),
        }
