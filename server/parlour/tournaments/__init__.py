"""Tournaments: formats, pairings, standings and reports. Pure: time and results are arguments."""
