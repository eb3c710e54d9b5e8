"""Which answer a reply of a model gives; needs Python's own library alone.

Scores read replies with it, and so do folders of tasks, which carry these very lines along.
"""
