"""Parameters of the simulated depth camera, estimated from what a real one measured."""
