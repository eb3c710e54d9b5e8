"""One scene at a time into a session: which views, which surfaces, then view by view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from capture.importers.keyframes import FrameMark, choose_keyframes, mark_frame
from capture.importers.masks import numbers_in
from capture.importers.names import PlannedScene, PlannedView
from capture.importers.policy import ImportPolicy
from capture.importers.session_views import SessionViews
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import ImportFault, SourceView
from capture.importers.view_reading import ViewReader
from capture.view_files import ViewContent
from mira.errors import MiraError
from mira.schema.capture import Scene, SceneSurface

Done = Callable[[], None]
"""Called for every frame that was looked at or written."""


@dataclass
class ImportCounts:
    """What became of the views so far.

    Attributes:
        tried: Views that were to be imported.
        imported: Views that were written, or would be.
        kept: Views that were committed already.
        scenes: Scenes with a view of either.
        without_depth: Imported views that have none.
        without_camera: Imported views whose camera nobody knows.
        with_surfaces: Imported views with a mask.
        faults: Files that were left out.
        notes: What the user should know.
    """

    tried: int = 0
    imported: int = 0
    kept: int = 0
    scenes: int = 0
    without_depth: int = 0
    without_camera: int = 0
    with_surfaces: int = 0
    faults: list[ImportFault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, content: ViewContent) -> None:
        """Count an imported view."""
        self.imported += 1
        self.without_depth += content.depth is None and content.depth_aligned is None
        self.without_camera += content.calibration is None
        self.with_surfaces += content.surfaces is not None


class SceneImporter:
    """Imports scenes; what is committed stays, what is at fault is left out and counted.

    Attributes:
        counts: What became of the views so far.
    """

    def __init__(
        self,
        reader: ViewReader,
        target: SessionViews,
        *,
        template: Scene,
        settings: ImportSettings,
        policy: ImportPolicy,
    ) -> None:
        """Name what is read and where it goes.

        Args:
            reader: Reads the views.
            target: Takes them.
            template: A scene with what all have in common.
            settings: What the user asks for.
            policy: How keyframes are chosen.
        """
        self.counts = ImportCounts()
        self._reader = reader
        self._target = target
        self._template = template
        self._keyframes = settings.keyframes
        self._surface_type = settings.surface_type
        self._policy = policy

    def run(self, scene: PlannedScene, *, limit: int | None, done: Done) -> None:
        """Import a scene.

        Args:
            scene: The scene.
            limit: Most views; None for all. What a view holds does not depend on it.
            done: Called for every frame of a video that is looked at, else for every view.

        Raises:
            MiraError: The session cannot be written.
        """
        before = self.counts.imported + self.counts.kept
        if wanted := self._wanted(scene):
            self._import(scene, self._choose(scene, wanted, done), limit, lambda: None)
        else:
            self._import(scene, scene.views, limit, done)
        self.counts.scenes += self.counts.imported + self.counts.kept > before

    def _wanted(self, scene: PlannedScene) -> int:
        """How many views to choose; 0 for all."""
        wanted = self._keyframes
        if wanted is None:
            wanted = self._policy.video_keyframes if scene.is_video else 0
        return wanted if len(scene.views) > wanted else 0

    def _import(
        self, scene: PlannedScene, views: Sequence[PlannedView], limit: int | None, done: Done
    ) -> None:
        place = self._target.open_scene(scene.scene_id)
        states = [place.state_of(view) for view in views]
        if all(state == "same" for state in states):
            self._count_kept(len(views[:limit]), done)
            return
        numbers, bad = self._surfaces(scene, views)
        surfaces = tuple(
            SceneSurface(surface_id=f"surface_{k}", surface_type=self._surface_type)
            for k in range(len(numbers))
        )
        record = self._template.model_copy(
            update={"scene_id": scene.scene_id, "surfaces": surfaces}
        )
        place.begin(record)
        for k, (view, state) in enumerate(zip(views, states, strict=True)):
            held = state != "absent"
            if limit is not None and k >= limit and not (held and place.is_stale):
                continue
            self.counts.tried += 1
            if view.view_id in bad:
                pass
            elif held and not place.is_stale:
                self._keep(view, same=state == "same")
            elif (content := self._read(scene, view, numbers)) is not None:
                place.put(view, content)
                self.counts.add(content)
            done()
        place.finish()

    def _count_kept(self, count: int, done: Done) -> None:
        self.counts.tried += count
        self.counts.kept += count
        for _ in range(count):
            done()

    def _keep(self, view: PlannedView, *, same: bool) -> None:
        if same:
            self.counts.kept += 1
        else:
            problem = f"expected the files that the view {view.view_id!r} was made of, found others"
            reason = f"{problem} (import to another folder)"
            self.counts.faults.append(ImportFault(view.source.color, reason))

    def _read(
        self, scene: PlannedScene, view: PlannedView, numbers: Sequence[int]
    ) -> ViewContent | None:
        try:
            return self._reader.read(view.source, surfaces=numbers)
        except MiraError as error:
            self._leave_out(scene, view, error)
            return None

    def _surfaces(
        self, scene: PlannedScene, views: Sequence[PlannedView]
    ) -> tuple[tuple[int, ...], frozenset[str]]:
        """Numbers of all surfaces in the masks of a scene, and the views whose mask is bad."""
        found: set[int] = set()
        bad = set()
        for view in views:
            try:
                mask = self._reader.read_mask(view.source)
            except MiraError as error:
                self._leave_out(scene, view, error)
                bad.add(view.view_id)
            else:
                found.update(() if mask is None else numbers_in(mask))
        return tuple(sorted(found)), frozenset(bad)

    def _choose(self, scene: PlannedScene, wanted: int, done: Done) -> list[PlannedView]:
        """The keyframes of a scene; frames without depth only where none has any."""
        views = [view for view in scene.views if view.source.depth] or list(scene.views)
        marks: list[FrameMark | None] = []
        for view in views:
            try:
                marks.append(self._mark(view.source))
            except MiraError as error:
                marks.append(None)
                self._leave_out(scene, view, error)
            done()
        chosen = choose_keyframes(marks, wanted, policy=self._policy)
        if chosen and len(chosen) < wanted:
            note = f"{scene.scene_id}: {len(chosen)} of {wanted} keyframes, as others look the same"
            self.counts.notes.append(note)
        return [views[k] for k in chosen]

    def _mark(self, view: SourceView) -> FrameMark:
        color = self._reader.read_color(view)
        mask = self._reader.read_mask(view)
        fits = mask is not None and mask.shape == color.shape[:2]
        return mark_frame(color, mask > 0 if mask is not None and fits else None)

    def _leave_out(self, scene: PlannedScene, view: PlannedView, error: MiraError) -> None:
        fault = ImportFault.of(error)
        self.counts.faults.append(fault)
        self._target.note_failed(scene.scene_id, view.view_id, str(fault))
