"""Pictures of simulated worlds without players, in a folder with what is true of them."""
