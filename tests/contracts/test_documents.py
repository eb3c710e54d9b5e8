"""The documents name the commands that there are, with the flags that they have."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from mira.cli.app import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "capture").glob("*.md")),
]
REFERENCE = ROOT / "docs" / "command-line.md"


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands below a group by their path, the group itself left out."""
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(commands(get_command(app)))


def examples(document: Path) -> Iterator[str]:
    """Lines of a document's shell blocks that call `mira`, continued lines joined."""
    text = document.read_text("utf-8")
    for block in re.findall(r"^```(?:bash|sh|console)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", " ").splitlines():
            if line.removeprefix("$ ").startswith("mira "):
                yield line.removeprefix("$ ")


def find_command(words: list[str]) -> tuple[str, ...] | None:
    """Path of the command that words after `mira` call."""
    return next((path for path in COMMANDS if tuple(words[: len(path)]) == path), None)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_of_the_document_exist_with_their_flags(document: Path) -> None:
    for line in examples(document):
        words = shlex.split(line, comments=True)[1:]
        if words[0].startswith("-"):
            continue
        path = find_command(words)
        assert path, f"{document.name}: no such command: {line}"
        known = {flag for parameter in COMMANDS[path].params for flag in parameter.opts} | {
            "--help"
        }
        for word in words[len(path) :]:
            if word.startswith("-"):
                assert word.split("=")[0] in known, f"{document.name}: no such flag: {line}"


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_command_has_help_and_a_place_in_the_reference(path: tuple[str, ...]) -> None:
    assert COMMANDS[path].help, "has no help"
    assert f"`mira {' '.join(path)}" in REFERENCE.read_text("utf-8")


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_command_s_flags_have_help(path: tuple[str, ...]) -> None:
    for parameter in COMMANDS[path].params:
        assert getattr(parameter, "help", None), f"{parameter.name} has no help"


def test_reference_names_no_command_that_is_missing() -> None:
    text = REFERENCE.read_text("utf-8")
    for words in re.findall(r"^\| `mira ([^`]+)`", text, re.MULTILINE):
        assert find_command(words.split()), f"no such command: mira {words}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_the_document_links_to_exist(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text("utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_example_in_the_guide_to_sessions_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = (ROOT / "docs" / "session.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_bytes(b"picture")
    for _ in range(2):
        exec(compile(example, "session.md", "exec"), {})
    assert (tmp_path / "run-1/scenes/hall/views/v1/color.png").read_bytes() == b"picture"


def test_the_guide_to_annotation_lists_every_code_and_its_meaning() -> None:
    from annotate.codes import CODES

    guide = (ROOT / "docs" / "annotation.md").read_text("utf-8")
    findings = guide.split("## Findings")[1]
    assert dict(re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \|$", findings, re.MULTILINE)) == CODES


def test_the_guide_to_releases_names_every_column() -> None:
    from mira.release.columns import CONFIGS, features

    guide = (ROOT / "docs" / "release.md").read_text("utf-8")
    for config in CONFIGS:
        for column in features(config):
            assert f"`{column}`" in guide, column


def test_the_guide_to_releases_names_every_field_of_a_region() -> None:
    from mira.release.columns import features

    guide = (ROOT / "docs" / "release.md").read_text("utf-8")
    scenes = features("scenes")
    for column in ("surfaces", "instances", "links"):
        for field in scenes[column].feature:
            assert f"`{field}`" in guide, f"{column}.{field}"
    for field in scenes["intrinsics"]:
        assert f"`{field}`" in guide, f"intrinsics.{field}"


def test_the_guide_to_questions_has_a_row_for_every_id() -> None:
    from mira.taxonomy.catalogue import taxonomy

    guide = (ROOT / "docs" / "questions.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|", guide, re.MULTILINE)
    known = taxonomy()
    for kind in (known.templates, known.protocols, known.modalities):
        wanted = [entry.id for entry in kind]
        assert [row for row in rows if row in wanted] == wanted
    for subtask in known.subtasks:
        assert f"{subtask.name} (`{subtask.id}`)" in guide
    for template_id in known.reserved_templates:
        assert f"`{template_id}`" in guide


def test_the_guide_to_questions_says_who_answers_which() -> None:
    from qa_gen import perception
    from qa_gen.proposing.proposing import RULE_OF

    guide = (ROOT / "docs" / "questions.md").read_text("utf-8")
    by_labels = set(re.findall(r"^\| `(\w+)` \|.*\| labels and links \|$", guide, re.MULTILINE))
    source = Path(perception.__file__).read_text("utf-8")
    assert by_labels == set(re.findall(r'"((?:vc|mc|mr|ct|mpac|ac)_\d+)"', source))
    for template_id, rule in RULE_OF.items():
        row = rf"^\| `{rule}` \|[^|]*`{template_id}`"
        assert re.search(row, guide, re.MULTILINE), template_id


def test_the_guide_to_questions_explains_every_rule_and_reason() -> None:
    import qa_gen

    guide = (ROOT / "docs" / "questions.md").read_text("utf-8")
    found: set[str] = set()
    for path in Path(qa_gen.__file__).parent.glob("*.py"):
        if path.stem not in ("wording", "sentences"):
            text = path.read_text("utf-8")
            found |= set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', text))
    assert {"counterpart-undecided", "not-annotated", "link-of-pair"} <= found
    assert {code for code in found if f"`{code}`" not in guide} == set()
