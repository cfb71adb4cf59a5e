"""Shared by the full-screen client and the line client: sessions, tables, replays, settings, forms."""
