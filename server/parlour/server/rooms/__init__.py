"""Rooms: a game at a table as a log of events and a pure fold over it."""
