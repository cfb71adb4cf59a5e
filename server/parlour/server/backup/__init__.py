"""Backups of a whole deployment, and exports of its games and accounts: portable between all stores and archives."""
