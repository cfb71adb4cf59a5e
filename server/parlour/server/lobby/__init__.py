"""How players find each other, and what can be watched."""
