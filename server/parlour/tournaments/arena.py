"""Arena: players are paired again as soon as their game is over, until the time is up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from parlour.tournaments.events import GameEnded, Pair

WIN, DRAW = 2, 1
STREAK = 2  # wins in a row, after which points count double
SHOWN = 5  # results of each player that are kept
# Two players who have just met wait this long for other opponents before they meet again.
REPEAT_AFTER = 8_000  # milliseconds
FEW = 3  # players, one of whom waits while the others play
MOST_BALANCE = 2  # surplus of games on one side that a player may have


class ArenaResult(Struct, frozen=True, array_like=True):
    """A finished game of a player."""

    points: int
    outcome: str  # won, drawn or lost
    opponent: str
    is_first: bool
    round: int
    match: int
    double: bool = False
    forfeit: bool = False
    berserk: bool = False


class ArenaPlayer(Struct, frozen=True):
    """A player's results in an arena."""

    free_since: int  # when the player entered, or the last game ended
    points: int = 0
    streak: int = 0  # wins in a row
    games: int = 0
    halves: int = 0  # two for each game won, one for each drawn
    rated: int = 0  # how many of the opponents had a rating
    ratings: int = 0  # the sum of these ratings
    balance: int = 0  # how often the player went first, minus how often second
    went_first: bool = False  # in the last game
    last_opponent: str = ""
    playing: tuple[int, int] | None = None  # round and match of the running game
    results: tuple[ArenaResult, ...] = ()  # the newest, the last one at the end

    @property
    def performance(self) -> int | None:
        """The rating that explains the results, if all opponents have one."""
        if not self.games or self.rated < self.games:
            return None
        return round(self.ratings / self.games + 400 * (self.halves - self.games) / self.games)


class Candidate(NamedTuple):
    """A player who could be paired now."""

    name: str
    seed: int  # place in the seeding
    player: ArenaPlayer


def pairings(free: list[Candidate], active: int, now: int) -> tuple[Pair, ...]:
    """Return the pairs of the players who are free, neighbours in the standings first.

    Two players who have just met, or who both need the same side, wait for others first. Of at most three players, the
    one who has waited longest comes first and waits no longer. `active` is the number of all players who take part at
    the moment.
    """
    waiting = sorted(free, key=lambda each: (-each.player.points, each.seed))
    if active <= FEW:
        waiting.sort(key=lambda each: each.player.free_since)
    pairs: list[Pair] = []
    while len(waiting) > 1:
        one = waiting.pop(0)
        found = next((other for other in waiting if _may_meet(one, other, now)), None)
        if found is None and active <= FEW:
            found = waiting[0]
        if found is not None:
            waiting.remove(found)
            pairs.append(_seated(one, found))
    return tuple(pairs)


def _may_meet(one: Candidate, other: Candidate, now: int) -> bool:
    have_just_met = one.player.last_opponent == other.name or other.player.last_opponent == one.name
    if not have_just_met and not _want_the_same_side(one.player, other.player):
        return True
    return now - max(one.player.free_since, other.player.free_since) >= REPEAT_AFTER


def _want_the_same_side(one: ArenaPlayer, other: ArenaPlayer) -> bool:
    """Return whether both players have been on the same side so often that they should get the other one."""
    return min(one.balance, other.balance) >= MOST_BALANCE or max(one.balance, other.balance) <= -MOST_BALANCE


def _seated(one: Candidate, other: Candidate) -> Pair:
    """Return the pair, with the player who has gone first less often at the front."""
    first = sorted((one, other), key=lambda each: (each.player.balance, each.player.went_first, each.seed))[0]
    return (one.name, other.name) if first is one else (other.name, one.name)


def begun(players: Mapping[str, ArenaPlayer], pairs: tuple[Pair, ...], number: int) -> dict[str, ArenaPlayer]:
    """Return the players after the games of a round have begun."""
    after = dict(players)
    for match, (first, second) in enumerate(pairs):
        for name, other, goes_first in ((first, second, True), (second, first, False)):
            player = after[name]
            after[name] = replace(
                player,
                playing=(number, match),
                last_opponent=other,
                balance=player.balance + (1 if goes_first else -1),
                went_first=goes_first,
            )
    return after


def ended(
    players: Mapping[str, ArenaPlayer], pair: Pair, event: GameEnded, ratings: Mapping[str, int]
) -> dict[str, ArenaPlayer]:
    """Return the players after the game of a pair."""
    first, second = pair
    return {
        **players,
        first: _scored(players[first], first, second, event, ratings[second]),
        second: _scored(players[second], second, first, event, ratings[first]),
    }


def _scored(player: ArenaPlayer, name: str, opponent: str, event: GameEnded, rating: int) -> ArenaPlayer:
    is_won, is_drawn = event.winner == name, event.winner is None and not event.forfeit
    double = player.streak >= STREAK and (is_won or is_drawn)
    points = (WIN if is_won else DRAW if is_drawn else 0) * (2 if double else 1)
    berserk = name in event.berserk
    if is_won and berserk and not event.forfeit:
        points += 1
    outcome = "won" if is_won else "drawn" if is_drawn else "lost"
    result = ArenaResult(
        points, outcome, opponent, player.went_first, event.round, event.match, double, event.forfeit, berserk
    )
    return replace(
        player,
        points=player.points + points,
        streak=player.streak + 1 if is_won else 0,
        games=player.games + 1,
        halves=player.halves + (2 if is_won else 1 if is_drawn else 0),
        rated=player.rated + (rating > 0),
        ratings=player.ratings + rating,
        playing=None,
        free_since=event.at,
        results=(*player.results[-SHOWN + 1 :], result),
    )
