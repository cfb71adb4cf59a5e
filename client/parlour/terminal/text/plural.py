"""Numbers with their nouns."""

from __future__ import annotations


def plural(number: int, noun: str) -> str:
    """Return `1 game`, `2 games`."""
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
