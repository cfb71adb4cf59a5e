"""What every client for people has behind its screen: who you are, the table you sit at, the turn you are choosing."""
