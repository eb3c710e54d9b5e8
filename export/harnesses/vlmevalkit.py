"""A folder for VLMEvalKit: a TSV, its pictures, and a data set class that scores every format."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path

from export.harnesses.asked import AskedQuestion, ask_questions, summary_of
from export.harnesses.folder import harness_folder
from export.harnesses.options import Progress, TaskOptions, TaskSummary
from export.harnesses.readme import write_readme
from export.harnesses.selection import select_questions
from export.harnesses.told import told_of
from export.harnesses.truth import copy_shipped, write_scorer
from mira.release.reader import read_info

_LETTERS = "ABCDEFGHIJ"


def write_vlmevalkit(
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
    with harness_folder(out, told_of("vlmevalkit", info, options)) as root:
        asked = list(ask_questions(release, selection, options, root, progress))
        table = _tsv(asked)
        # The kit takes up replies again by the data set's name: other questions, another name.
        name = f"MIRA_{options.protocol}_{options.modality}_{hashlib.sha256(table).hexdigest()[:8]}"
        (root / f"{name}.tsv").write_bytes(table)
        write_scorer(root, (one.row for one in asked))
        copy_shipped(root, "mira_vlmevalkit.py", "run_mira.py")
        summary = summary_of(asked, selection, out=out, root=root, name=name)
        write_readme(root, "vlmevalkit", summary, options, info)
    return summary


def _tsv(asked: list[AskedQuestion]) -> bytes:
    """The rows; every field is quoted, so that tabs and line ends in a text stay in it."""
    rows = [_row(one) for one in asked]
    letters = [letter for letter in _LETTERS if any(row[letter] for row in rows)]
    columns = [name for name in rows[0] if name not in _LETTERS or name in letters]
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(
        stream,
        columns,
        extrasaction="ignore",
        delimiter="\t",
        quoting=csv.QUOTE_ALL,
        lineterminator="\n",
    )
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


def _row(asked: AskedQuestion) -> dict[str, str]:
    row = asked.row
    texts = {option["label"]: option["text"] or "" for option in row["options"] or ()}
    return {
        "index": row["question_id"],
        "image_path": repr([picture.path for picture in asked.pictures]),
        "image_roles": ",".join(picture.role for picture in asked.pictures),
        "question": row["question"],
        **{letter: texts.get(letter, "") for letter in _LETTERS},
        "answer": row["answer"],
        "category": row["subtask"],
        "l2-category": row["level"],
        "split": row["split"],
        "template_id": row["template_id"],
        "format": row["format"],
        "joint_group": row["joint_group"] or "",
        "prompt": asked.prompt,
    }
