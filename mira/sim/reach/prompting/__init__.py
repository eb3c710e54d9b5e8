"""What players of the mirror test are told, and in which words."""
