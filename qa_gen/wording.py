"""Sentences for questions, from wording files that are data.

A wording file is YAML with Jinja sentences (see `templates/`); another set of files replaces ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from jinja2 import StrictUndefined, Template
from jinja2 import TemplateError as JinjaError
from jinja2.sandbox import SandboxedEnvironment

from mira.errors import TemplateError
from mira.schema.qa import Box, Mark, Protocol, Wording
from mira.taxonomy.catalogue import ProtocolInfo, taxonomy

_REFERRING = "referring"
_OPTIONS = "options"
_KEPT = 4096
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
        # Wording needs no `range` or `dict`, and every rendering would copy them.
        self._env.globals.clear()
        self._documents = documents
        # Most phrases and sentences come again: all drawn boxes read alike.
        self._phrase = lru_cache(_KEPT)(self._render_phrase)
        self._sentence = lru_cache(_KEPT)(self._render_sentence)
        self._preamble = lru_cache(_KEPT)(self._render_preamble)

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
        described = self._questions[template_id].describe
        style = "one" if len(marks) == 1 else "many"
        phrases = []
        for mark in marks:
            if mark.role == "slot":
                words = self._phrase(protocol.id, style, mark.label, mark.box_xyxy_px)
                if protocol.description and mark.label in described:
                    words += self._described(protocol.id, descriptions[mark.instance_id])
                phrases.append((mark.label, words))
        sentence = self._sentence(template_id, tuple(phrases))
        preamble = self._preamble(protocol.id, size_px) if marks else ""
        candidates = tuple(
            self._phrase(protocol.id, "candidate", mark.label, mark.box_xyxy_px)
            for mark in marks
            if mark.role == "candidate"
        )
        return Wording(
            protocol=protocol.id,
            question=f"{preamble} {sentence}".strip(),
            option_texts=candidates or tuple(self.option_text(value) for value in option_values),
        )

    def _render_phrase(self, protocol_id: str, style: str, label: str, box: Box) -> str:
        x1, y1, x2, y2 = box
        template: Template = getattr(self._pointing[protocol_id], style)
        return template.render(label=label, x1=x1, y1=y1, x2=x2, y2=y2)

    def _render_sentence(self, template_id: str, phrases: tuple[tuple[str, str], ...]) -> str:
        try:
            return self._questions[template_id].sentence.render(phrases)
        except JinjaError as error:
            raise TemplateError(self._where, f"{template_id}.question: {error}") from None

    def _described(self, protocol_id: str, description: str) -> str:
        return self._pointing[protocol_id].described.render(description=description)

    def _render_preamble(self, protocol_id: str, size_px: tuple[int, int]) -> str:
        width, height = size_px
        return self._pointing[protocol_id].preamble.render(width=width, height=height)

    def _compile(self, text: str, where: str) -> Template:
        try:
            return self._env.from_string(text)
        except JinjaError as error:
            raise TemplateError(self._where, f"{where}: {error}") from None


def protocol_infos(wanted: Sequence[Protocol] | None = None) -> tuple[ProtocolInfo, ...]:
    """The protocols of the taxonomy, or those wanted of them."""
    return tuple(p for p in taxonomy().protocols if wanted is None or p.id in wanted)
