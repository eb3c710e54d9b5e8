"""Questions that players are asked between their steps about what they believe."""
