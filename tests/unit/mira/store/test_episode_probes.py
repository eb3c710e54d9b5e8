"""What players say that they believe lies with the episode in which they were asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from mira.errors import EpisodeError, RecordError
from mira.schema.episode import (
    Episode,
    EpisodeAgent,
    EpisodeMoment,
    EpisodeRun,
    ReachDetails,
    TomItem,
)
from mira.schema.probe import Probe
from mira.schema.qa import Option
from mira.schema.record import Provenance
from mira.schema.step import MirrorStep
from mira.store.episodes import EpisodeStore

EPISODE = Episode(
    episode_id="e",
    task="mira/MirrorReach-v1",
    seed=0,
    agents=(EpisodeAgent(role="agent", name="up"),),
    model=None,
    num_steps=1,
    max_steps=1,
    success=False,
    termination="max_steps",
    details=ReachDetails(
        level=0,
        body="male_0",
        hand="bare",
        mark="dot",
        setting="human",
        threshold_m=0.1,
        step_m=0.1,
        d0_m=1.1,
        prompt="Touch the mark.",
    ),
)
STEP = MirrorStep(
    episode_id="e",
    step=1,
    action="up",
    legal=True,
    hand_world_m=(0, 0, 1),
    mark_world_m=(0, 0, 2),
    manhattan_m=1,
    terminated=False,
    truncated=True,
)


def probe(name: str = "p", *, episode_id: str = "e", step: int = 0, role: str = "agent") -> Probe:
    item = TomItem(
        item_id=name,
        moment=EpisodeMoment(episode_id=episode_id, step=step, role=role),
        question="Is the mark on you?",
        options=(Option(label="A", value="yes"), Option(label="B", value="no")),
        answer="A",
        order=0,
        kind="belief",
        source="mira/MirrorReach-v1",
    )
    return Probe(item=item, raw_reply='{"final_answer": "A"}')


@pytest.fixture
def store(tmp_path: Path) -> EpisodeStore:
    provenance = Provenance(tool="tests", tool_version="1")
    return EpisodeStore.create(tmp_path / "run", EpisodeRun(name="run", provenance=provenance))


def test_probes_come_back_as_asked_and_their_questions_are_those_of_the_run(
    store: EpisodeStore,
) -> None:
    probes = [probe("p0"), probe("p1", step=1)]
    store.put(EPISODE, [STEP], probes=probes)
    own = probe("own").item
    store.put_tom_items([own])
    assert list(store.probes("e")) == probes
    assert list(store.tom_items()) == [own, *(one.item for one in probes)]
    store.require_whole("e")


def test_an_episode_without_probes_has_no_file_of_them(store: EpisodeStore) -> None:
    store.put(EPISODE, [STEP], probes=[probe()])
    store.put(EPISODE, [STEP])
    assert not list(store.probes("e"))
    assert not (store.root / "episodes" / "e" / "probes.jsonl").exists()


@pytest.mark.parametrize(
    "wrong",
    [[probe(episode_id="f")], [probe(step=2)], [probe(role="subject")], [probe(), probe()]],
    ids=["of another episode", "after its end", "of nobody", "twice"],
)
def test_probes_that_could_not_have_been_asked_are_refused(
    store: EpisodeStore, wrong: list[Probe]
) -> None:
    with pytest.raises(EpisodeError, match="expected"):
        store.put(EPISODE, [STEP], probes=wrong)
    assert not store.episode_ids()


def test_a_line_that_is_no_probe_is_named(store: EpisodeStore) -> None:
    store.put(EPISODE, [STEP], probes=[probe()])
    (store.root / "episodes" / "e" / "probes.jsonl").write_text('{"item": 3}\n')
    with pytest.raises(RecordError, match=r"probes.jsonl:1: .*item"):
        list(store.probes("e"))
