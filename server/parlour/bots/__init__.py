"""Players without hands: programs that choose moves."""
