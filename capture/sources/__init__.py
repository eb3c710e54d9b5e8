"""Where frames come from: a camera, a recording, a simulated camera."""
