"""Sessions, audits, reviews, episodes and runs read and write as test_golden_records.py asks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mira.schema import audit, audit_ledger, episode, session, step
from mira.schema.audit import Agreement, AuditPolicy, AuditReport, AuditRow, Batch, BatchStep
from mira.schema.audit_ledger import (
    AuditEvent,
    BatchPlan,
    Drawing,
    GoldReport,
    GoldScore,
    Roster,
    RoundScore,
)
from mira.schema.baseline import BaselineReply
from mira.schema.capture import (
    Calibration,
    CameraIntrinsics,
    FrameTiming,
    RigidTransform,
    SceneSurface,
    ViewFrame,
    ViewQuality,
)
from mira.schema.capture_plan import CameraRequest, CapturePlan, PlannedScene
from mira.schema.episode import (
    Episode,
    EpisodeAgent,
    EpisodeMoment,
    MosaicDetails,
    ReachDetails,
    TomDetails,
    TomItem,
)
from mira.schema.evaluation import Decoding, Interval, RunManifest, Usage
from mira.schema.qa import ChoiceAnswer, ItemEdit, Option, ReviewEvent, Wording
from mira.schema.record import Provenance, Record, RootRecord
from mira.schema.remark import Remark
from mira.schema.session import (
    CameraSettings,
    CaptureSession,
    CaptureSettings,
    DeviceInfo,
    StreamSettings,
)

GOLDEN = Path(__file__).parents[3] / "golden" / "records"

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
CAMERA = CameraIntrinsics(
    width_px=848, height_px=480, fx_px=425.5, fy_px=425.5, cx_px=424.0, cy_px=240.5
)
DEPTH_STREAM = StreamSettings(
    stream="depth", width_px=848, height_px=480, fps=30, pixel_format="z16"
)
INTERVAL = Interval(method="wilson", level=0.95, low=0.875, high=0.9375)

EXAMPLES: dict[str, RootRecord] = {
    "Calibration": Calibration(
        color=CAMERA,
        depth=CAMERA,
        depth_to_color=RigidTransform(
            target="color",
            source="depth",
            rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            translation_m=(0.015, 0.0, 0.00025),
        ),
    ),
    "ViewFrame": ViewFrame(
        depth_unit_m=0.001,
        depth_kind="metric",
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
    ),
    "DeviceInfo": DeviceInfo(
        name="Intel RealSense D435",
        serial_number="012345678901",
        firmware_version="5.16.0.1",
        usb_type="3.2",
    ),
    "CaptureSettings": CaptureSettings(
        asked=CameraSettings(streams=(DEPTH_STREAM,), preset="High Accuracy"),
        actual=CameraSettings(
            streams=(DEPTH_STREAM,), preset="High Accuracy", options={"emitter_enabled": 1.0}
        ),
    ),
    "CapturePlan": CapturePlan(
        session_id="lab",
        operator="op3",
        camera=CameraRequest(color=(848, 480), fps=15, advanced_json="d435.json"),
        emitter_pair=True,
        raw_pairs=30,
        scenes=(
            PlannedScene(
                scene_id="hall",
                lighting="night",
                surfaces=(SceneSurface(surface_id="m1", surface_type="planar_mirror"),),
                views=("left", "right"),
            ),
        ),
    ),
    "CaptureSession": CaptureSession(
        session_id="hall-2026-01-02",
        source="live",
        sdk_version="2.59.1",
        provenance=Provenance(
            tool="mira capture run", tool_version="0.1.0", created_at=MOMENT, created_by="crew-1"
        ),
    ),
    "AuditPolicy": AuditPolicy(),
    "Batch": Batch(
        batch_id="b001",
        image_ids=("hall-1", "hall-2"),
        policy=AuditPolicy(batch_size=2),
        steps=(
            BatchStep(state="annotating", at=MOMENT, people=("anna",)),
            BatchStep(state="auditing", at=MOMENT, people=("ben",), seed=7, sample=("hall-2",)),
            BatchStep(state="reannotating", at=MOMENT, people=("chris",)),
            BatchStep(state="reauditing", at=MOMENT, people=("ben",), seed=8, sample=("hall-1",)),
            BatchStep(state="adjudicating", at=MOMENT, people=("ben", "chris")),
            BatchStep(state="accepted", at=MOMENT),
        ),
    ),
    "AuditReport": AuditReport(
        batch_id="b001",
        round=1,
        annotator="anna",
        auditor="ben",
        policy=AuditPolicy(iou_method="pixel"),
        sample=("hall-2",),
        rows=(
            AuditRow(
                image_id="hall-2",
                role="instance",
                label="reflected",
                n_matched=3,
                n_only_annotator=1,
                mean_iou=0.625,
                mean_boundary_iou=0.5,
            ),
        ),
        mean_iou=0.625,
        agreements=(
            Agreement(name="correspondence", n=32, n_agreed=29, interval=INTERVAL, kappa=0.75),
        ),
        verdict="failed",
    ),
    "AuditEvent": AuditEvent(
        at=MOMENT,
        event="planned",
        batch_id="b001",
        state="annotating",
        by="anna",
        step=BatchStep(state="annotating", at=MOMENT, people=("anna",)),
        hidden=("known-1",),
        plan=BatchPlan(
            image_ids=("hall-1", "hall-2"),
            policy=AuditPolicy(batch_size=2, honeypots=1),
            roster=Roster(annotator="anna", auditor="ben", third="chris", reauditor="ben"),
            seed=7,
            gold_annotator="gold",
        ),
    ),
    "AuditEvent-submitted": AuditEvent(
        at=MOMENT,
        event="submitted",
        batch_id="b001",
        state="annotating",
        by="anna",
        drawings=(
            Drawing(
                image_id="hall-1",
                annotator="anna",
                revision=1,
                digest="d1" * 32,
                file_sha256="f1" * 32,
            ),
        ),
        step=BatchStep(state="auditing", at=MOMENT, people=("ben",), seed=7, sample=("hall-2",)),
    ),
    "AuditEvent-scored": AuditEvent(
        at=MOMENT,
        event="scored",
        batch_id="b001",
        state="auditing",
        score=RoundScore(
            round=1,
            mean_iou=0.625,
            verdict="failed",
            report_sha256="e5" * 32,
            gold=(GoldScore(person="anna", state="annotating", n_images=1, mean_iou=0.875),),
        ),
    ),
    "GoldReport": GoldReport(
        batch_id="b001",
        score=GoldScore(person="anna", state="annotating", n_images=1, mean_iou=0.875),
        gold_annotator="gold",
        image_ids=("known-1",),
        rows=(
            AuditRow(
                image_id="known-1", role="surface", label="water", n_matched=1, mean_iou=0.875
            ),
        ),
    ),
    "ReviewEvent": ReviewEvent(
        item_id="9f3a",
        reviewer="dora",
        at=MOMENT,
        verdict="accepted",
        edit=ItemEdit(
            wordings=(Wording(protocol="bbox_text", question="Which one is X?"),),
            answer=ChoiceAnswer(value="B"),
        ),
        reason="A and B were swapped",
    ),
    "Remark": Remark(
        remark_id="5be1",
        kind="flag",
        image_id="hall-1",
        item_id="9f3a",
        text="the box is around the lamp",
        by="dora",
        at=MOMENT,
    ),
    "Remark-resolution": Remark(
        remark_id="c04d",
        kind="resolution",
        image_id="hall-1",
        item_id="9f3a",
        resolves="5be1",
        text="drawn anew",
        by="anna",
        at=MOMENT,
    ),
    "BaselineReply": BaselineReply(
        question_id="9f3a-visual_bbox",
        answer="B",
        words="a lamp behind the viewer",
        question_sha8="0a1b2c3d",
        asked_sha8="4e5f6a7b",
        item_id="9f3a",
        item_sha8="8c9d0e1f",
        protocol="visual_bbox",
        modality="rgb_d",
        by="berta",
        at=MOMENT,
        seconds=12.5,
    ),
    "Episode": Episode(
        episode_id="reach-male_0-l3",
        task="mirror-reach-v0",
        seed=0,
        agents=(EpisodeAgent(role="agent", name="some-vlm"),),
        model="some-vlm",
        num_steps=21,
        max_steps=21,
        success=False,
        termination="max_steps",
        details=ReachDetails(
            level=3,
            body="male_0",
            hand="hand_1",
            mark="mark_2",
            setting="human",
            threshold_m=0.10001,
            step_m=0.1,
            d0_m=1.2,
            prompt="Move the hand to the mark.",
        ),
    ),
    "Episode-mosaic": Episode(
        episode_id="mosaic-0001",
        task="treasure-room-v0",
        seed=7,
        agents=(
            EpisodeAgent(role="subject", name="some-vlm"),
            EpisodeAgent(role="participant", name="scripted-honest"),
        ),
        model="some-vlm",
        num_steps=10,
        max_steps=10,
        success=True,
        termination="completed",
        details=MosaicDetails(
            mode="competitive",
            tom_order=1,
            boxes_cells=((2.0, 0.0), (-2.0, 0.0)),
            reward_box=1,
            choice=1,
            participant_score=1,
            subject_score=-1,
            visual="rendered_face",
        ),
    ),
    "Episode-tom": Episode(
        episode_id="tom-0001",
        task="hi-tom",
        seed=None,
        agents=(EpisodeAgent(role="agent", name="some-vlm"),),
        model="some-vlm",
        num_steps=3,
        max_steps=None,
        success=None,
        termination="aborted",
        details=TomDetails(source="Hi-ToM", story_id="12"),
    ),
    "TomItem": TomItem(
        item_id="hi-tom-12-1",
        story="Avery put the lettuce in the drawer and left.",
        question="Where does Avery think the lettuce is?",
        options=(Option(label="A", value="drawer"), Option(label="B", value="bathtub")),
        answer="A",
        order=1,
        kind="belief",
        joint_group="hi-tom-12",
        source="Hi-ToM",
    ),
    "TomItem-probe": TomItem(
        item_id="mosaic-0001-r3-participant-0",
        moment=EpisodeMoment(episode_id="mosaic-0001", step=3, role="participant"),
        question="Where is the reward?",
        answer="light brown",
        order=0,
        kind="belief",
        source="mosaic",
    ),
    "TomItem-turned": TomItem(
        item_id="bigtom-007-hidden-forward_belief-false_belief-r1",
        story="Kael sowed rye. At night the field was flooded. Kael saw nothing of it.",
        question="Does Kael believe that the field is dry or under water?",
        options=(Option(label="A", value="Under water."), Option(label="B", value="Dry.")),
        answer="B",
        order=1,
        kind="belief",
        joint_group="bigtom-007-hidden-forward_belief",
        condition="false_belief",
        category="forward_belief, initial belief hidden",
        story_id="bigtom-007",
        rotation_of="bigtom-007-hidden-forward_belief-false_belief",
        source="BigToM",
        licence="MIT",
    ),
    "RunManifest": RunManifest(
        model="provider/some-vlm-2026-01-01",
        decoding=Decoding(parameters={"reasoning_effort": "low"}),
        dataset_digest="d0" * 32,
        prompt_version="1",
        protocol="visual_bbox",
        modality="rgb_dm",
        code_version="0.1.0",
    ),
    "RunManifest-full": RunManifest(
        model="provider/some-vlm-2026-01-01",
        decoding=Decoding(temperature=None),
        dataset_digest="d0" * 32,
        prompt_version="1",
        code_version="0.1.0",
        name="some VLM, blind",
        split="test",
        limit=100,
        release="../../release",
        versions={"inspect-ai": "0.3.100"},
        usage=Usage(input_tokens=120_000, output_tokens=9_000, cost_usd=0.5, wall_s=61.5),
    ),
    "RunManifest-styled": RunManifest(
        model="provider/some-vlm-2026-01-01",
        decoding=Decoding(),
        dataset_digest="d0" * 32,
        prompt_version="1",
        modality="rgb",
        style={"slot_colors": [[255, 0, 0]], "line_px": 6.0},
        code_version="0.1.0",
    ),
}
RECORDS = [
    kind
    for module in (audit, audit_ledger, episode, session, step)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Record) and kind.__module__ == module.__name__
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_record_is_written_as_its_golden_file(
    name: str, check_golden: Callable[[str, bytes], None]
) -> None:
    version = type(EXAMPLES[name]).CURRENT_VERSION
    check_golden(f"records/v{version}/{name}.json", EXAMPLES[name].to_json())


@pytest.mark.parametrize("name", EXAMPLES)
def test_golden_files_of_every_version_read_as_the_same_record(name: str) -> None:
    paths = sorted(GOLDEN.glob(f"v*/{name}.json"))
    assert paths
    for path in paths:
        assert type(EXAMPLES[name]).from_json(path.read_bytes(), where=path) == EXAMPLES[name]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_record_is_documented(kind: type[Record]) -> None:
    for name, field in kind.model_fields.items():
        assert field.description, f"{kind.__name__}.{name}"
