"""What players say that they believe, held against what they then do."""
