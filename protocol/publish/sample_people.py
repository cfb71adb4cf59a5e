"""The invented players, rooms and tournaments of the examples."""

from __future__ import annotations

from parlour.protocol.types import Clock, Player, Terms

ROOM = "m4Tq8ZkW"
NEXT = "y2Rc7HnB"
CUP = "Kp3v9XqT"  # a tournament
NOW = 1_760_000_000_000

ADA = Player("Ada", rating=1643)
BERTA = Player("Berta", rating=1580, provisional=True)
ROBOT = Player("Robot", rating=1500, bot=True)
GUEST = Player("Quiet Otter 47", guest=True)

BLITZ = Clock("fischer", main=300_000, step=3_000)
TERMS = Terms("mitsudomoe", options={"passive": True}, clock=BLITZ, rated=True)
PLAIN = Terms("mitsudomoe")
