"""Questions of each published layout, as items."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from mira.errors import MiraError, TomSetError
from mira.evals.tom.importing import TomImport, import_set
from mira.evals.tom.sets.choices import ImportChoices
from mira.schema.episode import TomItem
from mira.store.episodes import EpisodeStore

Items = Callable[..., dict[str, TomItem]]


def told(items: dict[str, TomItem]) -> list[tuple[object, ...]]:
    return [(one.kind, one.order, one.condition, one.answer) for one in items.values()]


def right_text(item: TomItem) -> str:
    return next((o.value for o in item.options if o.label == item.answer), item.answer)


def test_tomi_tells_kind_order_and_whether_a_belief_is_false_by_its_trace(items_of: Items) -> None:
    items = items_of("tomi")
    assert told(items) == [
        ("control", 0, "memory", "red_tub"),
        ("control", 0, "reality", "blue_sack"),
        ("belief", 1, "true_belief", "blue_sack"),
        ("belief", 1, "false_belief", "red_tub"),
        ("belief", 2, "false_belief", "red_tub"),
        ("belief", 2, "false_belief", "red_tub"),
    ]
    assert {one.joint_group for one in items.values()} == {"tomi-fb_test-0001"}
    assert {one.licence for one in items.values()} == {"CC-BY-NC-4.0"}


def test_tomi_has_its_trace_whatever_the_case_of_their_endings(
    write_set: Callable[..., Path], tmp_path: Path
) -> None:
    folder = write_set("tomi")
    for path in list(folder.glob("*.t*")):
        path.rename(path.with_suffix(path.suffix.upper()))
    found = import_set(folder, tmp_path / "run")
    items = EpisodeStore.open(tmp_path / "run").tom_items()
    assert any(one.condition == "false_belief" for one in items), found.not_read


def test_tomi_without_its_trace_tells_the_kind_alone(
    write_set: Callable[..., Path], tmp_path: Path
) -> None:
    folder = write_set("tomi")
    (folder / "fb_test.trace").unlink()
    import_set(folder, tmp_path / "out")
    items = EpisodeStore.open(tmp_path / "out").tom_items()
    assert [(one.kind, one.order) for one in items] == [
        *[("control", 0)] * 2,
        *[("belief", 1)] * 2,
        *[("belief", 2)] * 2,
    ]


def test_tomi_is_read_out_of_its_zip_archive(
    layouts: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "tomi.zip", "w") as archive:
        for name, text in layouts["tomi"].items():
            archive.writestr(f"sets/{name}", text)
    found = import_set(tmp_path / "tomi.zip", tmp_path / "out")
    assert (found.source, found.items) == ("ToMi", 6)


def test_hitom_asks_once_what_its_copies_agree_on_and_nothing_they_do_not(
    items_of: Items, imported: Callable[..., TomImport]
) -> None:
    assert told(items_of("hitom")) == [("control", 0, "reality", "B"), ("belief", 1, None, "B")]
    found = imported("hitom")
    assert found.reasons == {"contradictory": 2, "repeated": 2}
    assert found.joint_groups == 0


def test_hitom_gives_one_copy_whole(imported: Callable[..., TomImport]) -> None:
    found = imported("hitom", choices=ImportChoices(prompting="cotp"))
    assert (found.items, found.joint_groups, found.left_out) == (3, 1, ())


def test_fantom_asks_a_set_so_that_all_of_it_counts_together(items_of: Items) -> None:
    items = items_of("fantom")
    together = [one.category for one in items.values() if one.joint_group]
    assert Counter(together) == {
        "belief": 2,
        "answerability list": 1,
        "info_accessibility list": 1,
        "answerability yes or no": 2,
        "info_accessibility yes or no": 1,
    }
    assert {one.condition for one in items.values() if one.joint_group} == {"false_belief"}
    assert [one.order for one in items.values() if one.category == "belief"] == [1, 2]
    assert right_text(items["fantom-7-0-1-fact"]) == "The ferry leaves at nine."
    assert items["fantom-7-0-1-answerability-list"].answer == "Ida, Otto"
    assert "When does the ferry leave?" in items["fantom-7-0-1-answerability-1"].question
    assert "at nine" not in items["fantom-7-0-1-answerability-1"].question
    assert "at nine" in items["fantom-7-0-1-info_accessibility-1"].question


def test_fantom_in_full_asks_for_those_who_come_later_too(items_of: Items) -> None:
    items = items_of("fantom", choices=ImportChoices(context="full"))
    assert "Mia: Hello." in str(items["fantom-7-0-1-full-fact"].story)
    assert items["fantom-7-0-1-full-answerability-3"].answer == "no"


def test_tombench_tells_controls_and_conditions_of_the_false_belief_task(items_of: Items) -> None:
    assert told(items_of("tombench")) == [
        ("control", 0, "reality", "B"),
        ("control", 0, "memory", "A"),
        ("belief", 1, "true_belief", "B"),
        ("belief", 1, "false_belief", "A"),
        ("belief", 2, "false_belief", "A"),
    ]


def test_tombench_is_read_in_chinese(items_of: Items) -> None:
    items = items_of("tombench", choices=ImportChoices(language="zh"))
    first = items["tombench-False_Belief_Task-0001-zh"]
    assert [one.value for one in first.options] == list("红蓝绿黄")


def test_simpletom_is_read_in_its_three_layouts(items_of: Items) -> None:
    items = items_of("simpletom")
    assert {name: (one.kind, right_text(one)) for name, one in items.items()} == {
        "simpletom-milk_sev1_aware": ("belief", "No"),
        "simpletom-milk_sev1_action": ("action", "Pay for the milk."),
        "simpletom-milk_sev1_judge": ("judgement", "Reasonable"),
        "simpletom-bread_sev2_aware": ("belief", "No"),
    }
    milk = [one for one in items.values() if one.joint_group == "simpletom-milk_sev1"]
    assert len(milk) == 3
    assert {one.story_id for one in milk} == {"simpletom-milk"}


def test_bigtom_makes_the_conditions_of_its_authors_of_a_row(items_of: Items) -> None:
    items = items_of("bigtom")
    false = items["bigtom-001-hidden-forward_belief-false_belief"]
    assert false.story == (
        "Ida runs a dairy. Ida wants to sell fresh milk. The milk smells fresh. "
        "At noon the cooling fails and the milk turns. "
        "Ida does not see that the cooling has failed."
    )
    assert right_text(false) == "Ida believes the milk is fresh."
    true = items["bigtom-001-shown-forward_action-true_belief"]
    assert str(true.story).endswith(
        "Ida believes that the milk is fresh. At noon the cooling fails and the milk turns. "
        "Ida sees that the cooling has failed."
    )
    assert right_text(true) == "Ida will pour the milk away."
    control = items["bigtom-001-hidden-backward_belief-true_control"]
    assert str(control.story).endswith("The milk smells fresh. A cat walks by. Ida sells the milk.")
    assert right_text(control) == "Ida believes the milk is fresh."
    assert len(items) == 22
    groups = Counter(one.joint_group for one in items.values() if one.joint_group)
    assert set(groups.values()) == {2}


def test_a_wish_that_is_the_same_for_all_is_a_bad_answer(
    imported: Callable[..., TomImport],
) -> None:
    found = imported("bigtom")
    assert found.reasons == {"right-equals-wrong": 8}
    assert "backward_desire" in found.left_out[0].where


def test_mmtom_takes_the_question_from_the_scene(items_of: Items) -> None:
    first, goal = items_of("mmtom").values()
    assert str(first.story).endswith("Ida goes to the sack.")
    assert first.question == "If Ida wants a rope, which one is more likely to be true?"
    assert right_text(first) == "Ida thinks that the rope is in the sack."
    assert [(one.kind, one.condition) for one in (first, goal)] == [
        ("belief", "true_belief"),
        ("state", None),
    ]


def test_mumatom_asks_of_the_telling_that_stands_with_the_question(
    imported: Callable[..., TomImport],
) -> None:
    found = imported("mumatom")
    (item,) = EpisodeStore.open(Path(found.out)).tom_items()
    assert item.story == 'Ida asked, "Where\'s the rope?" Otto said, "In the tub."\n\nIda took it.'
    assert item.question == "If Otto helps Ida, which is MOST likely?"
    assert [(one.reason, one.detail) for one in found.left_out] == [("name-not-in-story", "Paul")]


@pytest.mark.parametrize("turns_options", [False, True])
@pytest.mark.parametrize(
    "name", ["tomi", "hitom", "fantom", "tombench", "simpletom", "bigtom", "mmtom", "mumatom"]
)
def test_the_set_is_seen_from_its_files_and_equal_input_gives_equal_bytes(
    name: str, turns_options: bool, write_set: Callable[..., Path], tmp_path: Path
) -> None:
    folder = write_set(name)
    (folder / "SOURCE.txt").write_text("From somewhere.\n")
    for out in ("one", "two"):
        found = import_set(folder, tmp_path / out, turns_options=turns_options)
        assert found.not_read == ("SOURCE.txt",)
    for file in ("run.json", "tom_items.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    named = import_set(folder, tmp_path / "one", name=name, turns_options=turns_options)  # type: ignore[arg-type]
    assert named.items == found.items


def test_files_of_two_sets_are_refused_until_one_is_named(
    write_set: Callable[..., Path], tmp_path: Path
) -> None:
    write_set("tombench")
    write_set("bigtom")
    with pytest.raises(TomSetError, match="found ToMBench and BigToM"):
        import_set(tmp_path, tmp_path / "out")
    assert import_set(tmp_path, tmp_path / "out", name="bigtom").source == "BigToM"


def test_a_folder_that_holds_something_else_is_left_as_it_is(
    write_set: Callable[..., Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "letters.txt").write_text("mine")
    with pytest.raises(MiraError, match="new or empty"):
        import_set(write_set("bigtom"), out)
    assert [path.name for path in out.iterdir()] == ["letters.txt"]
    import_set(write_set("bigtom"), tmp_path / "bigtom-run")
    with pytest.raises(MiraError, match="name: expected BigToM as before"):
        import_set(write_set("mmtom"), tmp_path / "bigtom-run")


@pytest.mark.parametrize(
    ("name", "file", "was", "now", "found"),
    [
        ("tomi", "fb_test.txt", "2 Otto entered", "Otto entered", r"txt:2: expected a number"),
        ("tomi", "fb_test.trace", "enter,moves,memory", "memory", r"2 parts|5|expected"),
        ("hitom", "Hi-ToM_data.json", '"question_order": 2', '"question_order": "2"', "order"),
        ("fantom", "fantom_v1.json", '"set_id"', '"set"', r"0: set_id: expected it"),
        ("fantom", "fantom_v1.json", ":inaccessible", ":elsewhere", "inaccessible or accessible"),
        ("tombench", "False Belief Task.jsonl", '"STORY"', '"TALE"', r"jsonl:1: STORY"),
        ("simpletom", "hub.jsonl", "_judge", "_think", r"hub.jsonl:1: id: expected an ending"),
        ("bigtom", "bigtom.csv", "The milk smells fresh. ", "", "expected 5 sentences, found 4"),
        ("mmtom", "questions.json", "1.1", "3.1", r"question_type: expected one of 1.1"),
        ("mumatom", "questions.json", '"social_goal"', '"goal"', r"labels.2: expected one of"),
    ],
)
def test_a_fault_is_told_by_file_and_field(
    name: str,
    file: str,
    was: str,
    now: str,
    found: str,
    layouts: dict[str, dict[str, str]],
    write_set: Callable[..., Path],
    tmp_path: Path,
) -> None:
    assert was in layouts[name][file]
    folder = write_set(name, **{file: layouts[name][file].replace(was, now)})
    if now == "memory":
        (folder / file).write_text("memory\n")
    with pytest.raises(TomSetError, match=found):
        import_set(folder, tmp_path / "out", name=name)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_a_zip_archive_with_paths_that_lead_out_is_read_where_it_is(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../../bad.txt", "1 Ida went.\n2 Where?\tthere\t1\n")
    (tmp_path / "set.zip").write_bytes(buffer.getvalue())
    assert import_set(tmp_path / "set.zip", tmp_path / "out", name="tomi").items == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "set.zip"]
