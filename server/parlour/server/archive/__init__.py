"""Finished games: what is kept of them, how they are written for people, and how they are checked."""
