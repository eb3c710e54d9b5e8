"""A release as its readers see it: the layout, the columns, and rows with rendered pictures.

Both the stage that writes releases and the ones that evaluate on them stand on this room.
"""
