"""One module a layout: which files of a data set are a view."""
