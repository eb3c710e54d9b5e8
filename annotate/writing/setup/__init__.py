"""What annotators are given before they start: labels, attributes, settings and a guide."""
