"""A release to look through in a browser: a folder of files that needs no server."""
