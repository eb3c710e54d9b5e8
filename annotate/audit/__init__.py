"""The audit: batches are drawn, a sample is drawn again blind, and people decide by both."""
