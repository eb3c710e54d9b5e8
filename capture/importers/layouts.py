"""The layouts of data sets that can be imported; their readers are loaded on use."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple, cast

from capture.importers.settings import ImportSettings
from capture.importers.source_scene import SourceReader
from mira.errors import CaptureError

_FLAGS = {
    "depth_unit_m": "--depth-unit-m",
    "intrinsics": "--intrinsics",
    "scene_table": "--scenes",
    "color_glob": "--color",
    "depth_glob": "--depth",
    "mask_glob": "--mask",
}
"""Settings that not every layout takes, with their flags."""


class Layout(NamedTuple):
    """A way in which data sets lie in folders."""

    reader: str
    """Module with the layout's `read_plan`."""
    expected: str
    """What its folder holds, for the message when it does not."""
    source: str | None
    """Name of the data set; None for that of the folder."""
    licence: str | None
    """Licence of its pictures, where it is known."""
    takes: frozenset[str]
    """Settings of `_FLAGS` that mean something to it."""


LAYOUTS: Mapping[str, Layout] = {
    "rgbd-mirror": Layout(
        reader="capture.importers.readers.rgbd_mirror",
        expected="folders image/, depth_normalized/ and mask_single/",
        source="RGBD-Mirror",
        licence="RGBD-Mirror, on application to its authors",
        takes=frozenset({"intrinsics", "scene_table"}),
    ),
    "dvmd": Layout(
        reader="capture.importers.readers.dvmd",
        expected="folders JPEGImages/, Depth_Norm_Per_Sequence/ and Annotations/",
        source="DVMD",
        licence="DVMD, not stated by its authors",
        takes=frozenset({"intrinsics"}),
    ),
    "mirror3d": Layout(
        reader="capture.importers.readers.mirror3d",
        expected="folders mirror_color_images/ and raw_sensorD/, or files color_*.jpg",
        source="Mirror3D",
        licence="Mirror3D (masks MIT; pictures by the terms of NYUv2, Matterport3D or ScanNet)",
        takes=frozenset({"intrinsics", "scene_table", "depth_unit_m"}),
    ),
    "tum": Layout(
        reader="capture.importers.readers.tum",
        expected="files rgb.txt and depth.txt",
        source="TUM RGB-D",
        licence="CC-BY-4.0",
        takes=frozenset({"intrinsics", "depth_unit_m"}),
    ),
    "open3d": Layout(
        reader="capture.importers.readers.open3d",
        expected="folders color/ and depth/",
        source=None,
        licence=None,
        takes=frozenset({"intrinsics", "depth_unit_m"}),
    ),
    "folder": Layout(
        reader="capture.importers.readers.folder",
        expected="pictures as PNG or JPEG",
        source=None,
        licence=None,
        takes=frozenset(_FLAGS),
    ),
}
"""Each layout by its name."""


def layout_of(settings: ImportSettings) -> Layout:
    """The layout that a user names, whose every other flag means something to it.

    Raises:
        CaptureError: There is none of that name, or it does not take a flag.
    """
    layout = LAYOUTS.get(settings.layout)
    if layout is None:
        problem = f"expected {', '.join(LAYOUTS)}, found {settings.layout!r}"
        raise CaptureError("--from", problem)
    for name, flag in _FLAGS.items():
        if getattr(settings, name) is not None and name not in layout.takes:
            problem = f"expected none with --from {settings.layout}, found one"
            raise CaptureError(flag, problem, "leave it out")
    return layout


def load_reader(layout: Layout) -> SourceReader:
    """The reader of a layout."""
    return cast("SourceReader", import_module(layout.reader).read_plan)
