"""What the person at the camera sees."""
