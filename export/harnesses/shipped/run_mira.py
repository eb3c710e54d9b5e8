"""Run VLMEvalKit on the questions of this folder: `python run_mira.py KIT --model NAME …`.

KIT is a checkout of VLMEvalKit; what follows are arguments of its own `run.py`.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Make the data set known to the kit and hand over to its `run.py`."""
    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "run.py").is_file():
        sys.exit("usage: python run_mira.py FOLDER_OF_VLMEVALKIT --model NAME [...]")
    kit = Path(sys.argv[1]).resolve()
    sys.path[:0] = [str(kit), str(Path(__file__).resolve().parent)]
    from mira_vlmevalkit import register

    name, words = register(), sys.argv[2:]
    # A file of settings names its data sets itself.
    asked = [] if "--config" in words else ["--data", name]
    sys.argv = [str(kit / "run.py"), *asked, *words]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
