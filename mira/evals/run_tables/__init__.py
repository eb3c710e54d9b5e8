"""Tables of runs: what changes with pictures, protocols and styles, and what follows from what."""
