"""All operations of the API. Where the paths of two match the same address, the first one counts."""

from parlour.server.api import account, games, lobby, players, positions, records, rooms, tournaments

OPERATIONS = (
    *games.OPERATIONS,
    *players.OPERATIONS,
    *records.OPERATIONS,
    *rooms.OPERATIONS,
    *lobby.OPERATIONS,
    *tournaments.OPERATIONS,
    *positions.OPERATIONS,
    *account.OPERATIONS,
)
