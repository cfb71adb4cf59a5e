"""The state of a tournament, folded from its log."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from parlour.tournaments import arena
from parlour.tournaments.arena import ArenaPlayer
from parlour.tournaments.events import (
    Cancelled,
    Created,
    Entered,
    Event,
    Finished,
    GameEnded,
    Paused,
    Returned,
    RoundStarted,
    Withdrew,
)  # fmt: skip
from parlour.tournaments.settings import Settings


class Entry(Struct, frozen=True):
    """A player of the tournament."""

    player: str
    name: str
    rating: int
    is_withdrawn: bool = False
    is_paused: bool = False
    account: str = ""  # the id, which never leaves the server
    level: str | None = None  # of the computer
    kind: str = ""  # bot or guest; empty: a person with an account
    team: str = ""
    command: str = ""  # a digest of the command by which the player has entered, or entered again

    @property
    def is_active(self) -> bool:
        """Whether the player is paired."""
        return not self.is_withdrawn and not self.is_paused


class Match(Struct, frozen=True):
    """Two players who meet in a round. They change sides after each game."""

    first: str  # begins the games 0, 2, 4 …
    second: str
    winners: tuple[str | None, ...] = ()  # of the finished games; None for a draw
    forfeits: tuple[int, ...] = ()  # the games among them that were not played

    def points(self, player: str) -> float:
        """Return the points of one of the two players: 1 for a game won, one half for a draw that was played."""
        return sum(
            float(winner == player) if winner is not None else 0.0 if game in self.forfeits else 0.5
            for game, winner in enumerate(self.winners)
        )

    def seated(self, game: int) -> tuple[str, str]:
        """Return the two players of a game by seat."""
        return (self.first, self.second) if game % 2 == 0 else (self.second, self.first)

    def opponent(self, player: str) -> str:
        return self.second if player == self.first else self.first

    @property
    def leader(self) -> str | None:
        """The player with more points so far."""
        lead = self.points(self.first) - self.points(self.second)
        return None if lead == 0 else self.first if lead > 0 else self.second


class Round(Struct, frozen=True):
    """The matches that are played at the same time."""

    matches: tuple[Match, ...]
    byes: tuple[str, ...] = ()


class TournamentState(Struct, frozen=True):
    """The state of a tournament. `entries` are in the order in which the players entered."""

    settings: Settings
    entries: tuple[Entry, ...] = ()
    rounds: tuple[Round, ...] = ()
    status: Literal["open", "running", "finished", "cancelled"] = "open"
    organiser: str = ""
    organiser_account: str = ""
    code: str = ""  # a digest of the entry code
    changed: int = 0  # when the last event happened
    last_result: int = 0  # when the last game ended, or the round began
    started: int = 0
    paired: int = 0  # when the last round started
    arena: dict[str, ArenaPlayer] = {}  # by player, in an arena

    @property
    def is_finished(self) -> bool:
        """Whether the tournament is over."""
        return self.status in ("finished", "cancelled")

    @property
    def host(self) -> str | None:
        """The player who meets all others in a simul: its organiser, who was the first to enter."""
        return self.organiser if self.settings.format == "simul" else None

    @property
    def active(self) -> list[str]:
        """The players who can be paired, strongest first."""
        return [entry.player for entry in self.seeding if entry.is_active]

    @property
    def arena_end(self) -> int:
        """The time at which an arena ends, known after its start."""
        return self.started + self.settings.duration

    def entry_of(self, account: str) -> Entry | None:
        """Return the entry of a player by the id; None for a player who does not take part."""
        return next((entry for entry in self.entries if entry.account == account), None)

    def match(self, number: int, match: int) -> Match:
        """Return a match by the number of its round and its index there."""
        return self.rounds[number - 1].matches[match]

    @property
    def seeding(self) -> list[Entry]:
        """All players by rating; of two with the same rating, the one who entered first has the better place."""
        return sorted(self.entries, key=lambda entry: -entry.rating)

    @property
    def unfinished(self) -> Iterator[tuple[int, Match]]:
        """The matches of the current round that need another game, with their index."""
        if self.rounds:
            for index, match in enumerate(self.rounds[-1].matches):
                if not is_over(self.settings, match):
                    yield index, match

    @property
    def running(self) -> Iterator[tuple[int, int, Match]]:
        """All matches that need another game, with their round and index. In an arena, rounds overlap."""
        if self.settings.format != "arena":
            for index, match in self.unfinished:
                yield len(self.rounds), index, match
            return
        for player, found in self.arena.items():
            if found.playing is not None and self.match(*found.playing).first == player:
                yield *found.playing, self.match(*found.playing)


def is_over(settings: Settings, match: Match) -> bool:
    """Return whether no further game is played: all were, or, in a knockout, the winner is known.

    A drawn match of a knockout is prolonged by at most one pair of games. If that is drawn too, the seeding decides.
    """
    played, planned = len(match.winners), settings.games
    if settings.format != "knockout":
        return played >= planned
    left = planned - played
    lead = abs(match.points(match.first) - match.points(match.second))
    if left > 0:
        return lead > left
    return (lead > 0 and left % 2 == 0) or left <= -2


def evolve(state: TournamentState, event: Event) -> TournamentState:
    """Return the tournament after an event of its log."""
    return replace(_changed(state, event), changed=event.at)


def _changed(state: TournamentState, event: Event) -> TournamentState:
    match event:
        case Entered():
            return _entered(state, event)
        case Withdrew():
            if state.status == "open":
                left = tuple(entry for entry in state.entries if entry.player != event.player)
                return replace(state, entries=left, arena=_without(state.arena, event.player))
            return _with_entry(state, event.player, is_withdrawn=True)
        case Paused():
            return _with_entry(state, event.player, is_paused=True)
        case Returned():
            return _with_entry(state, event.player, is_withdrawn=False, is_paused=False, command=event.command)
        case RoundStarted():
            return _round_started(state, event)
        case GameEnded():
            return _with_result(state, event)
        case Finished():
            return replace(state, status="finished")
        case Cancelled():
            return replace(state, status="cancelled")
        case Created():
            raise ValueError("a tournament is created once")


def _entered(state: TournamentState, event: Entered) -> TournamentState:
    entry = Entry(
        event.player, event.name, event.rating,
        account=event.account, level=event.level, kind=event.kind, team=event.team,
        command=event.command,
    )  # fmt: skip
    if state.settings.format == "arena":
        state = replace(state, arena={**state.arena, event.player: ArenaPlayer(event.at)})
    return replace(state, entries=(*state.entries, entry))


def _without(players: dict[str, ArenaPlayer], player: str) -> dict[str, ArenaPlayer]:
    return {name: found for name, found in players.items() if name != player}


def _with_entry(state: TournamentState, player: str, **changes: bool | str) -> TournamentState:
    entries = tuple(replace(entry, **changes) if entry.player == player else entry for entry in state.entries)
    return replace(state, entries=entries)


def _round_started(state: TournamentState, event: RoundStarted) -> TournamentState:
    played = Round(tuple(Match(first, second) for first, second in event.pairs), event.byes)
    if state.settings.format == "arena":
        state = replace(state, arena=arena.begun(state.arena, event.pairs, event.round))
    started = state.started or event.at
    return replace(
        state, rounds=(*state.rounds, played), status="running", started=started, paired=event.at,
        last_result=event.at,
    )  # fmt: skip


def _with_result(state: TournamentState, event: GameEnded) -> TournamentState:
    index = event.round - 1
    current = state.rounds[index]
    matches = list(current.matches)
    match = matches[event.match]
    forfeits = (*match.forfeits, event.game) if event.forfeit else match.forfeits
    matches[event.match] = replace(match, winners=(*match.winners, event.winner), forfeits=forfeits)
    rounds = (*state.rounds[:index], replace(current, matches=tuple(matches)), *state.rounds[event.round :])
    if state.settings.format != "arena":
        return replace(state, rounds=rounds, last_result=event.at)
    pair = match.first, match.second
    ratings = {entry.player: entry.rating for entry in state.entries if entry.player in pair}
    after = replace(state, rounds=rounds, arena=arena.ended(state.arena, pair, event, ratings))
    if not event.forfeit or event.winner is None:
        return after
    # A player who did not come to the board is not paired again before saying so.
    for absent in pair:
        if absent != event.winner:
            after = _with_entry(after, absent, is_paused=True)
    return after


def begin(created: Created) -> TournamentState:
    """Return a tournament after its first event."""
    return TournamentState(
        created.settings,
        organiser=created.organiser,
        organiser_account=created.account,
        code=created.code,
        changed=created.at,
    )


def fold(events: list[Event]) -> TournamentState:
    """Return the tournament that a whole log describes, which begins with Created."""
    created, *others = events
    if not isinstance(created, Created):
        raise ValueError("a log begins with the creation of its tournament")
    return reduce(evolve, others, begin(created))
