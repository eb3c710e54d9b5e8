"""How soon a release gives its first row, and what a question with its picture costs.

    python benchmarks/read_release.py [--pictures 202] [--items 2000] [--folder DIR]

Pictures of 1280 x 720 with the file sizes of the real thing (see `full_size.py`), their questions
as a release. Each figure is of a process of its own: CPU seconds of one core after imports. The
peers show the same pictures with the same boxes drawn by Pillow: an image folder of `datasets` with
a row a question, and rows of `Dataset.from_list` with a picture's bytes in every row.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import full_size

from mira.store.workspace import Workspace

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", type=int, default=202)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--part", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        PARTS[arguments.part[0]](Path(arguments.part[1]), arguments.items)
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder = Path(scratch)
        _make(folder, arguments.pictures, arguments.items)
        for name in PARTS:
            words = ["--items", str(arguments.items), "--part", name, scratch]
            done = subprocess.run(
                [sys.executable, __file__, *words], check=True, capture_output=True, text=True
            )
            print(f"{name:42} {done.stdout.strip()}", flush=True)


def _make(folder: Path, pictures: int, items: int) -> None:
    """A release, and the same first questions in the two other forms."""
    import orjson

    from export.build import build_release
    from mira.release.reader import read_scenes
    from mira.schema.qa import QAPolicy
    from qa_gen.generate import generate_questions

    full_size.make_workspace(folder / "workspace", pictures)
    workspace = Workspace.open(folder / "workspace")
    generate_questions(workspace, policy=QAPolicy())
    build_release(workspace, folder / "release")
    images = folder / "images"
    images.mkdir()
    for row in read_scenes(folder / "release", columns=["image_id", "image"]):
        (images / f"{row['image_id']}.jpg").write_bytes(row["image"]["bytes"])
    with (images / "metadata.jsonl").open("wb") as stream:
        for row in islice(_asked(folder), items):
            boxes = [mark["box_xyxy_px"] for mark in row["marks"]]
            line = {"file_name": f"{row['image_id']}.jpg", "boxes": boxes}
            stream.write(orjson.dumps({**line, "question": row["question"]}) + b"\n")


def _asked(folder: Path) -> Iterator[Row]:
    from mira.release.reader import read_questions

    return (r for r in read_questions(folder / "release") if r["protocol"] == "visual_bbox")


def _quiet() -> Any:
    import datasets

    datasets.disable_progress_bars()
    return datasets


def first_row(folder: Path, _: int) -> None:
    datasets = _quiet()
    start = time.process_time()
    for config in ("qa", "scenes", "qa_preview"):
        table = datasets.load_dataset(str(folder / "release"), config, split="test", streaming=True)
        next(iter(table))
    print(f"{(time.process_time() - start) / 3:.2f} CPU s, mean of three tables")


def ours(folder: Path, items: int) -> None:
    import mira

    _quiet()
    start = time.process_time()
    rows = mira.load(
        folder / "release", protocol="visual_bbox", modality="rgb", cache_dir=folder / "cache"
    )
    loaded = time.process_time() - start
    _report(rows, items, lambda row: row["images"][0].size, f", {loaded:.1f} s to load at first")


def image_folder(folder: Path, items: int) -> None:
    datasets = _quiet()
    rows = datasets.load_dataset(
        "imagefolder",
        data_dir=str(folder / "images"),
        split="train",
        cache_dir=str(folder / "cache2"),
    )
    _report(rows, items, lambda row: _drawn(row["image"], row["boxes"]).size)


def whole_rows(folder: Path, items: int) -> None:
    datasets = _quiet()
    pictures = {path.stem: path.read_bytes() for path in (folder / "images").glob("*.jpg")}
    made = [
        {
            "image": {"bytes": pictures[row["image_id"]], "path": None},
            "boxes": [mark["box_xyxy_px"] for mark in row["marks"]],
        }
        for row in islice(_asked(folder), items)
    ]
    start = time.process_time()
    path = folder / "whole.parquet"
    datasets.Dataset.from_list(made).cast_column("image", datasets.Image()).to_parquet(str(path))
    written = time.process_time() - start
    rows = datasets.Dataset.from_parquet(str(path), cache_dir=str(folder / "cache3"))
    size = path.stat().st_size / 1e6
    note = f", {written:.1f} s to write {size:,.0f} MB"
    _report(rows, items, lambda row: _drawn(row["image"], row["boxes"]).size, note)


def _drawn(image: Any, boxes: Iterable[list[int]]) -> Any:
    from PIL import ImageDraw

    shown = image.convert("RGB")
    pen = ImageDraw.Draw(shown)
    for box in boxes:
        pen.rectangle(box, outline=(222, 24, 56), width=4)
    return shown


def _report(rows: Any, items: int, look: Callable[[Row], object], note: str = "") -> None:
    start, count = time.process_time(), 0
    for row in islice(rows, items):
        look(row)
        count += 1
    spent = 1000 * (time.process_time() - start) / count
    print(f"{spent:.2f} CPU ms an item, {count:,} items{note}")


PARTS: dict[str, Callable[[Path, int], None]] = {
    "first streamed row of a release": first_row,
    "mira.load, rgb with drawn boxes": ours,
    "image folder, boxes by Pillow": image_folder,
    "Dataset.from_list, boxes by Pillow": whole_rows,
}

if __name__ == "__main__":
    main()
