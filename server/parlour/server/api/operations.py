"""All operations of the API. If several match a path, the first one is used."""

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
