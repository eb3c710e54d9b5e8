"""What stands in a place: parts, finishes and textures, and the things made of them."""
