"""The fixed schema of every table of a release, as `datasets` features.

Never inferred from rows: every shard of every release has these columns, in this order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mira.errors import MissingExtraError
from mira.release import episode_columns
from mira.release.episode_columns import EPISODE_CONFIGS

if TYPE_CHECKING:
    from datasets import Features

RAW_DEPTH_CONFIG = "raw_depth"
"""Table of depth on the sensor's own grid, which only those need who align it anew."""
QUESTION_CONFIGS = ("qa", "scenes", "qa_preview")
"""Tables of questions about pictures; a release has the first two or none of them."""
FLAT_CONFIG = "flat"
"""Table of questions with their pictures rendered, which stands instead of those."""
CONFIGS = (*QUESTION_CONFIGS, RAW_DEPTH_CONFIG, FLAT_CONFIG, *EPISODE_CONFIGS)
"""All tables; the first that a release has is the default of `load_dataset`."""
LATER_COLUMNS = {"qa": frozenset({"answer_words"})}
"""Columns that releases of older programs do not have."""
PICTURE_COLUMNS = ("image", "depth", "mask")
"""Columns that hold a picture file; the column `<name>_sha256` states the digest of its bytes."""


def features(config: str) -> Features:
    """The columns of a table.

    Raises:
        MissingExtraError: `datasets` is not installed.
    """
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "export") from None
    columns = {
        "qa": _qa,
        "scenes": _scenes,
        "qa_preview": _qa_preview,
        RAW_DEPTH_CONFIG: _raw_depth,
        FLAT_CONFIG: _flat,
        "episodes": episode_columns.episodes,
        "mirror_steps": episode_columns.mirror_steps,
        "mosaic_steps": episode_columns.mosaic_steps,
        "tom_qa": episode_columns.tom_qa,
    }
    return datasets.Features(columns[config](datasets))


def _scenes(hf: Any) -> dict[str, Any]:
    text, whole, real = hf.Value("string"), hf.Value("int32"), hf.Value("float64")
    rings = hf.List(hf.List(hf.List(real)))
    region = {
        "box_xyxy_px": hf.List(whole),
        "segmentation": {"size": hf.List(whole), "counts": text},
        "polygons_px": rings,
        "holes_px": rings,
    }
    return {
        "image_id": text,
        "scene_id": text,
        # No mode: `Image(mode="L")` would cut 16-bit depth to 8 bits.
        "image": hf.Image(),
        "depth": hf.Image(),
        "width_px": whole,
        "height_px": whole,
        "depth_unit_m": real,
        "depth_kind": text,
        "intrinsics": _camera(hf),
        "environment": text,
        "lighting": text,
        "place": text,
        "source": text,
        "licence": text,
        "consent": text,
        "annotator": text,
        "surfaces": hf.List({"surface_id": whole, "surface_type": text, **region}),
        "instances": hf.List(
            {
                "instance_id": whole,
                "visibility": text,
                "seen_in": hf.List(whole),
                "description": text,
                "category": text,
                **region,
            }
        ),
        "links": hf.List(
            {
                "reflected_id": whole,
                "real_id": whole,
                "reflection_of_id": whole,
                "counterpart": text,
            }
        ),
        "image_sha256": text,
        "depth_sha256": text,
    }


def _camera(hf: Any) -> dict[str, Any]:
    whole, real = hf.Value("int32"), hf.Value("float64")
    return {
        "width_px": whole,
        "height_px": whole,
        "fx_px": real,
        "fy_px": real,
        "cx_px": real,
        "cy_px": real,
        "distortion_model": hf.Value("string"),
        "distortion_coeffs": hf.List(real),
    }


def _raw_depth(hf: Any) -> dict[str, Any]:
    text, whole, real = hf.Value("string"), hf.Value("int32"), hf.Value("float64")
    return {
        "image_id": text,
        "scene_id": text,
        "depth": hf.Image(),
        "width_px": whole,
        "height_px": whole,
        "depth_unit_m": real,
        "depth_kind": text,
        "intrinsics": _camera(hf),
        "depth_to_color": {"rotation": hf.List(hf.List(real)), "translation_m": hf.List(real)},
        "depth_sha256": text,
    }


def _qa(hf: Any) -> dict[str, Any]:
    text, whole = hf.Value("string"), hf.Value("int32")
    return {
        "question_id": text,
        "question_sha8": text,
        "item_id": text,
        "scene_id": text,
        "image_id": text,
        "level": text,
        "subtask": text,
        "template_id": text,
        "protocol": text,
        "format": text,
        "question": text,
        "options": hf.List({"label": text, "value": text, "text": text}),
        "answer": text,
        "answer_words": text,
        "direction": text,
        "count_max": whole,
        "joint_group": text,
        "marks": hf.List(
            {"label": text, "instance_id": whole, "role": text, "box_xyxy_px": hf.List(whole)}
        ),
        "derivation": {
            "rule": text,
            "annotator": text,
            "annotation_sha256": text,
            "instance_ids": hf.List(whole),
            "surface_ids": hf.List(whole),
            "links": hf.List(hf.List(whole)),
            "parameters": text,
        },
        "margin": hf.Value("float64"),
        "answer_source": text,
        "review": text,
    }


def _qa_preview(hf: Any) -> dict[str, Any]:
    return {**_asked(hf), **_rendered(hf)}


def _flat(hf: Any) -> dict[str, Any]:
    text = hf.Value("string")
    return {
        **_asked(hf),
        "question_sha8": text,
        "count_max": hf.Value("int32"),
        "joint_group": text,
        "answer_source": text,
        "review": text,
        "source": text,
        "licence": text,
        "consent": text,
        **_rendered(hf),
    }


def _asked(hf: Any) -> dict[str, Any]:
    """What is asked of a model that is shown rendered pictures."""
    text = hf.Value("string")
    return {
        "question_id": text,
        "item_id": text,
        "scene_id": text,
        "image_id": text,
        "level": text,
        "subtask": text,
        "template_id": text,
        "protocol": text,
        "modality": text,
        "format": text,
        "question": text,
        "options": hf.List({"label": text, "value": text, "text": text}),
        "answer": text,
    }


def _rendered(hf: Any) -> dict[str, Any]:
    pictures = ("image", "mask", "depth")
    return {
        **{name: hf.Image() for name in pictures},
        **{f"{name}_sha256": hf.Value("string") for name in pictures},
    }
