"""Pictures of a workspace with what is asked about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby

from mira.item_pictures import PictureAccess
from mira.published.one_picture import AskedPicture
from mira.schema.qa import QAItem


def asked_pictures(items: Iterable[QAItem], pictures: PictureAccess) -> Iterator[AskedPicture]:
    """Items by picture, in their order.

    Args:
        items: What is asked; those of one picture stand together.
        pictures: Gives the picture of an item.
    """
    for image_id, group in groupby(items, lambda item: item.image_id):
        asked = tuple(group)
        yield AskedPicture(image_id, asked, partial(pictures, asked[0]))
