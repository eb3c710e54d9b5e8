"""The treasure game of MOSAIC: one agent knows the box with the reward, the other chooses by it."""
