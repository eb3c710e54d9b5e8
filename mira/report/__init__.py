"""Pages for people: one self-contained HTML file each, in one design."""
