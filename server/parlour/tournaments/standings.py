"""The order of the players, with the tie-breaks that decide between equal points."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from parlour.tournaments import knockout
from parlour.tournaments.results import Outcome, all_outcomes
from parlour.tournaments.state import Entry, TournamentState

TIE_BREAKS = {
    "arena": ("Performance",),
    "swiss": ("Buchholz", "Sonneborn-Berger"),
    "round_robin": ("Sonneborn-Berger", "Buchholz"),
    "knockout": ("Sonneborn-Berger", "Buchholz"),
    "simul": (),
}

ELO = 400  # points of rating between a player and one who loses all games, in the formula for a performance


class Standing(Struct, frozen=True):
    """The place of a player."""

    rank: int  # from 1
    player: str
    name: str
    points: float  # 1 for each match that was won or was a bye, one half for each drawn one
    games: float  # points of the games of all matches
    buchholz: float  # points of all opponents
    sonneborn_berger: float  # points of the opponents beaten, and half those of the opponents drawn with
    performance: int | None  # the rating that explains the results, if the opponents have one
    stage: int = 0  # of a knockout: how far the player has come; of a simul: one for the host


def standings(state: TournamentState, played: Mapping[str, list[Outcome]] | None = None) -> list[Standing]:
    """Return all players, best first.

    Points decide first, in a knockout the stage that was reached; the host of a simul is the first. Then the matches
    among the tied players if each of them has met each other one; in a Swiss tournament Buchholz and then
    Sonneborn-Berger, in others the other way round; the points of the games; and finally the seeding. In an arena, the
    performance decides. `played` is what `all_outcomes` returns, if it is known already.
    """
    if state.settings.format == "arena":
        return _arena_standings(state)
    played = all_outcomes(state) if played is None else played
    ratings = {entry.player: entry.rating for entry in state.entries}
    points = {player: sum(each.points for each in rounds) for player, rounds in played.items()}
    stages = _stages(state)
    rows = [
        Standing(
            rank=0,
            player=entry.player,
            name=entry.name,
            points=points[entry.player],
            games=sum(each.games for each in played[entry.player]),
            buchholz=sum(points[opponent] for opponent, _ in _met(played[entry.player])),
            sonneborn_berger=sum(points[opponent] * each for opponent, each in _met(played[entry.player])),
            performance=_performance(ratings, played[entry.player]),
            stage=stages.get(entry.player, 0),
        )
        for entry in state.seeding
    ]
    rows.sort(key=lambda row: (-row.stage, -row.points))
    ordered: list[Standing] = []
    for _, tied in groupby(rows, key=lambda row: (row.stage, row.points)):
        ordered += _break_ties(state, list(tied), played)
    return [replace(row, rank=rank) for rank, row in enumerate(ordered, 1)]


def _arena_standings(state: TournamentState) -> list[Standing]:
    ordered = sorted(
        state.seeding, key=lambda entry: (-state.arena[entry.player].points, -(_arena_performance(state, entry) or 0))
    )
    return [
        Standing(
            rank=rank,
            player=entry.player,
            name=entry.name,
            points=float(state.arena[entry.player].points),
            games=state.arena[entry.player].halves / 2,
            buchholz=0.0,
            sonneborn_berger=0.0,
            performance=_arena_performance(state, entry),
        )
        for rank, entry in enumerate(ordered, 1)
    ]


def _arena_performance(state: TournamentState, entry: Entry) -> int | None:
    return state.arena[entry.player].performance


def team_points(state: TournamentState, rows: list[Standing]) -> list[tuple[str, float, int]]:
    """Return the teams with the sums of their players' points and their numbers of players, best first."""
    team = {entry.player: entry.team for entry in state.entries}
    found = []
    for name in state.settings.teams:
        points = [row.points for row in rows if team[row.player] == name]
        found.append((name, sum(points), len(points)))
    return sorted(found, key=lambda each: -each[1])


def _break_ties(state: TournamentState, tied: list[Standing], played: Mapping[str, list[Outcome]]) -> list[Standing]:
    names = {row.player for row in tied}
    direct = {row.player: sum(each.points for each in played[row.player] if each.opponent in names) for row in tied}
    have_met = all(len({each.opponent for each in played[row.player]} & names) == len(names) - 1 for row in tied)

    def key(row: Standing) -> tuple[float, ...]:
        breaks = row.buchholz, row.sonneborn_berger
        first, second = breaks if state.settings.format == "swiss" else reversed(breaks)
        return -direct[row.player] if have_met else 0.0, -first, -second, -row.games

    return sorted(tied, key=key)


def _met(rounds: list[Outcome]) -> list[tuple[str, float]]:
    """Return the opponents of the matches that were played, and the points of each match."""
    return [(each.opponent, each.points) for each in rounds if each.is_played and each.opponent is not None]


def _performance(ratings: Mapping[str, int], rounds: list[Outcome]) -> int | None:
    met = [(ratings[opponent], points) for opponent, points in _met(rounds) if ratings[opponent]]
    if not met:
        return None
    average = sum(rating for rating, _ in met) / len(met)
    return round(average + ELO * (2 * sum(points for _, points in met) - len(met)) / len(met))


def _stages(state: TournamentState) -> dict[str, int]:
    """Return the stage that each player has reached, which decides before the points.

    In most formats it is 0. In a knockout it is two for each round that a player has survived, and one for the match
    for the third place. Its winner is thus placed before its loser, and both after the finalists.
    """
    if state.host is not None:
        return {state.host: 1}
    if state.settings.format != "knockout":
        return {}
    stages = dict.fromkeys((entry.player for entry in state.entries), 0)
    final = knockout.rounds(len(state.entries))
    for number, played in enumerate(state.rounds, 1):
        for index, match in enumerate(played.matches):
            if match.winners:
                stages[knockout.winner(state, match)] += 1 if number == final and index == 1 else 2
        for player in played.byes:
            stages[player] += 2
    return stages
