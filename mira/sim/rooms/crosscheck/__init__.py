"""A second look at a room, by other means: a rasteriser and reflected cameras, to check rays by."""
