"""The published layout, `questions.json` beside its pictures: its words, its entries, its writer.

What goes out comes from a workspace or from a release; both meet here.
"""
