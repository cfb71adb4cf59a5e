"""Round robin: each player meets each other one, in the order of the Berger tables of FIDE."""

from __future__ import annotations

from parlour.tournaments.events import Pair


def table(players: int, cycles: int = 1) -> list[list[tuple[int, int]]]:
    """Return the pairs of each round, as numbers from 1; the first of a pair begins.

    Of an odd number of players one has a bye in each round. In the second cycle the sides are swapped.
    """
    even = players + players % 2
    single = [_round(even, number, has_bye=players < even) for number in range(1, even)]
    swapped = [[(second, first) for first, second in pairs] for pairs in single]
    return single if cycles == 1 else single + swapped


def rounds(players: int, cycles: int) -> int:
    """Return the number of rounds."""
    return cycles * (players + players % 2 - 1)


def _round(players: int, number: int, *, has_bye: bool) -> list[tuple[int, int]]:
    """Return one round of the table for an even number of players, in which the last one may be the bye.

    In round r the numbers of two opponents other than the last player add up to r + 1, modulo the number of rounds. An
    odd sum lets the smaller number begin, an even one the larger.
    """
    rounds = players - 1
    middle = next(one for one in range(1, players) if (2 * one - number - 1) % rounds == 0)  # meets the last player
    pairs = [] if has_bye else [(middle, players) if middle <= players // 2 else (players, middle)]
    for distance in range(1, players // 2):
        one, two = ((middle + step - 1) % rounds + 1 for step in (distance, -distance))
        pairs.append((min(one, two), max(one, two)) if (one + two) % 2 else (max(one, two), min(one, two)))
    return pairs


def pairings(players: list[str], cycles: int, number: int) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    """Return the pairs and the bye of a round, counted from 1; None after the last one."""
    rounds = table(len(players), cycles)
    if number > len(rounds):
        return None
    pairs = tuple((players[first - 1], players[second - 1]) for first, second in rounds[number - 1])
    paired = {player for pair in pairs for player in pair}
    return pairs, tuple(player for player in players if player not in paired)
