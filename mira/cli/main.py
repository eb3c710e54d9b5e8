"""Entry point of the `mira` command.

Nothing is imported before `run` is called, so that an interrupt finds a hand to catch it.
"""

from __future__ import annotations


def run() -> None:
    """Run the command line of this process and end it with the exit status."""
    try:
        from mira.cli.app import app
        from mira.cli.running import guarded
    except KeyboardInterrupt:
        import sys

        print("interrupted", file=sys.stderr)
        sys.exit(130)
    guarded(app, prog_name="mira")


if __name__ == "__main__":
    run()
