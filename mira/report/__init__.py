"""Pages and documents for people: one self-contained HTML or Markdown file each."""
