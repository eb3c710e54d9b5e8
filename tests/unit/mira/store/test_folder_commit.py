"""Folders that are put in place in one step."""

from __future__ import annotations

from mira.store.checksums import check_sums
from mira.store.folder_commit import commit_folder


def test_who_comes_second_replaces_a_folder_that_it_did_not_know_of(tmp_path):
    # Two that write the same at once: the second saw no folder before it waited for the first.
    for content, kept in ((b"1", {}), (b"2", {"old.png": b"x"})):
        files = {"a.json": content, **kept}
        commit_folder(tmp_path / "one", files, known=frozenset(), replace=True, durable=False)
    assert (tmp_path / "one" / "a.json").read_bytes() == b"2"
    (tmp_path / "one" / "later.txt").write_text("mine", "utf-8")
    commit_folder(
        tmp_path / "one", {"a.json": b"3"}, known=frozenset(), replace=True, durable=False
    )
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "SHA256SUMS",
        "a.json",
        "later.txt",
    ]
    assert not check_sums(tmp_path / "one")
