from __future__ import annotations

import codecs

import orjson
import pytest

from annotate.findings import FindingLog, UnusableFileError
from annotate.reading.document import parse_document
from mira.errors import AnnotationFormatError

TEXT = '{"version": "4.0.2",\r\n "shapes": [{"label": "镜子", "score": 1}]}\r\n'


@pytest.mark.parametrize(
    "raw",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-32"),
    ],
)
def test_unicode_encodings_read_alike_without_a_finding(raw: bytes):
    log = FindingLog("x.json")
    parsed = parse_document(raw, log)
    assert parsed.data["shapes"][0]["label"] == "镜子"
    assert parsed.version == "4.0.2"
    assert log.findings == ()


def test_gb18030_reads_with_a_warning():
    log = FindingLog("x.json")
    assert parse_document(TEXT.encode("gb18030"), log).data["shapes"][0]["label"] == "镜子"
    assert [finding.code for finding in log.findings] == ["encoding-gb18030"]
    assert log.findings[0].severity == "warning"


@pytest.mark.parametrize(
    ("raw", "code", "field"),
    [
        (b"", "file-empty", ""),
        (b" \n", "file-empty", ""),
        (TEXT.encode()[:30], "json-truncated", "line 2, column 10"),
        (TEXT.encode()[:-20], "json-truncated", "line 2, column 34"),
        (b'{"shapes": [],}', "json-invalid", "line 1, column 14"),
        (b'{"shapes": [] "a": 1}', "json-invalid", "line 1, column 15"),
        (b'{"shapes": ["\\ud800"]}', "json-invalid", "line 1, column 14"),
        (b'{"shapes": [NaN, "\\ud800"]}', "json-invalid", "line 1, column 13"),
        (b"[" * 5000, "json-invalid", "line 1, column 1026"),
        (b'{"shapes": [' + b"[" * 90 + b"NaN" + b"]" * 90 + b"]}", "json-too-deep", ""),
        (b"\xff\xfe\x00", "json-truncated", ""),
        (b'{"shapes": ["\xff\xff"]}', "encoding-unknown", ""),
        (b"[1, 2]", "format-unknown", ""),
        (b'{"shapes": null}', "shapes-invalid", "shapes"),
        (b'{"vehicle": {"colour": ["red"]}}', "format-unknown", ""),
        (b'{"image": {}, "annotations": []}', "format-unknown", ""),
        (b'<?xml version="1.0"?>\n<annotations/>', "xml-not-read", ""),
        (b"\xef\xbb\xbf<annotation><folder/></annotation>", "xml-not-read", ""),
    ],
)
def test_what_is_no_annotation_is_refused_with_file_and_place(raw: bytes, code: str, field: str):
    with pytest.raises(UnusableFileError) as caught:
        parse_document(raw, FindingLog("x.json"))
    error = caught.value
    assert isinstance(error, AnnotationFormatError)
    assert (error.code, error.path) == (code, "x.json")
    assert error.field == field or code == "json-truncated"
    assert "\n" not in str(error)
    assert "x.json" in str(error)


def test_numbers_that_are_none_stay_in_points_and_become_null_elsewhere():
    log = FindingLog("x.json")
    raw = b'{"shapes": [{"points": [[NaN, 1]], "score": NaN}], "rate": 1e999}'
    data = parse_document(raw, log).data
    assert data["shapes"][0]["points"][0][0] != data["shapes"][0]["points"][0][0]
    assert data["shapes"][0]["score"] is None
    assert data["rate"] is None
    assert {finding.where for finding in log.findings} == {"shapes[0].score", "rate"}


@pytest.mark.parametrize(
    ("top", "drawn", "expected"),
    [
        ({"version": "5.4.1"}, {}, "labelme"),
        ({"version": "3.16.7", "lineColor": [0, 255, 0, 128]}, {}, "labelme"),
        ({}, {}, "labelme"),
        ({"version": "4.0.2"}, {"kie_linking": []}, "x-anylabeling"),
        ({"version": "0.3.3"}, {}, "x-anylabeling"),
        ({"version": "2.3.0", "text": ""}, {"text": ""}, "x-anylabeling"),
        ({"version": 4.2, "checked": "failed"}, {}, "x-anylabeling"),
    ],
)
def test_the_writing_program_is_told_by_its_keys(top: dict, drawn: dict, expected: str):
    raw = orjson.dumps({**top, "shapes": [{"label": "a", **drawn}]})
    assert parse_document(raw, FindingLog("x.json")).format == expected
