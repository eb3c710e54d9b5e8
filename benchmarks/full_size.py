"""Time and memory of `mira qa generate` and `mira export build` at the published size and beyond.

    python benchmarks/full_size.py [--times 1 10] [--folder DIR]

A workspace of 1,011 pictures a time is made from noise of the real thing's file sizes (JPEG of
about 190 KB, 16-bit depth PNG of about 580 KB at 1280 x 720) and outlines drawn at random: objects
seen both ways, only directly and only in a mirror. Questions are made until 14,140 a time exist
(an item in five protocols is five questions). Peers put the same pictures elsewhere: copied and
hashed, the least that a release can be; an image folder with a table of their names; and `datasets`
itself, `Dataset.from_generator(...).to_parquet(...)` and `Dataset.from_list(...).to_parquet(...)`,
which holds them all.

Every figure is of a process of its own: CPU seconds of one core and peak resident memory.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.capture import CameraIntrinsics, Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.atomic import file_ref
from mira.store.workspace import Workspace

WIDTH, HEIGHT = 1280, 720
IMAGES = 1011
POOL = 24
CAMERA = CameraIntrinsics(
    width_px=WIDTH, height_px=HEIGHT, fx_px=910, fy_px=910, cx_px=639.5, cy_px=359.5
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, nargs="+", default=[1])
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--part", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        PARTS[arguments.part[0]](Path(arguments.part[1]))
        return
    print(f"{'size':>5} {'what':<34} {'CPU s':>8} {'wall s':>8} {'peak MB':>8}  made")
    for times in arguments.times:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            make_workspace(Path(folder) / "workspace", IMAGES * times)
            run(times, "generate", "mira qa generate", Path(folder))
            run(times, "export", "mira export build", Path(folder))
            shutil.rmtree(Path(folder) / "release")
            run(times, "copy", "copied and hashed", Path(folder))
            run(times, "imagefolder", "image folder", Path(folder))
            run(times, "peer", "datasets: from_generator, to_parquet", Path(folder))
            if times == 1:
                run(times, "from_list", "datasets: from_list, to_parquet", Path(folder))


def run(times: int, part: str, title: str, folder: Path) -> None:
    """Run one part in a process of its own and print its line."""
    command = [sys.executable, __file__, "--part", part, str(folder)]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    cpu_s, wall_s, peak_mb, what = made.split("\t")
    print(f"{times:>4}x {title:<34} {cpu_s:>8} {wall_s:>8} {peak_mb:>8}  {what}", flush=True)


def generate(folder: Path) -> None:
    from mira.schema.qa import QAPolicy
    from qa_gen.generate import generate_questions

    summary = generate_questions(Workspace.open(folder / "workspace"), policy=QAPolicy())
    report(f"{summary.items:,} items, {summary.questions:,} questions")


def export(folder: Path) -> None:
    from export.build import build_release

    info = build_release(Workspace.open(folder / "workspace"), folder / "release")
    size = sum(ref.size_bytes for c in info.configs for part in c.splits for ref in part.files)
    rows = {config.name: sum(part.rows for part in config.splits) for config in info.configs}
    report(f"{rows['qa']:,} questions, {rows['scenes']:,} pictures, {size / 1e6:,.0f} MB")


def copy(folder: Path) -> None:
    """Read every picture file, hash it, and write it elsewhere."""
    size = 0
    for row in peer_rows(folder / "workspace"):
        for column in ("image", "depth"):
            data = row[column]["bytes"]
            hashlib.sha256(data).hexdigest()
            path = folder / "copy" / row["image_id"] / row[column]["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            size += len(data)
    shutil.rmtree(folder / "copy")
    report(f"{size / 1e6:,.0f} MB, pictures alone")


def imagefolder(folder: Path) -> None:
    """The layout that `load_dataset("imagefolder")` reads: files, and a table of their names."""
    root = folder / "imagefolder"
    root.mkdir()
    lines = []
    for row in peer_rows(folder / "workspace"):
        name = f"{row['image_id']}.jpg"
        (root / name).write_bytes(row["image"]["bytes"])
        (root / f"{row['image_id']}_depth.png").write_bytes(row["depth"]["bytes"])
        lines.append(json.dumps({"file_name": name, "width_px": row["width_px"]}))
    (root / "metadata.jsonl").write_text("\n".join(lines))
    shutil.rmtree(root)
    report(f"{len(lines):,} pictures, pictures alone")


def from_list(folder: Path) -> None:
    import datasets

    made = datasets.Dataset.from_list(
        list(peer_rows(folder / "workspace")), features=peer_features()
    )
    (folder / "from_list").mkdir()
    made.to_parquet(str(folder / "from_list" / "scenes.parquet"))
    report(f"{len(made):,} pictures, pictures alone")


def peer(folder: Path) -> None:
    import datasets

    datasets.disable_progress_bars()
    made = datasets.Dataset.from_generator(
        peer_rows,
        features=peer_features(),
        gen_kwargs={"workspace": folder / "workspace"},
        cache_dir=str(folder / "cache"),
    )
    (folder / "peer").mkdir()
    made.to_parquet(str(folder / "peer" / "scenes.parquet"))
    size = (folder / "peer" / "scenes.parquet").stat().st_size
    report(f"{len(made):,} pictures, {size / 1e6:,.0f} MB, pictures alone")


def peer_features() -> Any:
    import datasets

    from mira.release.columns import features

    wanted = ("image_id", "image", "depth", "width_px", "height_px")
    every = features("scenes")
    return datasets.Features({key: every[key] for key in wanted})


def peer_rows(workspace: Path) -> Iterator[dict[str, Any]]:
    opened = Workspace.open(workspace)
    for view in opened.views():
        folder = opened.view_folder(view)
        yield {
            "image_id": view.image_id,
            "image": {"bytes": (folder / "color.jpg").read_bytes(), "path": "color.jpg"},
            "depth": {"bytes": (folder / "depth.png").read_bytes(), "path": "depth.png"},
            "width_px": view.width_px,
            "height_px": view.height_px,
        }


def report(what: str) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    wall_s = time.clock_gettime(time.CLOCK_MONOTONIC) - START_S
    cpu_s = usage.ru_utime + usage.ru_stime
    print(f"{cpu_s:.1f}\t{wall_s:.1f}\t{usage.ru_maxrss / 1024:.0f}\t{what}")


def make_workspace(root: Path, images: int) -> None:
    """A workspace of so many pictures with three or four objects each."""
    rng = np.random.default_rng(7)
    workspace = Workspace.create(root)
    pool = root.parent / "pool"
    pool.mkdir(exist_ok=True)
    files = [write_pictures(pool, k, rng) for k in range(POOL)]
    for k in range(images):
        image_id = f"picture_{k:06d}"
        color, depth = files[k % POOL]
        workspace.put_scene(
            Scene(scene_id=image_id, licence="CC0-1.0", consent="not_needed", source="benchmark")
        )
        link_view(workspace, image_id, color, depth)
        workspace.put_annotation(annotation(image_id, color[1], 4 if k % 3 == 0 else 3, rng))


def write_pictures(
    pool: Path, k: int, rng: np.random.Generator
) -> tuple[tuple[Path, FileRef], tuple[Path, FileRef]]:
    """A JPEG and a depth PNG of the real thing's sizes, with their digests."""
    noise = rng.normal(0, 1, (HEIGHT // 4, WIDTH // 4, 3)).astype(np.float32)
    soft = cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC) * 42 + 128
    color = pool / f"{k}.jpg"
    cv2.imwrite(str(color), np.clip(soft, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 68])
    ramp = np.linspace(800, 4000, HEIGHT, dtype=np.float32)[:, None]
    depth = (ramp + rng.normal(0, 1.3, (HEIGHT, WIDTH))).astype(np.uint16)
    depth[rng.random((HEIGHT, WIDTH)) < 0.03] = 0
    depth_path = pool / f"{k}.png"
    cv2.imwrite(str(depth_path), depth, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    named = [file_ref(path, relative_to=pool) for path in (color, depth_path)]
    return (
        (color, named[0].model_copy(update={"path": "color.jpg"})),
        (depth_path, named[1].model_copy(update={"path": "depth.png"})),
    )


def link_view(
    workspace: Workspace, image_id: str, color: tuple[Path, FileRef], depth: tuple[Path, FileRef]
) -> None:
    """A view whose pictures are hard links into the pool: ten times the size on one disk."""
    view = View(
        scene_id=image_id,
        image_id=image_id,
        width_px=WIDTH,
        height_px=HEIGHT,
        color=color[1],
        depth_aligned=depth[1],
        depth_unit_m=0.001,
        depth_kind="metric",
        intrinsics=CAMERA,
        provenance=Provenance(tool="benchmark", tool_version="1"),
    )
    folder = workspace.view_folder(view)
    folder.mkdir(parents=True)
    (folder / "color.jpg").hardlink_to(color[0])
    (folder / "depth.png").hardlink_to(depth[0])
    (folder / "view.json").write_bytes(view.to_json())


def annotation(
    image_id: str, source: FileRef, objects: int, rng: np.random.Generator
) -> ImageAnnotation:
    """A mirror on the right; every third object is seen both ways, every third in it alone."""
    instances: list[Instance] = []
    links: list[Correspondence] = []
    for k in range(objects):
        real_id = None
        if k % 3 != 2:
            real_id = len(instances) + 1
            instances.append(drawn(real_id, "direct", rng))
        if k % 3 != 1:
            reflected_id = len(instances) + 1
            instances.append(drawn(reflected_id, "reflected", rng))
            links.append(
                Correspondence(
                    reflected_id=reflected_id,
                    real_id=real_id,
                    reflection_of_id=real_id,
                    counterpart="in_frame" if real_id else "out_of_frame",
                )
            )
    mirror: Ring = ((660.0, 40.0), (1250.0, 40.0), (1250.0, 680.0), (660.0, 680.0))
    return ImageAnnotation(
        image_id=image_id,
        annotator="benchmark",
        revision=1,
        status="done",
        width_px=WIDTH,
        height_px=HEIGHT,
        surfaces=(Surface(surface_id=1000, surface_type="planar_mirror", polygons_px=(mirror,)),),
        instances=tuple(instances),
        links=tuple(links),
        source=AnnotationSource(format="x-anylabeling", file=source),
    )


def drawn(instance_id: int, visibility: str, rng: np.random.Generator) -> Instance:
    """A blob of 60 vertices, in the left half or in the mirror."""
    left = 20 if visibility == "direct" else 680
    cx, cy = rng.uniform(left + 60, left + 500), rng.uniform(110, 600)
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    radius = rng.uniform(18, 55) * (1 + 0.1 * rng.normal(size=60))
    xs, ys = cx + radius * np.cos(angle), cy + radius * np.sin(angle)
    ring: Ring = tuple((float(x), float(y)) for x, y in zip(xs, ys, strict=True))
    return Instance(
        instance_id=instance_id,
        visibility="direct" if visibility == "direct" else "reflected",
        seen_in=() if visibility == "direct" else (1000,),
        polygons_px=(ring,),
        description=f"thing {instance_id}",
    )


PARTS = {
    "generate": generate,
    "export": export,
    "copy": copy,
    "imagefolder": imagefolder,
    "peer": peer,
    "from_list": from_list,
}

if __name__ == "__main__":
    START_S = time.clock_gettime(time.CLOCK_MONOTONIC)
    main()
