"""What asking a model costs beside the model: our runner, inspect_ai alone, and a plain loop.

    python benchmarks/eval_run.py [--questions 14140] [--folder DIR]

Pictures of 1280 x 720 with the file sizes of the real thing (see `full_size.py`), boxes in words,
so that all about a scene share one picture, and a model that answers at once. inspect_ai alone asks
the same samples with its own `generate` and the same settings. The plain loop reads each picture,
makes the body of the call of it, and keeps a line. Each figure is of a process of its own: CPU
seconds of one core, without imports and without the drawing of pictures, and peak memory.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import full_size

REPLY = '{"final_answer": "A", "brief_explanation": "It stands beside it.", "confidence": 0.8}'
PUBLISHED = 14_140


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=int, default=PUBLISHED)
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--part", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        PARTS[arguments.part[0]](Path(arguments.part[1]), arguments.questions)
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        _make(Path(scratch), arguments.questions)
        print(f"{'what':<16} {'questions':>9} {'CPU s':>8} {'ms each':>8} {'peak MB':>8}")
        for name in PARTS:
            words = ["--questions", str(arguments.questions), "--part", name, scratch]
            done = subprocess.run(
                [sys.executable, __file__, *words], check=True, capture_output=True, text=True
            )
            print(f"{name:<16} {done.stdout.strip()}", flush=True)


def _make(folder: Path, questions: int) -> None:
    from export.build import build_release
    from mira.schema.qa import QAPolicy
    from mira.store.workspace import Workspace
    from qa_gen.generate import generate_questions

    pictures = max(4, -(-full_size.IMAGES * questions // PUBLISHED))
    full_size.make_workspace(folder / "workspace", pictures)
    workspace = Workspace.open(folder / "workspace")
    generate_questions(workspace, policy=QAPolicy())
    build_release(workspace, folder / "release")


def _options(questions: int) -> Any:
    from mira.evals.inspect_runner.options import AskingOptions

    return AskingOptions(model="mockllm/model", protocols=("bbox_text",), limit=questions)


def _model() -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def say(*_: object) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", REPLY)
        output.usage = ModelUsage(input_tokens=1000, output_tokens=30, total_tokens=1030)
        return output

    return get_model("mockllm/model", custom_outputs=say, memoize=False)


def ours(folder: Path, questions: int) -> None:
    from mira.evals.inspect_runner import dataset, solver  # noqa: F401
    from mira.evals.inspect_runner.running import run_model

    drawn_s = 0.0

    def told(step: str, *_: int) -> None:
        nonlocal drawn_s
        if step == "drawing pictures":
            drawn_s = time.process_time()

    model = _model()
    start_s = time.process_time()
    tally = run_model(
        folder / "release", folder / "run", options=_options(questions), progress=told, model=model
    )
    assert sum(tally.kinds.values()) == tally.asked
    _report(tally.asked, time.process_time() - drawn_s, f"and {drawn_s - start_s:.1f} s to draw")


def inspect_alone(folder: Path, questions: int) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as run_eval
    from inspect_ai.solver import generate

    from mira.evals.inspect_runner.dataset import samples_of

    samples = samples_of(_drawn(folder, questions, "alone"), folder / "alone")
    model = _model()
    start_s = time.process_time()
    run_eval(
        Task(dataset=samples, solver=generate()),
        model=model,
        log_dir=str(folder / "logs"),
        display="none",
        log_images=False,
        log_model_api=False,
        log_realtime=False,
        log_header_only=True,
        ctl_server=False,
        score=False,
        fail_on_error=False,
        max_connections=10,
    )
    _report(len(samples), time.process_time() - start_s)


def plain_loop(folder: Path, questions: int) -> None:
    import base64

    import orjson

    drawn = _drawn(folder, questions, "loop")
    start_s = time.process_time()
    with (folder / "loop.jsonl").open("wb") as stream:
        for one in drawn:
            parts: list[dict[str, Any]] = [{"type": "text", "text": one.prompt}]
            for picture in one.pictures:
                data = base64.b64encode((folder / "loop" / picture.path).read_bytes()).decode()
                url = {"url": f"data:image/jpeg;base64,{data}", "detail": "high"}
                parts.append({"type": "image_url", "image_url": url})
            orjson.dumps({"messages": [{"role": "user", "content": parts}]})
            stream.write(orjson.dumps({"id": one.asked.key, "raw": REPLY}) + b"\n")
    _report(len(drawn), time.process_time() - start_s)


def _drawn(folder: Path, questions: int, name: str) -> list[Any]:
    from mira.evals.inspect_runner.drawing import draw_questions
    from mira.evals.inspect_runner.planning import plan_asking

    options = _options(questions)
    plan = plan_asking(folder / "release", folder / "none", options)
    return list(draw_questions(plan, plan.asked, options, folder / name))


def _report(count: int, cpu_s: float, note: str = "") -> None:
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count:>9,} {cpu_s:>8.1f} {cpu_s / count * 1000:>8.2f} {peak_mb:>8.0f}  {note}")


PARTS = {"plain loop": plain_loop, "inspect_ai alone": inspect_alone, "mira eval run": ours}

if __name__ == "__main__":
    main()
