"""What is taken from a person, and what is refused with the reason."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import MiraError


def kinds(result):
    return [(refusal.kind, refusal.where.rsplit("/", 1)[-1]) for refusal in result.refusals]


def files_of(package):
    return sorted((package / "pictures").glob("*.json"))


def test_an_incomplete_submission_lists_what_is_missing_and_keeps_nothing(project):
    package = project.draw(project.package("b001"))
    for path in files_of(package)[:2]:
        path.unlink()
    before = project.ledger()
    result = project.submit("b001", package, "anna")
    assert kinds(result) == [("missing", "pic_000"), ("missing", "pic_001")]
    assert (result.is_kept, result.state, result.n_left) == (False, "annotating", 5)
    assert project.ledger() == before
    assert project.book.workspace.annotation("pic_002", "anna") is None


def test_a_partial_submission_is_kept_and_completed_by_the_rest(project):
    package = project.draw(project.package("b001"))
    rest = files_of(package)[3:]
    for path in rest:
        shutil.move(path, package.with_name(path.name))
    result = project.submit("b001", package, "anna", partial=True)
    assert (result.n_taken, result.n_left, result.state) == (3, 2, "annotating")
    again = project.submit("b001", package, "anna", partial=True)
    assert (again.n_taken, again.n_unchanged, again.n_left) == (0, 3, 2)
    for path in files_of(package):
        path.unlink()
    for path in rest:
        shutil.move(package.with_name(path.name), path)
    result = project.submit("b001", package, "anna")
    assert (result.n_taken, result.n_left, result.state) == (2, 0, "auditing")


def test_a_submission_that_moved_the_batch_on_can_be_repeated(project):
    package = project.draw(project.package("b001"))
    project.submit("b001", package, "anna")
    before = project.ledger()
    result = project.submit("b001", package, "anna")
    assert (result.n_unchanged, result.is_kept, result.state) == (5, True, "auditing")
    assert project.ledger() == before
    assert project.submit("b001", None, "anna").is_kept


def test_only_whose_turn_it_is_hands_in(project):
    package = project.draw(project.package("b001"))
    for name in ("ben", "chris", "nobody"):
        with pytest.raises(MiraError, match=f"expected the drawings of anna .* found {name}'s"):
            project.submit("b001", package, name)
    project.submit("b001", package, "anna")
    project.draw(package, seed=3)
    with pytest.raises(
        MiraError, match="expected the drawings of ben while auditing, found anna's"
    ):
        project.submit("b001", package, "anna")


def test_a_package_of_another_state_is_refused(project):
    first = project.draw(project.package("b001"))
    project.submit("b001", first, "anna")
    project.draw(first, seed=4)
    match = "expected the package of b001 while auditing, found that of b001 while annotating"
    with pytest.raises(MiraError, match=match):
        project.submit("b001", first, "ben")


def test_a_picture_that_is_not_asked_for_is_refused(project, draw_document):
    project.turn("b001")
    package = project.draw(project.package("b001"))
    sample = project.book.batch("b001").now.step.sample
    others = sorted({f"pic_{k:03d}" for k in range(5)} - set(sample))
    for name in (*others[:1], "stranger"):
        path = package / "pictures" / f"{name}.json"
        path.write_bytes(orjson.dumps(draw_document(name, noise_px=1, seed=1)))
    result = project.submit("b001", package, "ben", partial=True)
    assert sorted(kinds(result)) == [
        ("not_of_package", f"{others[0]}.json"),
        ("not_of_package", "stranger.json"),
    ]
    assert result.n_left == 0


def test_a_file_whose_name_is_no_text_is_named_all_the_same(project):
    package = project.draw(project.package("b001"))
    odd = Path(os.fsdecode(b"\xff.json"))
    (package / "pictures/pic_000.json").rename(package / "pictures" / odd)
    result = project.submit("b001", package, "anna")
    assert result.n_left == 0 or kinds(result)[0][1] == "?.json"


def test_two_files_for_one_picture_are_refused(project):
    package = project.draw(project.package("b001"))
    shutil.copy(package / "pictures/pic_000.json", package / "pic_000.json")
    assert [kind for kind, _ in kinds(project.submit("b001", package, "anna"))] == [
        "twice",
        "twice",
        "missing",
    ]


def test_a_file_with_a_fault_is_refused_with_its_field(project, draw_document):
    package = project.draw(project.package("b001"))
    document = draw_document("pic_003", noise_px=1, seed=1)
    document["shapes"][1]["points"] = [[1, 1], [2, 2]]
    (package / "pictures/pic_003.json").write_bytes(orjson.dumps(document))
    (package / "pictures/pic_004.json").write_bytes(b"{")
    result = project.submit("b001", package, "anna", partial=True)
    assert kinds(result)[-2:] == [("missing", "pic_003"), ("missing", "pic_004")]
    assert {kind for kind, _ in kinds(result)[:-2]} == {"unusable"}
    assert "pic_003.json: shapes[1]" in str(result.refusals[0])
    assert (result.n_taken, result.n_left) == (3, 2)


@pytest.mark.parametrize("edited", [False, True])
def test_files_that_carry_the_earlier_shapes_are_refused(project, draw_document, edited):
    first = project.draw(project.package("b001"))
    project.submit("b001", first, "anna")
    second = project.draw(project.package("b001"))
    name = project.book.batch("b001").now.step.sample[0]
    document = orjson.loads((first / f"pictures/{name}.json").read_bytes())
    if edited:
        drawn_anew = draw_document(name, noise_px=1, seed=77)["shapes"]
        document["shapes"] = [*drawn_anew[:2], document["shapes"][2]]
    (second / f"pictures/{name}.json").write_bytes(orjson.dumps(document))
    result = project.submit("b001", second, "ben")
    assert kinds(result) == [("copied", name)]
    assert "point for point" in str(result.refusals[0]) or "handed in" in str(result.refusals[0])


def test_the_third_annotator_can_copy_neither_the_first_nor_the_second(project):
    project.fail_first_round()
    sample = project.book.batch("b001").steps[1].step.sample
    package = project.draw(project.package("b001"))
    for name, copied_from in (
        (sample[0], "b001-annotating-anna"),
        (sample[1], "b001-auditing-ben"),
    ):
        path = project.packages / copied_from / "pictures" / f"{name}.json"
        shutil.copy(path, package / "pictures")
    result = project.submit("b001", package, "chris")
    assert {where for kind, where in kinds(result) if kind == "copied"} == set(sample)


def test_pictures_with_nothing_on_them_may_be_alike(project, draw_document):
    for name in ("anna", "ben"):
        package = project.package("b001")
        for picture in (package / "pictures").glob("*.png"):
            document = draw_document(picture.stem, noise_px=1, seed=1) | {"shapes": []}
            picture.with_suffix(".json").write_bytes(orjson.dumps(document))
        assert project.submit("b001", package, name).n_left == 0


def test_what_the_workspace_has_of_the_person_counts_without_a_folder(project, draw_gold):
    workspace = project.book.workspace
    with_gold = [f"pic_{k:03d}" for k in range(4)]
    draw_gold(project, with_gold)
    for name in with_gold:
        known = workspace.annotation(name, "gold")
        workspace.put_annotation(known.model_copy(update={"annotator": "anna"}))
    assert kinds(project.submit("b001", None, "anna")) == [("missing", "pic_004")]
    assert project.submit("b001", None, "anna", partial=True).n_taken == 4
    package = project.draw(project.package("b001"))
    for name in with_gold:
        (package / f"pictures/{name}.json").unlink()
    assert project.submit("b001", package, "anna").state == "auditing"


def test_who_draws_an_image_again_in_a_batch_has_both_drawings_kept(make_project):
    from annotate.audit.roster import Assignment
    from mira.schema.audit import AuditPolicy

    project = make_project(2)
    policy = AuditPolicy(batch_size=2, sample_fraction=1)
    project.plan(policy=policy, assignment=Assignment(("anna", "ben", "chris")))
    project.fail_first_round()
    project.turn("b001")
    project.turn("b001")
    assert project.book.workspace.annotators("pic_000") == ("anna", "ben", "ben.2", "chris")
    assert project.score("b001").report.auditor == "ben"


def test_a_batch_that_is_not_there_and_a_folder_that_is_not_there_are_named(project, tmp_path):
    with pytest.raises(MiraError, match=r"b009: expected a batch.*there are: b001"):
        project.submit("b009", tmp_path, "anna")
    with pytest.raises(MiraError, match="nowhere"):
        project.submit("b001", tmp_path / "nowhere", "anna")


def test_while_another_process_works_on_the_audit_a_second_one_ends_in_one_line(project):
    package = project.draw(project.package("b001"))
    with project.book.lock():
        child = os.fork()
        if child == 0:
            try:
                project.submit("b001", package, "anna")
            except MiraError as error:
                os._exit(7 if "another process is writing it" in str(error) else 1)
            finally:
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 7


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    data=st.binary(max_size=300)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["shapes", "imagePath", "points", "label", "imageWidth"]), inner
            )
        ),
        max_leaves=20,
    ).map(lambda value: repr(value).replace("'", '"').encode())
)
def test_whatever_is_in_the_files_nothing_but_a_refusal_comes_of_it(project, data):
    package = project.packages / "b001-annotating-anna"
    if not package.exists():
        project.draw(project.package("b001"))
        (package / "pictures/pic_004.json").unlink()
    (package / "pictures/pic_002.json").write_bytes(data)
    before = project.ledger()
    result = project.submit("b001", package, "anna")
    assert not result.is_kept
    assert project.ledger() == before
