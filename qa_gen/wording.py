"""Sentences for questions, from wording files that are data.

A wording file is YAML with Jinja sentences (see `templates/`); another set of files replaces ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from jinja2 import StrictUndefined, Template
from jinja2 import TemplateError as JinjaError
from jinja2.sandbox import SandboxedEnvironment

from mira.errors import TemplateError
from mira.schema.qa import Mark, Protocol, Wording
from mira.taxonomy.catalogue import ProtocolInfo, taxonomy

_REFERRING = "referring"
_OPTIONS = "options"
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class _Question:
    sentence: Template
    describe: frozenset[str]


@dataclass(frozen=True)
class _Pointing:
    preamble: Template
    one: Template
    many: Template
    candidate: Template
    described: Template


class WordingBook:
    """All sentences, compiled once."""

    def __init__(self, documents: dict[str, dict[str, Any]], *, where: str) -> None:
        self._where = where
        self._env = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
        self._env.filters["capfirst"] = lambda text: text[:1].upper() + text[1:]
        self._documents = documents

    @classmethod
    def read(cls, folder: Path | None = None) -> WordingBook:
        """The wording files of a folder, ours where none is given.

        Raises:
            TemplateError: The folder holds no wording file, or one that is no YAML mapping.
        """
        root = folder or resources.files("qa_gen") / "templates"
        documents: dict[str, dict[str, Any]] = {}
        for entry in sorted(root.iterdir(), key=lambda item: item.name):
            if not entry.name.endswith(".yaml"):
                continue
            try:
                document = yaml.safe_load(entry.read_text("utf-8"))
            except (yaml.YAMLError, UnicodeDecodeError) as error:
                raise TemplateError(str(entry), f"expected YAML, found: {error}") from None
            if not isinstance(document, dict):
                raise TemplateError(str(entry), "expected a mapping of template ids")
            documents[entry.name.removesuffix(".yaml")] = document
        if not {_REFERRING, _OPTIONS} <= documents.keys():
            raise TemplateError(str(root), "expected referring.yaml and options.yaml in it")
        return cls(documents, where=str(root))

    @cached_property
    def _questions(self) -> dict[str, _Question]:
        questions = {}
        for name, document in self._documents.items():
            if name in (_REFERRING, _OPTIONS):
                continue
            for template_id, entry in document.items():
                questions[template_id] = _Question(
                    sentence=self._compile(entry["question"], template_id),
                    describe=frozenset(entry.get("describe", ())),
                )
        return questions

    @cached_property
    def _pointing(self) -> dict[str, _Pointing]:
        document = self._documents[_REFERRING]
        pointing: dict[str, _Pointing] = {}
        for protocol in taxonomy().protocols:
            entry = document[protocol.id]
            entry = document[entry["inherit"]] if "inherit" in entry else entry
            pointing[protocol.id] = _Pointing(
                **{key: self._compile(text, f"{protocol.id}.{key}") for key, text in entry.items()}
            )
        return pointing

    @cached_property
    def _revealing(self) -> frozenset[str]:
        return frozenset(self._documents[_OPTIONS]["revealing_words"])

    @property
    def template_ids(self) -> tuple[str, ...]:
        """Templates that have a sentence."""
        return tuple(sorted(self._questions))

    def option_text(self, value: str) -> str:
        """The words for a value of an option set."""
        text: str = self._documents[_OPTIONS]["options"][value]
        return text

    def reveals(self, description: str) -> bool:
        """Whether a description tells how its object is seen."""
        return any(word.lower() in self._revealing for word in _WORD.findall(description))

    def described_slots(self, template_id: str) -> frozenset[str]:
        """Slots that the protocols with a description put into words."""
        return self._questions[template_id].describe

    def wording(
        self,
        template_id: str,
        protocol: ProtocolInfo,
        marks: Sequence[Mark],
        *,
        descriptions: dict[int, str],
        size_px: tuple[int, int],
        option_values: Sequence[str] = (),
    ) -> Wording:
        """A question in one protocol.

        Args:
            template_id: Which question.
            protocol: How it points.
            marks: Slots, then candidates.
            descriptions: For each instance id, the words for it.
            size_px: Width and height of the picture shown.
            option_values: Values of the option set where options are not candidates.

        Raises:
            TemplateError: The sentence asks for a slot that the marks do not have.
        """
        question = self._questions[template_id]
        pointing = self._pointing[protocol.id]
        slots = [mark for mark in marks if mark.role == "slot"]
        phrase = pointing.one if len(marks) == 1 else pointing.many
        phrases = {}
        for mark in slots:
            words = _point(phrase, mark)
            if protocol.description and mark.label in question.describe:
                words += pointing.described.render(description=descriptions[mark.instance_id])
            phrases[mark.label] = words
        try:
            sentence = question.sentence.render(phrases)
        except JinjaError as error:
            raise TemplateError(self._where, f"{template_id}.question: {error}") from None
        preamble = pointing.preamble.render(width=size_px[0], height=size_px[1]) if marks else ""
        candidates = [mark for mark in marks if mark.role == "candidate"]
        texts = (
            tuple(_point(pointing.candidate, mark) for mark in candidates)
            if candidates
            else tuple(self.option_text(value) for value in option_values)
        )
        return Wording(
            protocol=protocol.id,
            question=f"{preamble} {sentence}".strip(),
            option_texts=texts,
        )

    def _compile(self, text: str, where: str) -> Template:
        try:
            return self._env.from_string(text)
        except JinjaError as error:
            raise TemplateError(self._where, f"{where}: {error}") from None


def protocol_infos(wanted: Sequence[Protocol] | None = None) -> tuple[ProtocolInfo, ...]:
    """The protocols of the taxonomy, or those wanted of them."""
    return tuple(p for p in taxonomy().protocols if wanted is None or p.id in wanted)


def _point(phrase: Template, mark: Mark) -> str:
    x1, y1, x2, y2 = mark.box_xyxy_px
    return phrase.render(label=mark.label, x1=x1, y1=y1, x2=x2, y2=y2)
