"""State and logic that the full-screen client and the line client share: sessions, tables, replays, settings, forms."""
