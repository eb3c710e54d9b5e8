"""Light and sight by rays: where each camera ray ends, and what colour comes back along it."""
