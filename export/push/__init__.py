"""A release goes to the Hub in one commit, or not at all."""
