"""A COCO file as one document for each of its pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotate.coco.field_names import CocoLog
from annotate.coco.shapes import has_area, key_of, shapes_of
from annotate.findings import FindingLog, UnusableFileError, brief
from annotate.names import relative_path
from annotate.reading.document import Document, PictureDocument
from annotate.reading.labels import role_of

Json = dict[str, Any]
Placed = tuple[int, Json]
"""An annotation with its place in the file."""

_LISTS = ("images", "annotations", "categories")
_OTHERS = {
    "segments_info": "panoptic segments",
    "caption": "captions",
    "keypoints": "key points",
    "category_id": "labels of whole pictures",
}
"""What an annotation without an area is, by the first of these keys that it has."""
_CHECKED = {"done": True, "draft": False, "failed": "failed"}


def is_coco(data: Any) -> bool:
    """Whether a JSON value is a COCO file's."""
    return (
        isinstance(data, dict) and "shapes" not in data and {"images", "annotations"} <= data.keys()
    )


def coco_documents(data: Json, path: Path, log: FindingLog) -> list[PictureDocument]:
    """The documents of the pictures that a COCO file lists.

    Args:
        data: The file's JSON.
        path: The file.
        log: Takes what concerns no picture of the file.

    Raises:
        UnusableFileError: It lists no picture, its annotations have no areas, or several people
            drew on one picture.
    """
    for key in _LISTS:
        if not isinstance(data.get(key), list):
            problem = f"expected a list, found {brief(data.get(key))}"
            raise UnusableFileError(log.path, key, problem, code="coco-invalid")
    annotations = list(_objects(data["annotations"], log))
    _require_areas(annotations, log)
    categories = _categories(data["categories"], log)
    images = dict(_images(data["images"], log))
    if not images:
        problem = f"expected a picture, found none in {len(data['images'])}"
        raise UnusableFileError(log.path, "images", problem, code="coco-invalid")
    by_image = _by_image(annotations, images.keys(), log)
    for drawn in by_image.values():
        _require_one_annotator(drawn, log)
    others = {key: value for key, value in data.items() if key not in _LISTS}
    return [
        _picture(path, place, image, by_image.get(key, []), categories, others)
        for key, (place, image) in images.items()
    ]


def _picture(
    path: Path,
    place: int,
    image: Json,
    annotations: Sequence[Placed],
    categories: dict[Any, Any],
    others: Json,
) -> PictureDocument:
    drawn = [placed for placed in annotations if has_area(placed[1])]
    log = CocoLog(path, image=f"images[{place}]", annotations=drawn)
    _note_others(annotations, log)
    shapes = shapes_of(drawn, categories)
    _note_boxes_and_crowds(shapes, log)
    rest = {k: v for k, v in image.items() if k not in {"file_name", "width", "height"}}
    data = {
        **others,
        "image": rest,
        "imagePath": image["file_name"],
        "imageWidth": image.get("width"),
        "imageHeight": image.get("height"),
        "checked": _checked(image.get("annotated_by")),
        "shapes": shapes,
    }
    named = relative_path(image["file_name"])
    stem = Path(named.name).stem if named else path.stem
    return PictureDocument(Document("coco", None, data), path.parent / f"{stem}.json", log)


def _objects(annotations: Sequence[Any], log: FindingLog) -> Iterator[Placed]:
    for place, annotation in enumerate(annotations):
        if isinstance(annotation, dict):
            yield place, annotation
        else:
            message = f"expected an object, found {brief(annotation)}"
            log.error("shape-invalid", f"annotations[{place}]", message)


def _require_areas(annotations: Sequence[Placed], log: FindingLog) -> None:
    """Refuse a file in which nothing has an area; one without annotations gets a warning."""
    if not annotations:
        log.warning("coco-unannotated", "annotations", "expected annotations, found none")
    elif not any(has_area(annotation) for _, annotation in annotations):
        found = _listed(annotation for _, annotation in annotations)
        problem = f"expected outlines or boxes (`segmentation`, `bbox`), found {found}"
        raise UnusableFileError(log.path, "annotations", problem, code="coco-not-read")


def _listed(annotations: Iterator[Json]) -> str:
    kinds = Counter(
        next((kind for key, kind in _OTHERS.items() if key in annotation), "nothing of the kind")
        for annotation in annotations
    )
    return ", ".join(f"{count} x {kind}" for kind, count in kinds.items())


def _categories(categories: Sequence[Any], log: FindingLog) -> dict[Any, Any]:
    """Names by id; the first of an id counts."""
    names: dict[Any, Any] = {}
    for place, category in enumerate(categories):
        key = key_of(category.get("id")) if isinstance(category, dict) else None
        if key is None:
            message = f"expected an object with an id, found {brief(category)}"
            log.error("coco-invalid", f"categories[{place}]", message)
        elif key in names:
            message = f"expected another id than those before, found {key!r}; not taken"
            log.error("coco-id-duplicate", f"categories[{place}].id", message)
        else:
            names[key] = category.get("name")
    return names


def _images(images: Sequence[Any], log: FindingLog) -> Iterator[tuple[Any, Placed]]:
    """The usable images by id, with their places in the file; the first of an id counts."""
    seen = set()
    for place, image in enumerate(images):
        where = f"images[{place}]"
        if not isinstance(image, dict):
            log.error("coco-invalid", where, f"expected an object, found {brief(image)}")
            continue
        key, name = key_of(image.get("id")), image.get("file_name")
        if key is None:
            message = f"expected a number or text, found {brief(image.get('id'))}"
            log.error("coco-invalid", f"{where}.id", message)
        elif key in seen:
            message = f"expected another id than those before, found {key!r}; left out"
            log.error("coco-id-duplicate", f"{where}.id", message)
        elif not isinstance(name, str) or relative_path(name) is None:
            message = f"expected a picture's name, found {brief(name)}"
            log.error("coco-invalid", f"{where}.file_name", message)
        else:
            seen.add(key)
            yield key, (place, image)


def _by_image(
    annotations: Sequence[Placed], images: Any, log: FindingLog
) -> dict[Any, list[Placed]]:
    found: dict[Any, list[Placed]] = {}
    strays: list[Placed] = []
    for placed in annotations:
        key = key_of(placed[1].get("image_id"))
        (found.setdefault(key, []) if key in images else strays).append(placed)
    if strays:
        place, first = strays[0]
        message = f"expected the id of a picture, found {brief(first.get('image_id'))}"
        more = f" (and {len(strays) - 1} more such annotations)" if len(strays) > 1 else ""
        log.error("coco-image-unknown", f"annotations[{place}].image_id", message + more)
    return found


def _require_one_annotator(annotations: Sequence[Placed], log: FindingLog) -> None:
    """Refuse a file with what several people drew on one picture, as our export writes it."""
    first: Any = None
    for place, annotation in annotations:
        name = annotation.get("annotator")
        if not isinstance(name, str) or name == first:
            continue
        if first is not None:
            problem = f"expected one annotator of a picture, found {first!r} and {name!r}"
            code, fix = "picture-annotated-twice", "export and import them one by one"
            where = f"annotations[{place}].annotator"
            raise UnusableFileError(log.path, where, problem, code=code, fix=fix)
        first = name


def _checked(annotated_by: Any) -> Any:
    """What X-AnyLabeling would say of a picture whose only annotator's status is given."""
    statuses = list(annotated_by.values()) if isinstance(annotated_by, dict) else []
    return (
        _CHECKED.get(statuses[0]) if len(statuses) == 1 and isinstance(statuses[0], str) else None
    )


def _note_others(annotations: Sequence[Placed], log: FindingLog) -> None:
    others = [placed for placed in annotations if not has_area(placed[1])]
    if others:
        found = _listed(annotation for _, annotation in others)
        message = f"expected an outline or a box, found {found}; left out"
        log.error("coco-without-area", f"annotations[{others[0][0]}]", message)


def _note_boxes_and_crowds(shapes: Sequence[Json], log: FindingLog) -> None:
    boxes = [place for place, shape in enumerate(shapes) if shape["shape_type"] == "rectangle"]
    if boxes:
        message = f"expected outlines, found {len(boxes)} boxes alone; read as they are"
        log.warning("box-as-area", f"shapes[{boxes[0]}].bbox", message)
    crowds = [
        place
        for place, shape in enumerate(shapes)
        if shape.get("iscrowd") and role_of(shape["label"]) in {"direct", "reflected"}
    ]
    if crowds:
        message = f"expected single objects, found {len(crowds)} crowds; each is read as one"
        log.warning("crowd-as-one", f"shapes[{crowds[0]}].iscrowd", message)
