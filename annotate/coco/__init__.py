"""COCO's files: one document of many pictures."""
