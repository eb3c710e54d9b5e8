"""`mira demo`: the whole pipeline on packaged scenes, shown on one page."""

from mira.cli.demo.pipeline import run_demo

__all__ = ["run_demo"]
