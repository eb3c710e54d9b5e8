"""Pictures that go with a question: depth in colours, mirror overlay, drawn boxes, masks."""
