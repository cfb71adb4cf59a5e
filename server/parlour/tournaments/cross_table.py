"""A tournament as text: one line for each player, best first."""

from __future__ import annotations

from unicodedata import east_asian_width

from parlour.tournaments.results import outcomes
from parlour.tournaments.standings import Standing, standings
from parlour.tournaments.state import TournamentState

HALF = "½"


def cross_table(state: TournamentState) -> list[str]:
    """Return the lines of the table.

    In a round robin there is a column for each opponent, with the points of the games against that player. In a simul
    all results are in one column. In other formats there is one for each round: the points of the games, who began (w
    for the player, b for the opponent) and the opponent's rank.
    """
    rows = standings(state)
    if state.settings.format == "arena":
        return _aligned(
            ["", "player", "points", "games", "won", "performance", "last games"],
            [_arena_line(state, row) for row in rows],
        )
    if state.settings.format == "simul":
        return _aligned(
            ["", "player", "points", "results"],
            [[str(row.rank), row.name, points(row.points), " ".join(_in_each_round(state, row, rows))] for row in rows],
        )
    if state.settings.format == "round_robin":
        columns = [str(row.rank) for row in rows]
        cells = [_against_each(state, row, rows) for row in rows]
    else:
        columns = [f"R{number}" for number in range(1, len(state.rounds) + 1)]
        cells = [_in_each_round(state, row, rows) for row in rows]
    head = ["", "player", *columns, "points", "games", "Buchholz", "S-B"]
    body = [
        [str(row.rank), row.name, *line, *map(points, (row.points, row.games, row.buchholz, row.sonneborn_berger))]
        for row, line in zip(rows, cells, strict=True)
    ]
    return _aligned(head, body)


def arena_cross_table(state: TournamentState) -> list[str]:
    """Return a table with a column for each opponent: the points of all games, a slash, and how many they were."""
    rows = standings(state)
    met: dict[tuple[str, str], list[float]] = {}
    for match in (match for played in state.rounds for match in played.matches if match.winners):
        for player in (match.first, match.second):
            met.setdefault((player, match.opponent(player)), []).append(match.points(player))
    return _aligned(
        ["", "player", *(str(row.rank) for row in rows)],
        [[str(row.rank), row.name, *(_cell(met, row, other) for other in rows)] for row in rows],
    )


def _cell(met: dict[tuple[str, str], list[float]], row: Standing, other: Standing) -> str:
    found = met.get((row.player, other.player), [])
    return "×" if other is row else f"{points(sum(found))}/{len(found)}" if found else ""


def _aligned(head: list[str], body: list[list[str]]) -> list[str]:
    widths = [max(map(_width, column)) for column in zip(head, *body, strict=True)]
    return [
        "  ".join(
            _padded(cell, width, left=index == 1) for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in (head, *body)
    ]


def points(value: float) -> str:
    """Write points: 0, ½, 1, 1½ …"""
    whole, rest = int(value), value - int(value)
    if rest not in (0, 0.5):
        return f"{value:g}"
    return HALF if rest and not whole else f"{whole}{HALF if rest else ''}"


def _against_each(state: TournamentState, row: Standing, rows: list[Standing]) -> list[str]:
    met: dict[str, list[float]] = {}
    for each in outcomes(state, row.player):
        if each.opponent is not None:
            met.setdefault(each.opponent, []).append(each.games)
    return ["×" if other is row else points(sum(met[other.player])) if other.player in met else "" for other in rows]


def _arena_line(state: TournamentState, row: Standing) -> list[str]:
    player = state.arena[row.player]
    last = " ".join(str(each.points) for each in player.results)
    performance = "" if row.performance is None else str(row.performance)
    return [str(row.rank), row.name, points(row.points), str(player.games), points(row.games), performance, last]


def _in_each_round(state: TournamentState, row: Standing, rows: list[Standing]) -> list[str]:
    rank = {other.player: other.rank for other in rows}
    cells = []
    for each in outcomes(state, row.player):
        if each.opponent is None:
            cells.append("bye" if each.code == "U" else "–")
        else:
            forfeit = "f" if each.code in "+-" else ""
            cells.append(f"{points(each.games)}{forfeit} {'w' if each.is_first else 'b'}{rank[each.opponent]}")
    return cells


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _padded(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - _width(text))
    return text + space if left else space + text
