"""A folder for lmms-eval: a task file, its questions and pictures, and the code it calls."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import orjson
import yaml

from export.harnesses.asked import AskedQuestion, ask_questions, summary_of
from export.harnesses.folder import harness_folder
from export.harnesses.options import Progress, TaskOptions, TaskSummary
from export.harnesses.readme import write_readme
from export.harnesses.selection import select_questions
from export.harnesses.told import told_of
from export.harnesses.truth import copy_shipped, write_scorer
from mira.release.reader import read_info
from mira.taxonomy.catalogue import taxonomy

_MAX_NEW_TOKENS = 1024


def write_lmms_eval(
    release: Path, out: Path, *, options: TaskOptions, progress: Progress | None = None
) -> TaskSummary:
    """Write the folder in one step; the same release and options give the same bytes.

    Args:
        release: The release.
        out: A folder that is new, empty, or an earlier one of these, which is replaced.
        options: Which questions are asked, and how.
        progress: Called with pictures of the release that are done and in all.

    Raises:
        ReleaseError: The folder is no release, has no such questions, or is damaged.
        MiraError: `out` holds something else, or cannot be written.
    """
    info = read_info(release)
    selection = select_questions(release, options)
    name = f"mira_{options.protocol}_{options.modality}"
    with harness_folder(out, told_of("lmms-eval", info, options)) as root:
        asked = list(ask_questions(release, selection, options, root, progress))
        documents = b"".join(
            orjson.dumps(_document(one), option=orjson.OPT_APPEND_NEWLINE) for one in asked
        )
        # `datasets` keys its cache by names: other questions, another name.
        data_name = f"questions-{hashlib.sha256(documents).hexdigest()[:8]}.jsonl"
        (root / data_name).write_bytes(documents)
        summary = summary_of(asked, selection, out=out, root=root, name=name)
        figures = _figures(summary.questions)
        (root / f"{name}.yaml").write_bytes(_task_file(name, data_name, figures))
        write_scorer(root, (one.row for one in asked))
        copy_shipped(root, "mira_task.py")
        write_readme(
            root,
            "lmms_eval",
            summary,
            options,
            info,
            figures=figures,
            max_new_tokens=_MAX_NEW_TOKENS,
        )
    return summary


def _document(asked: AskedQuestion) -> dict[str, Any]:
    row = asked.row
    return {
        "question_id": row["question_id"],
        "prompt": asked.prompt,
        "images": [picture.path for picture in asked.pictures],
        "image_roles": [picture.role for picture in asked.pictures],
        "answer": row["answer"],
        "subtask": row["subtask"],
        "level": row["level"],
        "template_id": row["template_id"],
        "format": row["format"],
        "split": row["split"],
    }


def _figures(subtasks: dict[str, int]) -> dict[str, bool]:
    """What is reported, and whether more of it is better."""
    levels = dict.fromkeys(taxonomy().subtask(one).level for one in subtasks)
    accuracies = ["overall", *(f"level_{level}" for level in levels), *subtasks]
    return {**dict.fromkeys(accuracies, True), "unparsable": False, "unscored": False}


def _task_file(name: str, data_name: str, figures: dict[str, bool]) -> bytes:
    task = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": data_name}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_visual": _Function("doc_to_visual"),
        "doc_to_text": _Function("doc_to_text"),
        "doc_to_target": _Function("doc_to_target"),
        "process_results": _Function("process_results"),
        # Nothing ends a reply early: half a reply cannot be read.
        "generation_kwargs": {
            "max_new_tokens": _MAX_NEW_TOKENS,
            "temperature": 0,
            "do_sample": False,
            "until": [],
        },
        "metric_list": [
            {
                "metric": figure,
                "aggregation": _Function(f"aggregate_{figure}"),
                "higher_is_better": better,
            }
            for figure, better in figures.items()
        ],
        "metadata": {"version": 1.0},
    }
    return yaml.dump(task, Dumper=_Dumper, sort_keys=False).encode()


class _Function(str):
    """A function of the folder's code."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Writes functions as the harness reads them."""


_Dumper.add_representer(
    _Function,
    lambda dumper, function: dumper.represent_scalar("!function", f"mira_task.{function}"),
)
