"""One picture in metres as a page to walk around in, and as a file for Rerun."""
