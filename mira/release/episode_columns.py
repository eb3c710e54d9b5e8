"""The fixed schema of the tables of episodes, as `datasets` features."""

from __future__ import annotations

from typing import Any

EPISODE_CONFIGS = ("episodes", "mirror_steps", "mosaic_steps", "tom_qa")
"""Tables of episodes; a release holds those that have rows."""


def episodes(hf: Any) -> dict[str, Any]:
    """One row an episode; what only one family has is null in the others."""
    text, whole, real, flag = _kinds(hf)
    return {
        "episode_id": text,
        "run": text,
        "licence": text,
        "family": text,
        "task": text,
        "seed": hf.Value("int64"),
        "agents": hf.List({"role": text, "name": text}),
        "model": text,
        "num_steps": whole,
        "max_steps": whole,
        "success": flag,
        "termination": text,
        "level": whole,
        "body": text,
        "hand": text,
        "mark": text,
        "setting": text,
        "threshold_m": real,
        "step_m": real,
        "d0_m": real,
        "prompt": text,
        "mode": text,
        "tom_order": whole,
        "boxes_cells": hf.List(hf.List(real)),
        "reward_box": whole,
        "choice": whole,
        "participant_score": whole,
        "subject_score": whole,
        "visual": text,
        "source": text,
        "story_id": text,
    }


def mirror_steps(hf: Any) -> dict[str, Any]:
    """One row a move."""
    text, whole, real, flag = _kinds(hf)
    return {
        "episode_id": text,
        "step": whole,
        "image": hf.Image(),
        "action": text,
        "raw_reply": text,
        "legal": flag,
        "hand_world_m": hf.List(real),
        "mark_world_m": hf.List(real),
        "manhattan_m": real,
        "terminated": flag,
        "truncated": flag,
        "image_sha256": text,
    }


def mosaic_steps(hf: Any) -> dict[str, Any]:
    """One row a round and agent."""
    text, whole, real, _ = _kinds(hf)
    return {
        "episode_id": text,
        "round": whole,
        "role": text,
        "position_cells": hf.List(real),
        "orientation_cells": hf.List(real),
        "preference_other": real,
        "preference_boxes": hf.List(real),
        "gaze_certainty": hf.List(real),
        "facial_valence": real,
        "physiological_valence": real,
        "felt_valence": real,
        "move": text,
        "utterance": text,
        "inner_speech": text,
        "raw_replies": hf.List(text),
        "image": hf.Image(),
        "image_sha256": text,
    }


def tom_qa(hf: Any) -> dict[str, Any]:
    """One row a question on what somebody knows, believes or will do."""
    text, whole, _, _ = _kinds(hf)
    return {
        "item_id": text,
        "run": text,
        "licence": text,
        "source": text,
        "story": text,
        "episode_id": text,
        "step": whole,
        "role": text,
        "question": text,
        "options": hf.List({"label": text, "value": text}),
        "answer": text,
        "order": whole,
        "kind": text,
        "joint_group": text,
        "condition": text,
        "category": text,
        "story_id": text,
        "rotation_of": text,
    }


def _kinds(hf: Any) -> tuple[Any, Any, Any, Any]:
    return hf.Value("string"), hf.Value("int32"), hf.Value("float64"), hf.Value("bool")
