"""Queries about games and positions, which need no room: rules, lessons, studies, positions set up by hand."""
