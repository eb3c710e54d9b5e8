"""The `mira` command: `mira <stage> <verb>`, with each stage imported on use."""
