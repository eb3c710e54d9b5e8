"""What a package for an annotator holds, beside its pictures."""

from __future__ import annotations

from mira.schema.audit import BatchState
from mira.schema.record import FileRef, RootRecord

MANIFEST_NAME = "manifest.json"
README_NAME = "README.txt"
PICTURES = "pictures"
"""Folder of the pictures to draw on; annotation files belong beside them."""
DEPTH = "depth"
"""Folder of depth in colours, to look at."""
SETUP = "setup"
"""Folder of labels, attributes, settings and the guide, as `mira annotate init` writes them."""


class PackageManifest(RootRecord):
    """`manifest.json`: which images of which batch a package holds, and for whom."""

    batch_id: str
    """The batch."""
    round: int
    """1, or 2 after reassignment."""
    state: BatchState
    """What the person is to do."""
    people: tuple[str, ...]
    """Who is to do it."""
    pictures: tuple[FileRef, ...]
    """The pictures, by name."""

    @property
    def image_ids(self) -> tuple[str, ...]:
        """Ids of the images, by name."""
        return tuple(ref.path.split("/")[-1].rpartition(".")[0] for ref in self.pictures)


_TASKS: dict[BatchState, str] = {
    "annotating": "Draw every picture.",
    "auditing": "Draw every picture, from scratch and on your own. Others have drawn these "
    "pictures;\nplease do not look at or talk about their work before yours is handed in.",
    "reannotating": "Draw every picture, from scratch and on your own. Others have drawn these "
    "pictures;\nplease do not look at or talk about their work before yours is handed in.",
    "reauditing": "Draw every picture, from scratch and on your own. Others have drawn these "
    "pictures;\nplease do not look at or talk about their work before yours is handed in.",
    "adjudicating": "Decide together, with the report at hand. Hand in one file for each picture "
    "whose\ndrawing has to change; the others stay as the last annotator drew them.",
    "accepted": "Nothing is left to do.",
}


def format_readme(manifest: PackageManifest) -> str:
    """What the person reads first."""
    people = ", ".join(manifest.people)
    return f"""\
Batch {manifest.batch_id}, for {people}: {len(manifest.pictures)} picture(s)

{_TASKS[manifest.state]}

1. Open the folder "{PICTURES}" in X-AnyLabeling or labelme. The folder "{DEPTH}", if there is one,
   shows the distance of what is seen; it is for looking only.
2. What to draw, and how, is in {SETUP}/guide.html. X-AnyLabeling takes labels and choices from
   the other files in "{SETUP}".
3. Every surface and object has its own number (group_id), from 1 on in each picture. For a
   reflection say which number it shows (attribute reflection_of) and in which surface it is
   seen (in_mirror).
4. Save one file for each picture, beside it, and under its name. Save a picture in which
   there is nothing to draw too.
5. Keep the names of the pictures, then hand this folder back.
"""
