"""From a folder of pictures, depth and cameras to scenes and views of a workspace."""
