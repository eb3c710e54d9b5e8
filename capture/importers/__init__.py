"""Other people's data sets as capture sessions."""
