"""Players' sessions: who is connected, and what happens to each message."""
