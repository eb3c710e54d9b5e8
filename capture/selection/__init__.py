"""Which views of a session are worth annotating: measures, verdicts and one page to look at."""
