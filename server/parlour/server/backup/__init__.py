"""Backups of a whole deployment, and games to take along: portable between all kinds of stores and archives."""
