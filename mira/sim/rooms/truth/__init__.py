"""What is true of a view: masks, links, poses, sides, free space, and what a sensor makes of it."""
