"""What the mirror test looks like: bodies, hands and marks before a mirror, drawn by MuJoCo."""
