"""The questions of this folder as a data set of VLMEvalKit."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any, ClassVar

import mira_scoring
import pandas as pd
import vlmeval.dataset
from vlmeval.dataset.image_base import ImageBaseDataset
from vlmeval.smp import load

FOLDER = Path(__file__).resolve().parent
NAME = next(FOLDER.glob("MIRA_*.tsv")).stem
_FAILED = "Failed to obtain answer"
"""What the kit writes in place of a reply that never came."""
_AS_TEXT: dict[str, Any] = {"dtype": str, "keep_default_na": False}
"""A reply is text: `None` is a word, `3` is no float, and nothing is missing."""


class MiraDataset(ImageBaseDataset):  # type: ignore[misc]
    """Questions with several pictures each, and answers of five formats, scored without a judge."""

    TYPE = "MIRA"
    DATASET_URL: ClassVar = {NAME: ""}
    DEFAULT_JUDGE = "exact_matching"
    # Prompts that models make themselves know of choices alone, and lose how to reply.
    force_use_dataset_prompt = True

    def load_data(self, dataset: str) -> pd.DataFrame:
        """Rows of the TSV, with full paths of the pictures."""
        data: pd.DataFrame = pd.read_csv(FOLDER / f"{dataset}.tsv", sep="\t", **_AS_TEXT)
        data["image_path"] = [
            [str(FOLDER / path) for path in ast.literal_eval(paths)] for paths in data["image_path"]
        ]
        return data

    def build_prompt(self, line: Any) -> list[dict[str, str]]:
        """Pictures in their order, then the text."""
        row = self.data.iloc[line] if isinstance(line, int) else line
        paths = row["image_path"]
        shown = [paths] if isinstance(paths, str) else paths
        pictures = [{"type": "image", "value": path} for path in shown]
        return [*pictures, {"type": "text", "value": row["prompt"]}]

    def evaluate(self, eval_file: str, **_judge: Any) -> dict[str, Any]:
        """Accuracy (shares of 1) by sub-task, level and overall, with both counts.

        Beside the predictions are written the whole table, and the replies as `mira eval score`
        reads them.
        """
        replies = _read_replies(Path(eval_file))
        table = mira_scoring.score_replies(mira_scoring.read_scoring(FOLDER), replies)
        beside = Path(eval_file).with_suffix("")
        Path(f"{beside}_score.json").write_text(json.dumps(table, indent=1), "utf-8")
        lines = "".join(mira_scoring.prediction_line(*reply) for reply in replies.items())
        Path(f"{beside}_replies.jsonl").write_text(lines, "utf-8")
        scores: dict[str, Any] = mira_scoring.flat_scores(table)
        return scores


def register() -> str:
    """Make the data set known to the kit; gives its name."""
    if MiraDataset not in vlmeval.dataset.DATASET_CLASSES:
        vlmeval.dataset.DATASET_CLASSES.append(MiraDataset)
        vlmeval.dataset.SUPPORTED_DATASETS.append(NAME)
        vlmeval.dataset.MiraDataset = MiraDataset
    return NAME


def _read_replies(path: Path) -> dict[str, str | None]:
    if path.suffix == ".xlsx":
        from openpyxl.utils.escape import unescape

        table = pd.read_excel(path, **_AS_TEXT)
        # A spreadsheet spells a line end as `_x000D_`.
        table["prediction"] = table["prediction"].map(unescape)
    elif path.suffix == ".tsv":
        table = pd.read_csv(path, sep="\t", **_AS_TEXT)
    else:
        table = pd.DataFrame(load(str(path)))
    said = zip(table["index"], table["prediction"], strict=True)
    return {str(name): None if _FAILED in str(text) else str(text) for name, text in said}
