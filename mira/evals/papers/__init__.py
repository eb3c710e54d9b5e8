"""Published tables, recomputed from each other as far as they allow."""
