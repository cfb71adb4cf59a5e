"""The report of a tournament in FIDE's format, TRF16, which programs for pairings and ratings read."""

from __future__ import annotations

from datetime import UTC, datetime

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.tournaments.results import Outcome, outcomes
from parlour.tournaments.standings import standings
from parlour.tournaments.state import TournamentState

NAME_WIDTH = 33
COLORS = {True: "w", False: "b", None: "-"}


def report(state: TournamentState, began: int, ended: int) -> str:
    """Return the report. `began` and `ended` are times in milliseconds.

    The numbers of the players are their places in the seeding, and a match counts as one game.
    """
    if state.settings.format in ("arena", "simul"):
        raise Refusal(
            ErrorCode.TOURNAMENT_INVALID, "A report to FIDE has rounds with one game each, unlike an arena or a simul."
        )
    seeding = state.seeding
    number = {entry.player: index for index, entry in enumerate(seeding, 1)}
    rank = {row.player: row.rank for row in standings(state)}
    lines = [
        f"012 {state.settings.name}",
        f"042 {_date(began)}",
        f"052 {_date(ended)}",
        f"062 {len(seeding)}",
        f"092 {state.settings.format.replace('_', ' ')}, {state.settings.game}",
    ]
    for entry in seeding:
        played = outcomes(state, entry.player)
        points = sum(each.points for each in played)
        results = "".join(f"  {_round(each, number)}" for each in played)
        lines.append(
            f"001 {number[entry.player]:4}      {entry.name[:NAME_WIDTH]:{NAME_WIDTH}} {entry.rating or '':4}"
            f"{'':28}{points:4.1f} {rank[entry.player]:4}{results}"
        )
    return "\n".join([*lines, f"XXR {len(state.rounds)}", ""])


def _round(outcome: Outcome, number: dict[str, int]) -> str:
    opponent = "0000" if outcome.opponent is None else f"{number[outcome.opponent]:4}"
    return f"{opponent} {COLORS[outcome.is_first]} {outcome.code}"


def _date(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y/%m/%d")
