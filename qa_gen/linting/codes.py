"""Every code of a finding about wording files, and what it means."""

from __future__ import annotations

CODES = {
    # A text that cannot be used: `mira qa generate` refuses it too
    "jinja-invalid": "a text is no Jinja, or cannot be filled in",
    "slot-unknown": "a question names something that its template does not have",
    "slot-missing": "a question does not show a slot or the direction of its template",
    "value-unknown": "a phrase names something that it is not told",
    "value-missing": "a phrase does not show what its protocol points with",
    # How a text is built
    "slot-twice": "a question names a slot or the direction more than once",
    "text-repeated": "two questions are the same but for case, spaces and marks",
    "space-at-edge": "a text begins or ends with a space",
    # Spaces, marks, letters
    "space-doubled": "two spaces follow each other",
    "space-odd": "a tab, a line break or another space than the plain one",
    "space-misplaced": "a space is missing after a mark, or stands before one",
    "mark-doubled": "a mark is there twice",
    "end-mark-missing": "a question or a preamble ends without a mark",
    "capital-missing": "a sentence begins with a small letter",
    "bracket-unbalanced": "a bracket is not opened or not closed",
    "quote-unbalanced": "a quotation mark is not closed",
    "letter-unprintable": "a sign that nobody sees",
    "letter-confusable": "a letter of another alphabet that looks like a Latin one",
    "sentence-long": "a sentence is longer than people read at once",
    # English grammar
    "article-wrong": "`a` where `an` belongs, or the other way round",
    "article-doubled": "two articles in a row",
    "number-agreement": "a singular where a plural belongs, or the other way round",
    "word-doubled": "a word is there twice in a row",
    "grammar-unchecked": "the sentences are not English, so their grammar was not checked",
    # What is said
    "question-missing": "a question does not ask",
    "answer-words-missing": "a question does not name an axis, or a word that answers it",
    "answer-words-other": "a question names an answer that is not read as one",
    "options-counted": "a question says how many options there are, which differs",
    "answer-revealed": "a text tells how its object is seen, or which answer is right",
    "picture-untrue": "a text speaks of what its protocol does not show",
    "box-order": "a box is given in another order than the preamble says",
    # Words for values
    "words-equal": "two options or directions are the same but for case, spaces and marks",
    "words-prefix": "an option begins as another one reads",
}
