"""From the bytes of an annotation file to the record of one picture."""
