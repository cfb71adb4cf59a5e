"""Tournaments on a node: their logs, their games, and the sessions that follow them."""
