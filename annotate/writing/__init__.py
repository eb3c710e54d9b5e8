"""From the record of one picture to annotation files and what annotators need."""
