"""Runs of MOSAIC on a page, with their trials on another."""
