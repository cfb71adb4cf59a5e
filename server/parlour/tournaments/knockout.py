"""Knockout: the winner of each match goes on; the best two can meet only in the final."""

from __future__ import annotations

from parlour.tournaments.events import Pair
from parlour.tournaments.state import Match, Round, TournamentState


def bracket(players: int) -> list[int]:
    """Return the numbers of the seeds, from 1, in the order of the bracket: neighbours meet in the first round.

    The length is a power of two. The numbers beyond the last player are byes, which the strongest players have.
    """
    order = [1]
    while len(order) < players:
        size = 2 * len(order) + 1
        order = [number for seed in order for number in (seed, size - seed)]
    return order


def rounds(players: int) -> int:
    """Return the number of rounds up to the final."""
    return len(bracket(players)).bit_length() - 1


def pairings(state: TournamentState) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    """Return the pairs and the byes of the next round; None after the final."""
    seeds = [entry.player for entry in state.seeding]
    left = [seeds[number - 1] if number <= len(seeds) else None for number in bracket(len(seeds))]
    losers: list[str] = []
    for played in state.rounds:
        losers = [match.opponent(winner(state, match)) for match in played.matches]
        left = [_advances(state, played, one, two) for one, two in zip(left[::2], left[1::2], strict=True)]
    if len(left) == 1:
        return None
    pairs, byes = [], []
    for one, two in zip(left[::2], left[1::2], strict=True):
        if one is not None and two is not None:
            pairs.append((one, two))
        else:
            byes.append(one or two)
    if state.settings.third_place and len(left) == 2 and len(losers) == 2:
        pairs.append((losers[0], losers[1]))
    return tuple(pairs), tuple(player for player in byes if player is not None)


def winner(state: TournamentState, match: Match) -> str:
    """Return who goes on: the player with more points or, after a draw, the one who was seeded higher."""
    if match.leader is not None:
        return match.leader
    return next(entry.player for entry in state.seeding if entry.player in (match.first, match.second))


def _advances(state: TournamentState, played: Round, one: str | None, two: str | None) -> str | None:
    for match in played.matches:
        if {match.first, match.second} == {one, two}:
            return winner(state, match)
    return one or two
