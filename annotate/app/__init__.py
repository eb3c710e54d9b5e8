"""The annotation and review app: what runs in the browser, and what serves it."""
