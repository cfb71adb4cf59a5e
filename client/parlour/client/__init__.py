"""Everything a player needs on this side of the wire; it knows the protocol and no game."""
