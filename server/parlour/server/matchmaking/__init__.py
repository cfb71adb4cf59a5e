"""How players find opponents, and which games can be watched."""
