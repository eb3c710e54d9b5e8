"""Mirror rooms: procedural RGB-D scenes with exact truth, written as real sessions are."""
