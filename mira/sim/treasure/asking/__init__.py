"""Players who are asked in words and reply in JSON: what they are told, how replies are read."""
