"""What is in an annotation file: a document for each picture, whichever program wrote it."""

from __future__ import annotations

from pathlib import Path

from annotate.coco.documents import coco_documents, is_coco
from annotate.findings import FindingLog
from annotate.reading.document import PictureDocument, document_of
from annotate.reading.json_text import parse_json


def documents_in(raw: bytes, path: Path, log: FindingLog) -> list[PictureDocument]:
    """The documents in the bytes of an annotation file, told by what is in them.

    Args:
        raw: The whole file.
        path: The file.
        log: Takes what is odd but readable, and what concerns no single picture.

    Raises:
        UnusableFileError: The bytes are no JSON, or no annotation that is read.
    """
    data = parse_json(raw, log)
    if is_coco(data):
        return coco_documents(data, path, log)
    return [PictureDocument(document_of(data, log.path), path, log)]
