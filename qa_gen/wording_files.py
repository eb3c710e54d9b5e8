"""Wording files: YAML read, checked against the taxonomy, and refused in one line.

A folder holds `referring.yaml` (how each protocol points), `options.yaml` (words for values, and
words that tell too much) and questions by template id in files of any other name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from mira.errors import TemplateError
from mira.schema.record import describe_fault
from mira.taxonomy.catalogue import taxonomy
from qa_gen.wording_records import Phrases, QuestionText, WordList

_REFERRING = "referring.yaml"
_OPTIONS = "options.yaml"

T = TypeVar("T")


@dataclass(frozen=True)
class WordingFiles:
    """What a folder of wording holds."""

    questions: dict[str, QuestionText]
    """By template id, all of the taxonomy."""
    question_files: dict[str, str]
    """The file of each."""
    phrases: dict[str, Phrases]
    """By protocol id, all of the taxonomy."""
    phrase_origins: dict[str, dict[str, str]]
    """By protocol id and field, the protocol in whose entry the phrase stands."""
    referring_file: str
    """The file of these."""
    words: WordList
    """Words for values."""
    options_file: str
    """The file of these."""


class _Loader(yaml.SafeLoader):
    """Refuses keys that are no text, and keys given twice, of which YAML would keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping of a node."""
        seen: set[str] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                continue
            fault = None
            if key.tag != "tag:yaml.org,2002:str":
                kind = key.tag.rpartition(":")[2]
                fault = f'the key {key.value} read as {kind} (quote it: "{key.value}")'
            elif key.value in seen:
                fault = f"the key {key.value} twice"
            if fault:
                raise yaml.constructor.ConstructorError(None, None, fault, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def read_wording_files(folder: Path | None = None) -> WordingFiles:
    """The wording of a folder, ours where none is given.

    Raises:
        TemplateError: A file cannot be read, or a field is missing, unknown or of a wrong kind.
    """
    root: Traversable = resources.files("qa_gen") / "templates" if folder is None else folder
    documents = _documents(root)
    for name in (_REFERRING, _OPTIONS):
        if name not in documents:
            raise TemplateError(str(root), f"expected {name} in it, found none")
    referring_file, referring = documents.pop(_REFERRING)
    options_file, options = documents.pop(_OPTIONS)
    questions: dict[str, QuestionText] = {}
    question_files: dict[str, str] = {}
    for where, document in documents.values():
        for template_id, question in _questions(document, where).items():
            if template_id in questions:
                first = question_files[template_id]
                raise TemplateError(where, f"{template_id}: expected it once, found it in {first}")
            questions[template_id], question_files[template_id] = question, where
    missing = [row.id for row in taxonomy().templates if row.id not in questions]
    if missing:
        raise TemplateError(
            str(root), f"{', '.join(missing)}: expected a question for each template, found none"
        )
    return WordingFiles(
        questions=questions,
        question_files=question_files,
        phrases=_phrases(referring, referring_file),
        phrase_origins=_phrase_origins(referring),
        referring_file=referring_file,
        words=_word_list(options, options_file),
        options_file=options_file,
    )


def _documents(root: Traversable) -> dict[str, tuple[str, dict[str, Any]]]:
    """For each file name the whole path and what the file holds."""
    try:
        entries = sorted(root.iterdir(), key=lambda entry: entry.name)
    except OSError as error:
        raise TemplateError(str(root), f"cannot be read: {error.strerror or error}") from None
    documents = {}
    for entry in entries:
        ending = Path(entry.name).suffix
        if entry.name.startswith(".") or ending.lower() not in (".yaml", ".yml"):
            continue
        if ending != ".yaml":
            raise TemplateError(str(entry), f"expected the ending .yaml, found {ending}")
        documents[entry.name] = (str(entry), _document(entry))
    return documents


def _document(entry: Traversable) -> dict[str, Any]:
    where = str(entry)
    try:
        loader = _Loader(entry.read_text("utf-8"))
        loader.name = entry.name
        document = loader.get_single_data()
    except OSError as error:
        raise TemplateError(where, f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise TemplateError(where, f"expected UTF-8, found {error}", "save it as UTF-8") from None
    # PyYAML lets pass what its constructors raise: KeyError for `!!bool x`, ValueError for
    # 2024-13-01, RecursionError for a thousand brackets.
    except Exception as error:
        raise TemplateError(where, f"expected YAML, found: {error}") from None
    if not isinstance(document, dict):
        found = "nothing" if document is None else f"a {type(document).__name__}"
        raise TemplateError(where, f"expected a mapping, found {found}")
    return document


def _questions(document: dict[str, Any], where: str) -> dict[str, QuestionText]:
    slots = {row.id: row.slots.keys() for row in taxonomy().templates}
    _require_known(document, slots, where=where, kind="a template id of the taxonomy")
    questions = _validated(TypeAdapter(dict[str, QuestionText]), document, where)
    for template_id, question in questions.items():
        for slot in sorted(question.describe - slots[template_id]):
            names = ", ".join(slots[template_id]) or "none"
            raise TemplateError(
                where, f"{template_id}.describe: expected slots of it ({names}), found {slot}"
            )
    return questions


def _phrases(document: dict[str, Any], where: str) -> dict[str, Phrases]:
    protocols = [row.id for row in taxonomy().protocols]
    _require_known(document, protocols, where=where, kind="a protocol of the taxonomy")
    for protocol in protocols:
        if protocol not in document:
            raise TemplateError(where, f"{protocol}: expected how it points, found none")
    whole = {protocol: _inherited(document, protocol, where) for protocol in document}
    return _validated(TypeAdapter(dict[str, Phrases]), whole, where)


def _phrase_origins(document: dict[str, Any]) -> dict[str, dict[str, str]]:
    origins = {}
    for protocol, entry in document.items():
        parent = entry.get("inherit", protocol)
        origins[protocol] = {
            field: protocol if field in entry else parent for field in Phrases.model_fields
        }
    return origins


def _inherited(document: dict[str, Any], protocol: str, where: str) -> object:
    """The entry of a protocol, with what it takes over from another."""
    entry = document[protocol]
    if not isinstance(entry, dict) or "inherit" not in entry:
        return entry
    parent = entry["inherit"]
    origin = document.get(parent) if isinstance(parent, str) else None
    if not isinstance(origin, dict) or "inherit" in origin:
        raise TemplateError(
            where,
            f"{protocol}.inherit: expected a protocol with phrases of its own, found {parent!r}",
        )
    return origin | {key: text for key, text in entry.items() if key != "inherit"}


def _word_list(document: dict[str, Any], where: str) -> WordList:
    words = _validated(TypeAdapter(WordList), document, where)
    sets = [values for values in taxonomy().option_sets.values() if isinstance(values, tuple)]
    for values in sets:
        _require_words(words.options, values, where=where, field="options.")
    known = {value for values in sets for value in values}
    _require_known(words.options, known, where=where, field="options.", kind="an option")
    lists = taxonomy().directions
    _require_known(words.directions, lists, where=where, field="directions.", kind="a list")
    for name, values in lists.items():
        if name not in words.directions:
            raise TemplateError(where, f"directions.{name}: expected words for it, found none")
        given, field = words.directions[name], f"directions.{name}."
        _require_words(given, values, where=where, field=field)
        _require_known(given, values, where=where, field=field, kind="a direction")
    return words


def _require_words(
    words: Mapping[str, str], values: Iterable[str], *, where: str, field: str
) -> None:
    said: dict[str, str] = {}
    for value in values:
        if value not in words:
            raise TemplateError(where, f"{field}{value}: expected words for it, found none")
        same = said.setdefault(words[value].strip().casefold(), value)
        if same != value:
            raise TemplateError(
                where, f"{field}{value}: expected words of its own, found those of {same}"
            )


def _require_known(
    given: Iterable[str], known: Iterable[str], *, where: str, kind: str, field: str = ""
) -> None:
    allowed = list(known)
    for key in given:
        if key not in allowed:
            raise TemplateError(where, f"{field}{key}: expected {kind}, found another name")


def _validated(adapter: TypeAdapter[T], document: object, where: str) -> T:
    try:
        return adapter.validate_python(document)
    except ValidationError as error:
        boolean = isinstance(error.errors()[0]["input"], bool)
        fix = (
            'YAML reads yes, no, on and off as booleans: quote it, as in "yes"' if boolean else None
        )
        raise TemplateError(where, describe_fault(error), fix) from None
