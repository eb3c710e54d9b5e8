"""Where people answer and review questions: rules, store and use cases, without any page."""
