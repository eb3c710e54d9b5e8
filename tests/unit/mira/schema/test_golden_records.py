"""Every root record, as each released version wrote it, still reads and means the same.

tests/golden/records/v1/ holds one file a class. When a class gets a new version, its old file stays
in v1/ and the new form gets a file in the next folder. Records of runs (sessions, audits, reviews,
episodes, models) have their examples in test_golden_run_records.py.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

import mira.schema
import mira.store
from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    ShapeExtra,
    Surface,
)
from mira.schema.capture import (
    CameraIntrinsics,
    FrameTiming,
    Scene,
    SceneSurface,
    View,
    ViewQuality,
)
from mira.schema.description import InstanceDescription
from mira.schema.episode import EpisodeRun
from mira.schema.evaluation import Interval, MetricResult, ScoreTable
from mira.schema.export import ConfigInfo, ReleaseInfo, SceneSplits, SplitFiles
from mira.schema.proposal import ImageProposals, PersonAnswer, Proposal
from mira.schema.qa import (
    AxesAnswer,
    ChoiceAnswer,
    Derivation,
    Mark,
    Option,
    QAItem,
    QAPolicy,
    QASummary,
    Wording,
    YesNoAnswer,
)
from mira.schema.record import FileRef, Provenance, RootRecord
from mira.store.workspace import WorkspaceInfo

GOLDEN = Path(__file__).parents[3] / "golden" / "records"

COLOR = FileRef(path="color.jpg", sha256="c0" * 32, size_bytes=190_000)
DEPTH = FileRef(path="depth.png", sha256="de" * 32, size_bytes=583_000)
PROVENANCE = Provenance(
    tool="mira annotate import",
    tool_version="0.1.0",
    created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    created_by="crew-1",
    parameters={"links": "attributes"},
    inputs=(COLOR,),
)
RING = ((0.5, 0.5), (20.0, 0.5), (20.0, 30.25))

PROPOSED = Derivation(
    rule="relation-of-places",
    annotator="anna",
    annotation_sha256="an" * 32,
    instance_ids=(3, 1),
    surface_ids=(2,),
)

EXAMPLES: tuple[RootRecord, ...] = (
    WorkspaceInfo(),
    Scene(
        scene_id="hall",
        environment="indoor",
        lighting="day",
        place="hallway",
        surfaces=(SceneSurface(surface_id="wardrobe", surface_type="planar_mirror"),),
        consent="not_needed",
        source="own",
        licence="CC-BY-4.0",
        notes="door ajar",
    ),
    View(
        scene_id="hall",
        image_id="hall-1",
        width_px=1280,
        height_px=720,
        color=COLOR,
        depth=FileRef(path="depth_raw.png", sha256="d1" * 32, size_bytes=412_000),
        depth_aligned=DEPTH,
        depth_unit_m=0.001,
        depth_kind="metric",
        intrinsics=CameraIntrinsics(
            width_px=1280,
            height_px=720,
            fx_px=910.5,
            fy_px=911.25,
            cx_px=640.0,
            cy_px=360.5,
            distortion_model="inverse_brown_conrady",
            distortion_coeffs=(0.0, 0.0, 0.0, 0.0, 0.0),
        ),
        timing=FrameTiming(
            color_frame=61,
            depth_frame=64,
            color_ms=1_767_323_045_000.5,
            depth_ms=1_767_323_045_004.75,
            color_domain="global_time",
            depth_domain="global_time",
            dt_ms=4.25,
        ),
        quality=ViewQuality(
            sharpness=212.5, dark_fraction=0.125, bright_fraction=0.0, valid_depth_fraction=0.75
        ),
        provenance=PROVENANCE,
    ),
    ImageAnnotation(
        image_id="hall-1",
        annotator="anna",
        revision=2,
        status="done",
        width_px=1280,
        height_px=720,
        surfaces=(Surface(surface_id=1, surface_type="planar_mirror", polygons_px=(RING,)),),
        instances=(
            Instance(
                instance_id=2,
                visibility="direct",
                polygons_px=(RING,),
                holes_px=(RING,),
                description="a red kettle",
                category="kettle",
            ),
            Instance(instance_id=3, visibility="reflected", seen_in=(1,), polygons_px=(RING,)),
        ),
        links=(
            Correspondence(reflected_id=3, real_id=2, reflection_of_id=2, counterpart="in_frame"),
        ),
        ignored_px=(RING,),
        source=AnnotationSource(
            format="x-anylabeling",
            format_version="4.2.1",
            file=FileRef(path="hall-1.json", sha256="a0" * 32, size_bytes=4096),
            extra={"tags": ["check"]},
            shape_extras=(ShapeExtra(shape_index=0, owner_id=1, keys={"score": None}),),
        ),
    ),
    QAItem(
        item_id="9f3a",
        template_id="mc_001",
        image_id="hall-1",
        scene_id="hall",
        marks=(
            Mark(label="X", instance_id=3, role="slot", box_xyxy_px=(0, 0, 20, 31)),
            Mark(label="A", instance_id=2, role="candidate", box_xyxy_px=(0, 0, 20, 31)),
        ),
        options=(Option(label="A", value="2"),),
        answer=ChoiceAnswer(value="A"),
        joint_group="hall-1:2",
        wordings=(Wording(protocol="visual_bbox", question="Which?", option_texts=("box A",)),),
        derivation=Derivation(
            rule="link",
            annotator="anna",
            annotation_sha256="b0" * 32,
            instance_ids=(2, 3),
            surface_ids=(1,),
            links=((3, 2),),
            parameters={"max_distractors": 3},
        ),
        margin=0.25,
        source="annotator",
        review="accepted",
    ),
    Proposal(
        item_id="mr_001-0011223344556677",
        template_id="mr_001",
        image_id="hall_001",
        slots={"X": 3, "Y": 1},
        answer=AxesAnswer(horizontal="left", vertical="aligned", depth="front"),
        reason="from the object of 1 to the object of 3: -0.62 m to the right",
        margin=0.4,
        margin_unit="m",
        flags=("behind_camera",),
        derivation=PROPOSED,
    ),
    PersonAnswer(
        item_id="ac_001-0011223344556677",
        template_id="ac_001",
        image_id="hall_001",
        slots={"X": 3},
        answer=YesNoAnswer(value="yes"),
        by="anna",
        at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        note="around the table",
    ),
    InstanceDescription(
        image_id="hall_001",
        instance_id=3,
        text="a red kettle with a bent handle",
        by="anna",
        at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    ),
    ImageProposals(
        image_id="hall_001",
        annotator="anna",
        made_from="ab" * 32,
        policy_sha256="b7" * 32,
        proposals=(
            Proposal(
                item_id="ct_001-0011223344556677",
                template_id="ct_001",
                image_id="hall_001",
                slots={"X": 3},
                direction="left",
                refusal="no-plane",
                reason="surface 2 may count, and has no place: it is curved",
                derivation=PROPOSED,
            ),
        ),
    ),
    QAPolicy(seed=7),
    QASummary(
        policy=QAPolicy(),
        items=1,
        questions=5,
        by_template={"mc_001": 1},
        drops={"box-too-small": 2},
        gold_positions={"mc_001": {"A": 1}},
    ),
    EpisodeRun(name="up", licence="CC0-1.0", provenance=PROVENANCE),
    ReleaseInfo(
        name="hall-mirrors",
        digest="d0" * 32,
        digest_rule=2,
        configs=(
            ConfigInfo(
                name="qa",
                splits=(SplitFiles(split="test", rows=5, files=(COLOR,)),),
                digest="e0" * 32,
            ),
        ),
        card=FileRef(path="README.md", sha256="f0" * 32, size_bytes=2048),
        croissant=FileRef(path="croissant.json", sha256="a1" * 32, size_bytes=1024),
        datasheet=FileRef(path="DATASHEET.md", sha256="a2" * 32, size_bytes=4096),
        plots=(FileRef(path="meta/plots/questions.svg", sha256="a3" * 32, size_bytes=8192),),
        stage="final",
        left_out={"scenes without consent": 2},
        jpeg_quality=90,
        statistics={"questions": {"mc": 5}},
        versions={"mira-toolkit": "0.1.0"},
    ),
    SceneSplits(scenes={"hall": "train", "bath": "test"}),
    ScoreTable(
        release_digest="d0" * 32,
        protocol="visual_bbox",
        complete=True,
        rows=(
            MetricResult(
                name="mc",
                group="subtask",
                value=0.5,
                chance=0.25,
                n=4,
                n_units=4,
                n_unparsable=1,
                n_unscored=0,
                interval=Interval(method="bootstrap by scene", level=0.95, low=0.25, high=0.75),
            ),
        ),
    ),
)


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda record: type(record).__name__)
def test_record_is_written_as_its_golden_file(
    record: RootRecord, check_golden: Callable[[str, bytes], None]
) -> None:
    version = type(record).CURRENT_VERSION
    check_golden(f"records/v{version}/{type(record).__name__}.json", record.to_json())


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda record: type(record).__name__)
def test_golden_files_of_every_version_read_as_the_same_record(record: RootRecord) -> None:
    paths = sorted(GOLDEN.glob(f"v*/{type(record).__name__}.json"))
    assert paths
    for path in paths:
        assert type(record).from_json(path.read_bytes(), where=path) == record


def test_view_without_the_parts_of_a_capture_reads() -> None:
    view = next(record for record in EXAMPLES if isinstance(record, View))
    parts = ("depth", "depth_scope", "timing", "quality")
    fields = view.model_dump(mode="json", exclude=set(parts))
    read = View.from_json(orjson.dumps(fields), where="view.json")
    assert [getattr(read, name) for name in parts] == [None] * 4


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda record: type(record).__name__)
def test_every_field_of_a_record_is_documented(record: RootRecord) -> None:
    for name, field in type(record).model_fields.items():
        assert field.description, f"{type(record).__name__}.{name}"


def test_every_root_record_has_a_golden_file_and_every_golden_file_a_record() -> None:
    versions = {f"v{kind.CURRENT_VERSION}/{kind.__name__}" for kind in root_records()}
    found = {f"{path.parent.name}/{path.stem}" for path in GOLDEN.glob("v*/*.json")}
    assert versions <= found
    names = {kind.__name__ for kind in root_records()}
    assert {path.partition("/")[2].partition("-")[0] for path in found} == names


def root_records() -> Iterator[type[RootRecord]]:
    """All root records of the data model and the workspace."""
    for package in (mira.schema, mira.store):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for found in RootRecord.__subclasses__():
        if found.__module__.startswith(("mira.schema.", "mira.store.")):
            yield found
