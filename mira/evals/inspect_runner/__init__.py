"""Models asked the questions of a release, with inspect_ai; the only importer of it."""
