"""How far annotators agree, as a page that people act on, with tables beside it."""
