"""A release is cut into files, each of which any process can write by itself."""
