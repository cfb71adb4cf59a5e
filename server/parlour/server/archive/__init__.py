"""Finished games: their records, how these are stored and written as text, and how they are verified."""
