"""The archive database: finished games, rating histories and reviews, in SQLite or PostgreSQL."""
