"""Small sets of our own, each in the layout of a published one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mira.evals.tom.importing import TomImport, import_set
from mira.schema.episode import TomItem
from mira.schema.qa import Option
from mira.store.episodes import EpisodeStore

_TOMI = """\
1 Ida entered the shed.
2 Otto entered the shed.
3 The rope is in the red_tub.
4 Otto exited the shed.
5 Ida moved the rope to the blue_sack.
"""
_TOMI_QUESTIONS = (
    ("Where was the rope at the beginning?", "red_tub", "memory"),
    ("Where is the rope really?", "blue_sack", "reality"),
    ("Where will Ida look for the rope?", "blue_sack", "first_order_0_no_tom"),
    ("Where will Otto look for the rope?", "red_tub", "first_order_1_tom"),
    ("Where does Ida think that Otto searches for the rope?", "red_tub", "second_order_0_tom"),
    ("Where does Otto think that Ida searches for the rope?", "red_tub", "second_order_1_tom"),
)


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _tomi() -> dict[str, str]:
    text = "".join(f"{_TOMI}6 {question}\t{answer}\t3\n" for question, answer, _ in _TOMI_QUESTIONS)
    trace = "".join(f"enter,moves,{kind},false_belief\n" for _, _, kind in _TOMI_QUESTIONS)
    return {"fb_test.txt": text, "fb_test.trace": trace}


def _hitom() -> dict[str, str]:
    story = "1 Ida and Otto entered the shed.\n2 The rope is in the red_tub.\n3 Ida left.\n\n"
    rows = [
        {
            "prompting_type": prompting,
            "deception": False,
            "story_length": 1,
            "question_order": order,
            "sample_id": 10 * copy + order,
            "story": ("" if copy else "Read the story and answer.\n") + story,
            "question": f"Where is the rope, {order} deep?",
            "choices": "A. blue_sack, B. red_tub, C. green_box",
            "answer": "blue_sack" if copy and order == 2 else "red_tub",
        }
        for copy, prompting in enumerate(("VP", "CoTP"))
        for order in (0, 1, 2)
    ]
    return {"Hi-ToM_data.json": json.dumps({"data": rows})}


def _fantom() -> dict[str, str]:
    missed = {"missed_info_accessibility": "inaccessible"}
    lists = {"correct_answer": ["Ida", "Otto"], "wrong_answer": ["Paul"], **missed}
    row = {
        "set_id": "7-0-1",
        "short_context": "Ida: The ferry leaves at nine.\nOtto: Good.",
        "full_context": "Paul: Bye.\nIda: The ferry leaves at nine.\nOtto: Good.\nMia: Hello.",
        "factQA": {
            "question": "When does the ferry leave?",
            "correct_answer": "The ferry leaves at nine.",
            "wrong_answer": "Nobody says when it leaves.",
            "question_type": "fact",
        },
        "beliefQAs": [
            {
                "question": "What does Paul believe about the ferry?",
                "correct_answer": "Paul does not know when it leaves.",
                "wrong_answer": "Paul believes it leaves at nine.",
                "question_type": "tom:belief:inaccessible",
                "tom_type": "first-order",
                **missed,
            },
            {
                "question": "What does Ida believe that Paul believes about the ferry?",
                "correct_answer": "Ida believes that Paul does not know.",
                "wrong_answer": "Ida believes that Paul expects it at nine.",
                "question_type": "tom:belief:inaccessible",
                "tom_type": "second-order:acyclic",
                **missed,
            },
        ],
        "answerabilityQA_list": {"question": "List all who can answer.", **lists},
        "infoAccessibilityQA_list": {"question": "List all who know.", **lists},
        "answerabilityQAs_binary": [
            {"question": "Can Ida answer?", "correct_answer": "yes", **missed},
            {"question": "Can Paul answer?", "correct_answer": "no", **missed},
            {"question": "Can Mia answer?", "correct_answer": "no:long", **missed},
        ],
        "infoAccessibilityQAs_binary": [
            {"question": "Does Paul know it?", "correct_answer": "no", **missed}
        ],
    }
    return {"fantom_v1.json": json.dumps([row])}


def _tombench() -> dict[str, str]:
    def row(index: int, question: str, letter: str, ability: str) -> dict[str, Any]:
        return {
            "能力\nABILITY": ability,
            "序号\nINDEX": index,
            "故事": "易达把绳子放进红桶。",
            "问题": question,
            **{
                f"选项{one}": f"{one}. {text}" for one, text in zip("ABCD", "红蓝绿黄", strict=True)
            },
            "STORY": "Ida puts the rope in the red tub. Otto moves it to the blue sack unseen.",
            "QUESTION": question,
            "OPTION-A": "Red tub",
            "OPTION-B": "Blue sack",
            "OPTION-C": "Green box",
            "OPTION-D": "Yellow bag",
            "答案\nANSWER": letter,
        }

    first, second = "Belief: Location false beliefs", "Belief: Second-order beliefs"
    rows = [
        row(1, "Where is the rope now?", "B", first),
        row(2, "Where is the rope before?", "A. ", first),
        row(3, "Where does Otto look?", "B", first),
        row(4, "Where does Ida look?", "A", first),
        row(5, "Where does Otto think Ida looks?", "A", second),
    ]
    return {"False Belief Task.jsonl": _lines(rows)}


def _simpletom() -> dict[str, str]:
    story = "The milk in the carton is sour. Ida puts the carton in her basket."
    generated = [
        {
            "id": f"milk_sev1_{ending}",
            "story": story,
            "question": question,
            "answer_correct": right,
            "answer_incorrect": wrong,
        }
        for ending, question, right, wrong in (
            ("aware", "Is Ida aware of it?", "No", "Yes"),
            ("action", "What will Ida do?", "Pay for the milk.", "Take another carton."),
        )
    ]
    hub = {
        "id": "milk_sev1_judge",
        "story": story,
        "question": "Ida pays for the milk. Is that sensible?",
        "choices": {"text": ["Not reasonable", "Reasonable"], "label": ["A", "B"]},
        "answerKey": "B",
    }
    prompt = {
        "id": "bread_sev2_aware",
        "prompt": "Given a story.\n\nStory:\nThe bread is mouldy inside. Otto buys it.\n\n"
        "Question: Is Otto aware of it? \n(A) Yes \n(B) No\n\nWhat is the answer?\n",
        "correct": "B",
    }
    return {
        "generated.jsonl": _lines(generated),
        "hub.jsonl": _lines([hub]),
        "inference.jsonl": _lines([prompt]),
    }


def _bigtom() -> dict[str, str]:
    cells = [
        "Ida runs a dairy. Ida wants to sell fresh milk. The milk smells fresh. "
        "Ida believes that the milk is fresh. At noon the cooling fails and the milk turns.",
        "Ida sees that the cooling has failed.",
        "Ida does not see that the cooling has failed.",
        "Ida pours the milk away.",
        "Ida sells the milk.",
        "Does Ida believe the milk is fresh or sour?",
        "Does Ida want to sell fresh milk?",
        "What will Ida do?",
        "Ida believes the milk is sour.",
        "Ida wants to sell fresh milk.",
        "Ida will pour the milk away.",
        "Ida believes the milk is fresh.",
        "Ida wants to sell fresh milk.",
        "Ida will sell the milk.",
        "A cat walks by.",
        "Ida sees the cat.",
        "Ida does not see the cat.",
        "auto",
        "0",
    ]
    return {"bigtom.csv": ";".join(cells) + "\n"}


def _mmtom() -> dict[str, str]:
    rows = [
        {
            "question": "What's inside the house: The tub is empty. \nActions taken by Ida: Ida "
            "goes to the sack. \nQuestion: If Ida wants a rope, which one is more likely to be "
            "true? "
            "(a) Ida thinks that the rope is in the sack. (b) Ida thinks that it is not. "
            "Please respond with either a or b.",
            "answer": "a",
            "question_type": kind,
            "episode": 3,
            "end_time": end,
            "answer_list": ["a", "b"],
        }
        for end, kind in ((5, 1.1), (9, 2.4))
    ]
    rows[1]["question"] = str(rows[1]["question"]).replace("If Ida wants a rope, which", "Which")
    return {"questions.json": _lines(rows)}


def _mumatom() -> dict[str, str]:
    told = r"b'Ida asked, \"Where\'s the rope?\" Otto said, \"In the tub.\"\n\nIda took it.'"
    question = (
        "If Otto helps Ida, which is MOST likely?\nA) When giving information, Otto believed that "
        "the rope was in the tub\nB) When giving information, Otto believed that it was not"
    )
    right = "A) When giving information, Otto believed that the rope was in the tub\n"
    document = {
        "41": {
            "description": told,
            "questions": {"1": question, "2": question.replace("believed", "hoped, with Paul,")},
            "answers": {"1": right, "2": right.replace("believed", "hoped, with Paul,")},
            "labels": {"1": "belief", "2": "social_goal"},
        }
    }
    texts = {"41": "Somebody else asked."}
    return {"questions.json": json.dumps(document), "texts.json": json.dumps(texts)}


LAYOUTS: dict[str, dict[str, str]] = {
    "tomi": _tomi(),
    "hitom": _hitom(),
    "fantom": _fantom(),
    "tombench": _tombench(),
    "simpletom": _simpletom(),
    "bigtom": _bigtom(),
    "mmtom": _mmtom(),
    "mumatom": _mumatom(),
}


@pytest.fixture
def layouts() -> dict[str, dict[str, str]]:
    """Files of each set by their names."""
    return LAYOUTS


@pytest.fixture
def write_set(tmp_path: Path) -> Callable[..., Path]:
    """Writes the files of a set, some of them otherwise, into a folder."""

    def write(name: str, **others: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for file, text in (LAYOUTS[name] | others).items():
            (folder / file).write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def imported(write_set: Callable[..., Path], tmp_path: Path) -> Callable[..., TomImport]:
    """Imports a set into a run of its own."""

    def do(name: str, **how: Any) -> TomImport:
        return import_set(write_set(name), tmp_path / f"run-{name}", **how)

    return do


@pytest.fixture
def items_of(imported: Callable[..., TomImport]) -> Callable[..., dict[str, TomItem]]:
    """Imports a set, and gives its items by their ids."""

    def read(name: str, **how: Any) -> dict[str, TomItem]:
        store = EpisodeStore.open(Path(imported(name, **how).out))
        return {item.item_id: item for item in store.tom_items()}

    return read


@pytest.fixture
def make_item() -> Callable[..., TomItem]:
    """Makes an item from what matters to a test."""

    def make(item_id: str = "one", *, options: str = "", **fields: Any) -> TomItem:
        letters = "ABCDEFGH"
        offered = options.split("|") if options else []
        return TomItem(
            **{
                "item_id": item_id,
                "story": "Ida puts the rope in the red tub.",
                "question": "Where is it?",
                "options": tuple(
                    Option(label=label, value=value)
                    for label, value in zip(letters, offered, strict=False)
                ),
                "answer": "A" if offered else "red_tub",
                "order": 1,
                "kind": "belief",
                "source": "ours",
                **fields,
            }
        )

    return make
