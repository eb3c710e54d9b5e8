from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from capture.importers.importing import ImportReport, import_data_set
from capture.importers.settings import ImportSettings
from mira.store.session import Session

SHARED = Path(__file__).parents[4].parent / "shared" / "data"


class Writer:
    """Writes small pictures whose content a seed decides."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def color(self, name: str, *, size: tuple[int, int] = (24, 16), seed: int = 0) -> np.ndarray:
        """A picture of random blocks, RGB as it decodes again."""
        rng = np.random.default_rng(seed)
        blocks = rng.integers(0, 256, (4, 4, 3), dtype=np.uint8)
        pixels = cv2.resize(blocks, size, interpolation=cv2.INTER_NEAREST)
        self.pixels(name, pixels)
        return cv2.imread(str(self.root / name))[..., ::-1]

    def depth(self, name: str, *, size: tuple[int, int] = (24, 16), seed: int = 0) -> np.ndarray:
        """Random depth with some readings missing."""
        rng = np.random.default_rng(seed)
        pixels = rng.integers(0, 2**16, size[::-1]).astype(np.uint16)
        pixels[rng.random(size[::-1]) < 0.2] = 0
        self.pixels(name, pixels)
        return pixels

    def mask(self, name: str, *values: Any, size: tuple[int, int] = (24, 16)) -> np.ndarray:
        """A mask with a band of columns for each value beside one of nothing."""
        width, height = size
        first = np.asarray(values[0] if values else 0)
        dtype = np.uint16 if first.max() > 255 else np.uint8
        bands = np.zeros((height, width, *first.shape), dtype=dtype)
        for k, value in enumerate(values):
            bands[:, 2 + 4 * k : 5 + 4 * k] = value
        self.pixels(name, bands[..., ::-1] if first.ndim else bands)
        return bands

    def pixels(self, name: str, pixels: np.ndarray) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert cv2.imwrite(str(path), pixels)

    def text(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


@pytest.fixture
def write(source: Path) -> Writer:
    return Writer(source)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "session"


@pytest.fixture
def run(source: Path, out: Path) -> Callable[..., ImportReport]:
    """Imports the source; keywords are settings, but for those of the importer itself."""

    def run(layout: str, **more: Any) -> ImportReport:
        own = {name: more.pop(name) for name in ("policy", "limit", "dry_run") if name in more}
        target = more.pop("out", out)
        settings = ImportSettings.of(layout=layout, **more)
        return import_data_set(more.get("source", source), target, settings=settings, **own)

    return run


@pytest.fixture
def three(write: Writer) -> None:
    for k in range(3):
        write.color(f"{k}_color.png", seed=k)
        write.depth(f"{k}_depth.png", seed=k)
        write.mask(f"{k}_mask.png", 255)


class Held:
    """What a session holds, read back."""

    def __init__(self, root: Path) -> None:
        self.session = Session.open(root)

    @property
    def views(self) -> dict[str, list[str]]:
        return {scene: list(self.session.committed(scene)) for scene in self.session.scenes()}

    def picture(self, scene: str, view: str, name: str) -> np.ndarray:
        path = self.session.view_folder(scene, view) / name
        pixels = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        return pixels[..., ::-1] if pixels.ndim == 3 else pixels


@pytest.fixture
def held(out: Path) -> Callable[..., Held]:
    return lambda root=out: Held(root)


def tree_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(name="tree_of")
def tree_reader() -> Callable[[Path], dict[str, bytes]]:
    return tree_of


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the real pictures are not beside the checkout")
    return SHARED
