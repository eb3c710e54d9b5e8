"""The published wire format: `questions.json` beside its pictures, written and read."""
