"""A clock of every kind, as people play with them."""

from __future__ import annotations

from parlour.protocol.types import Clock

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
NOON = 1_700_000_000_000  # a moment as a server counts it

NONE = Clock()
MOVE = Clock("move", main=30 * SECOND)
FISCHER = Clock("fischer", main=5 * MINUTE, step=3 * SECOND)
INCREMENT_ONLY = Clock("fischer", step=10 * SECOND)
SUDDEN_DEATH = Clock("fischer", main=MINUTE)
BRONSTEIN = Clock("bronstein", main=MINUTE, step=5 * SECOND)
DELAY = Clock("delay", main=MINUTE, step=5 * SECOND)
BYOYOMI = Clock("byoyomi", main=MINUTE, step=30 * SECOND, count=3)
BYOYOMI_ONLY = Clock("byoyomi", step=30 * SECOND, count=3)
CANADIAN = Clock("canadian", main=MINUTE, step=5 * MINUTE, count=3)
CANADIAN_ONLY = Clock("canadian", step=5 * MINUTE, count=3)
DAYS = Clock("days", main=3 * DAY)

EVERY = (
    NONE, MOVE, FISCHER, INCREMENT_ONLY, SUDDEN_DEATH, BRONSTEIN, DELAY, BYOYOMI, BYOYOMI_ONLY, CANADIAN, CANADIAN_ONLY,
    DAYS,
)  # fmt: skip
LIMITED = EVERY[1:]
