"""Has a model play episodes; what a dead process left is played on by the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mira.errors import MissingExtraError, PredictionError
from mira.evals.inspect_runner.calls import Call, CallBook
from mira.evals.inspect_runner.folder import LOGS_NAME, WORK_NAME, require_free
from mira.evals.inspect_runner.options import ModelOptions, Progress
from mira.evals.inspect_runner.replying import Ending
from mira.evals.inspect_runner.weights import weights_identity
from mira.evals.mira_bench.runs import JOURNAL_NAME
from mira.plays import Play
from mira.schema.episode import EpisodeRun, Role
from mira.schema.evaluation import Usage
from mira.store.atomic import exclusive, os_faults
from mira.store.episodes import EpisodeStore
from mira.store.heard_lines import open_journal, read_lines

if TYPE_CHECKING:
    from mira.evals.inspect_runner.player import Player

_EPISODES_A_LOG = 24
"""The memory that inspect_ai takes grows with what is in a log."""


@dataclass(frozen=True)
class PlayTally:
    """How a run of episodes stands.

    Attributes:
        episodes: Episodes in all.
        endings: How many ended how: `success`, `max_steps`, `completed`, `aborted`.
        replies: How many replies ended how: `whole`, `cut`, `withheld`.
        errors: Why calls failed, with how many.
        spent: Whether a limit kept episodes from being played to their end.
        usage: Tokens and what they cost.
        log: inspect_ai's log of the last round; None where nothing was left to play.
    """

    episodes: int
    endings: dict[str, int]
    replies: dict[Ending, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    spent: bool = False
    usage: Usage = field(default_factory=Usage)
    log: Path | None = None

    @property
    def missing(self) -> int:
        """Episodes that are not there."""
        return self.episodes - sum(self.endings.values())

    @property
    def complete(self) -> bool:
        """Whether every episode was played to its end."""
        return not self.missing and not self.endings.get("aborted", 0)


def model_settings(options: ModelOptions) -> dict[str, object]:
    """All that decides the replies of a model beside its name and what it is asked, by name."""
    decoding = options.decoding
    return {
        "temperature": decoding.temperature,
        "max_tokens": decoding.max_tokens,
        "detail": "high",
        **decoding.parameters,
        **options.model_args,
        **weights_identity(options),
    }


def play_with_model(
    out: Path,
    run: EpisodeRun,
    open_play: Callable[[str], Play],
    episode_ids: Sequence[str],
    *,
    options: ModelOptions,
    role_models: Mapping[Role, str],
    resume: bool = False,
    progress: Progress | None = None,
    models: Mapping[Role, Any] | None = None,
) -> PlayTally:
    """Have models play episodes, and write those that come to an end.

    Args:
        out: Folder of the run.
        run: What its episodes have in common, the settings of the model among it.
        open_play: An episode from its start, by id.
        episode_ids: The episodes.
        options: Who plays; several episodes at a time, as many as calls.
        role_models: Names of models, by the roles that are asked; reached alike.
        resume: Go on with what is in `out`: no reply that was heard is asked for again.
        progress: Called with episodes that are written.
        models: Models of inspect_ai that play in place of those that are named.

    Returns:
        How it stands.

    Raises:
        MissingExtraError: inspect_ai is not installed.
        EpisodeError: `out` holds another run.
        PredictionError: `out` holds something, and is not to be resumed.
        MiraError: The model cannot be reached as options say, or the world is at fault.
        KeyboardInterrupt: Somebody broke it off; what was heard is kept.
    """
    try:
        from mira.evals.inspect_runner.model import open_model
        from mira.evals.inspect_runner.player import Player
    except ImportError:
        raise MissingExtraError("inspect_ai", "eval") from None
    require_free(out, resume=resume)
    asked = models or _opened(open_model, role_models, options)
    store = EpisodeStore.create(out, run)
    work = out.resolve() / WORK_NAME
    with os_faults(work):
        work.mkdir(parents=True, exist_ok=True)
    with exclusive(work / ".lock", out):
        before = list(read_lines(work / JOURNAL_NAME, Call, error=PredictionError))
        left = [name for name in episode_ids if not store.is_played(name)]
        with open_journal(work / JOURNAL_NAME) as stream:
            player = Player(
                open_play,
                asked,
                book=CallBook(stream, before, options),
                store=store,
                told=_counter(progress, len(episode_ids) - len(left), len(episode_ids)),
            )
            log = _play(player, left, asked, options, work)
    book = player.book
    there = [store.episode(name) for name in episode_ids if store.has(name)]
    return PlayTally(
        episodes=len(episode_ids),
        endings=dict(Counter(one.termination for one in there)),
        replies=book.endings(),
        errors=book.errors(),
        spent=book.spent,
        usage=book.usage,
        log=log,
    )


def _opened(
    open_model: Callable[[ModelOptions], Any], names: Mapping[Role, str], options: ModelOptions
) -> dict[Role, Any]:
    """Models by role; one that plays several is opened once, for weights fill a card."""
    by_name = {name: open_model(replace(options, model=name)) for name in {*names.values()}}
    return {role: by_name[name] for role, name in names.items()}


def _play(
    player: Player,
    left: Sequence[str],
    models: Mapping[Role, Any],
    options: ModelOptions,
    work: Path,
) -> Path | None:
    """Play what is left, log by log; gives back the last log."""
    from inspect_ai.dataset import MemoryDataset, Sample

    from mira.evals.inspect_runner.evaluating import evaluate

    log = None
    for start in range(0, len(left), _EPISODES_A_LOG):
        names = left[start : start + _EPISODES_A_LOG]
        log = evaluate(
            MemoryDataset([Sample(id=name, input=name) for name in names], name="mira"),
            player.solver(),
            model=next(iter(models.values())),
            log_dir=work / LOGS_NAME,
            options=options,
            metadata={},
        )
        if player.fault is not None:
            raise player.fault
        if log is None:
            raise KeyboardInterrupt
        if player.book.spent:
            break
    return log


def _counter(progress: Progress | None, done: int, total: int) -> Callable[[], None]:
    """Counts episodes that are written."""

    def told() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress("playing", done, total)

    return told
