"""Checks of what a finished annotation says against what a mirror can show."""
