"""Players: names, accounts, passwords, ratings, profiles and rate limits."""
