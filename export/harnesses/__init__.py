"""A release in the layouts that other programs read, to be asked, scored or trained on."""
