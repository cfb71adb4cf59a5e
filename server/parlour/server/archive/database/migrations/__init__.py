"""Migrations of the archive database, run by Alembic when a node starts."""
