"""What the benchmark asks: levels, sub-tasks, templates, protocols and modalities, as data."""
