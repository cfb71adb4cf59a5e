"""Plain text for players: clocks, results, turns and boards in words. Both clients use the same sentences."""
