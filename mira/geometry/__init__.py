"""Pure functions on polygons, masks and boxes."""
