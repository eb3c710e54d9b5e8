"""What players of the treasure game see, drawn without an engine."""
