"""The commands of a tournament: each function returns the events that follow, or raises Refusal."""

from __future__ import annotations

from hashlib import blake2b

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.tournaments import arena, knockout, round_robin, simul, swiss
from parlour.tournaments.arena import Candidate
from parlour.tournaments.events import (
    Cancelled,
    Created,
    Entered,
    Event,
    Finished,
    GameEnded,
    Pair,
    Paused,
    Returned,
    RoundStarted,
    Withdrew,
)  # fmt: skip
from parlour.tournaments.settings import MAX_PLAYERS, Settings, check
from parlour.tournaments.state import Entry, Match, TournamentState, evolve, is_over

# In an arena, players who become free within this time are paired together, so that fewer of them meet the same
# opponent again.
PAIR_EVERY = 1_000  # milliseconds
MAX_AHEAD = 366 * 86_400_000  # milliseconds until the start
# A tournament without a start is cancelled if it has too few players and nothing has happened for this time.
OPEN_FOR = 7 * 86_400_000  # milliseconds


def create(settings: Settings, now: int, organiser: str = "", account: str = "", code: str = "") -> list[Event]:
    """Open a tournament. `account` is the id of the organiser, `code` a digest of the entry code."""
    check(settings)
    if settings.start and settings.start < now:
        raise Refusal(ErrorCode.TOURNAMENT_INVALID, "The start is in the past.")
    if settings.start > now + MAX_AHEAD:
        raise Refusal(ErrorCode.TOURNAMENT_INVALID, "A tournament begins within a year.")
    return [Created(now, settings, organiser, account, code)]


def code_digest(code: str) -> str:
    """Return the digest that a log has in place of the entry code."""
    return blake2b(code.encode(), digest_size=12, person=b"entry code").hexdigest() if code else ""


# -- what players do


def enter(
    state: TournamentState,
    player: str,
    name: str,
    rating: int,
    now: int,
    *,
    account: str = "",
    level: str | None = None,
    kind: str = "",
    team: str = "",
    command: str = "",
) -> list[Event]:
    """Enter a player: until the first round starts or, with late entry, until the end."""
    _check_open(state)
    if any(entry.player == player or (account and entry.account == account) for entry in state.entries):
        raise Refusal(ErrorCode.ALREADY_ENTERED, f"{name} has entered already.")
    _check_room(state)
    if len(state.entries) >= MAX_PLAYERS[state.settings.format]:  # with those who have left
        raise Refusal(ErrorCode.TOURNAMENT_FULL, f"{len(state.entries)} players have entered, which is the limit.")
    if state.host is not None and not state.entries and player != state.host:
        raise Refusal(ErrorCode.ENTRY_REFUSED, "The organiser is the first to enter a simul.")
    if team not in (state.settings.teams or ("",)):
        raise Refusal(ErrorCode.ENTRY_REFUSED, _team_sentence(state.settings.teams))
    return [Entered(now, player, name, rating, account, level, kind, team, command)]


def _check_room(state: TournamentState) -> None:
    """Raise Refusal if the tournament is full."""
    players = sum(not entry.is_withdrawn for entry in state.entries)
    if players >= state.settings.max_players:
        raise Refusal(ErrorCode.TOURNAMENT_FULL, f"The tournament is full: it has {players} players.")


def _team_sentence(teams: tuple[str, ...]) -> str:
    return f"Choose one of the teams: {', '.join(teams)}." if teams else "The tournament has no teams."


def _check_open(state: TournamentState) -> None:
    """Raise Refusal if no player can enter or return any more."""
    _check_not_over(state)
    if state.status != "open" and not _takes_late_entries(state.settings):
        raise Refusal(ErrorCode.ENTRY_REFUSED, "The tournament has begun.")


def _takes_late_entries(settings: Settings) -> bool:
    return settings.late_entry and settings.format in ("arena", "swiss") and settings.computer is None


def rejoin(state: TournamentState, player: str, now: int, command: str = "") -> list[Event]:
    """Return a player who has withdrawn or paused to the pairings."""
    entry = _entry(state, player)
    if entry.is_active:
        raise Refusal(ErrorCode.ALREADY_ENTERED, "You take part already.")
    if entry.is_withdrawn:
        _check_open(state)
        _check_room(state)
    _check_not_over(state)
    return [Returned(now, player, command)]


def pause(state: TournamentState, player: str, now: int, command: str = "") -> list[Event]:
    """Stop pairing a player until the player comes back."""
    _check_not_over(state)
    entry = _entry(state, player)
    if state.settings.format not in ("arena", "swiss"):
        raise Refusal(ErrorCode.ENTRY_REFUSED, "In this format every player plays every round. Withdraw instead.")
    return [Paused(now, player, command)] if entry.is_active else []


def withdraw(state: TournamentState, player: str, now: int, command: str = "") -> list[Event]:
    """Withdraw a player. A running game goes on; the rest of the match is lost."""
    _check_not_over(state)
    if _entry(state, player).is_withdrawn:
        raise Refusal(ErrorCode.NOT_ENTERED, "The player has withdrawn already.")
    if player == state.host and state.status == "open":
        raise Refusal(ErrorCode.ENTRY_REFUSED, "There is no simul without its organiser. Cancel it instead.")
    return [Withdrew(now, player, command)]


def cancel(state: TournamentState, now: int, command: str = "") -> list[Event]:
    """Cancel a tournament that has not begun."""
    _check_not_over(state)
    if state.status != "open":
        raise Refusal(ErrorCode.ENTRY_REFUSED, "The tournament has begun, so it goes on.")
    return [Cancelled(now, command)]


def terminate(state: TournamentState, now: int, command: str = "") -> list[Event]:
    """End a tournament without a result, whether it has begun or not. Only an operator may."""
    _check_not_over(state)
    return [Cancelled(now, command)]


def expel(state: TournamentState, player: str, now: int) -> list[Event]:
    """Withdraw a player whom an operator has suspended, banned or deleted.

    An open simul is cancelled without its host.
    """
    entry = _entry(state, player)
    if state.is_finished or entry.is_withdrawn:
        return []
    return [Cancelled(now) if player == state.host and state.status == "open" else Withdrew(now, player)]


def _entry(state: TournamentState, player: str) -> Entry:
    found = next((entry for entry in state.entries if entry.player == player), None)
    if found is None:
        raise Refusal(ErrorCode.NOT_ENTERED, "The player does not take part.")
    return found


def _check_not_over(state: TournamentState) -> None:
    if state.is_finished:
        raise Refusal(ErrorCode.TOURNAMENT_OVER, "The tournament is over.")


# -- what time brings


def advance(state: TournamentState, now: int) -> list[Event]:
    """Return what is due: the start, the next round, the next games of an arena, or the end."""
    due = deadline(state)
    if due is None or now < due:
        return []
    if state.status == "open" and len(state.active) < state.settings.min_players:
        return [Cancelled(now)]
    if state.settings.format == "arena" and state.status == "running":
        return _advance_arena(state, now)
    return start_round(state, now)


def deadline(state: TournamentState) -> int | None:
    """Return the time at which something is due if nothing else happens; None for never."""
    if state.is_finished:
        return None
    if state.status == "open":
        if state.settings.start:
            return state.settings.start
        is_complete = len(state.active) >= state.settings.min_players
        return state.changed if is_complete else state.changed + OPEN_FOR
    if state.settings.format == "arena":
        is_waiting = len(_free(state)) > 1
        return min(state.paired + PAIR_EVERY, state.arena_end) if is_waiting else state.arena_end
    if any(state.unfinished):
        return None
    return state.last_result if _was_last_round(state) else state.last_result + state.settings.pause


def _was_last_round(state: TournamentState) -> bool:
    """Return whether no round follows, so that there is nothing to pause for. Unlike a pairing, this is cheap."""
    match state.settings.format:
        case "swiss":
            return len(state.rounds) >= swiss.rounds(state) or len(state.active) < 2
        case "round_robin":
            return len(state.rounds) >= round_robin.rounds(len(state.entries), state.settings.cycles)
        case "knockout":
            return len(state.rounds) >= knockout.rounds(len(state.entries))
        case _:
            return bool(state.rounds)


def _advance_arena(state: TournamentState, now: int) -> list[Event]:
    try:
        return start_round(state, now)
    except Refusal:  # the players who are free have just met, or the last games are still being played
        return []


def start_round(state: TournamentState, now: int) -> list[Event]:
    """Pair the next round, or finish the tournament after the last one."""
    _check_not_over(state)
    if state.settings.format != "arena" and any(state.unfinished):
        raise Refusal(ErrorCode.TOURNAMENT_INVALID, "The current round is not over.")
    if not state.rounds and len(state.active) < 2:
        raise Refusal(ErrorCode.TOURNAMENT_INVALID, "A tournament needs 2 players.")
    found = _pairings(state, now)
    if found is None:
        return [Finished(now)]
    started = RoundStarted(now, len(state.rounds) + 1, *found)
    return [started, *_forfeits(evolve(state, started), now)]


def _pairings(state: TournamentState, now: int) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    match state.settings.format:
        case "arena":
            return _arena_pairings(state, now)
        case "round_robin":
            players = [entry.player for entry in state.entries]
            return round_robin.pairings(players, state.settings.cycles, len(state.rounds) + 1)
        case "swiss":
            return swiss.pairings(state)
        case "knockout":
            return knockout.pairings(state)
        case "simul":
            return simul.pairings(state, now)


def _arena_pairings(state: TournamentState, now: int) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    if state.started and now >= state.arena_end:
        if any(state.running):
            raise Refusal(ErrorCode.TOURNAMENT_INVALID, "The last games are still being played.")
        return None
    pairs = arena.pairings(_free(state), len(state.active), now)
    if not pairs:
        raise Refusal(ErrorCode.TOURNAMENT_INVALID, "No two players can be paired now.")
    return pairs, ()


def _free(state: TournamentState) -> list[Candidate]:
    return [
        Candidate(player, seed, state.arena[player])
        for seed, player in enumerate(state.active)
        if state.arena[player].playing is None
    ]


# -- results


def report(
    state: TournamentState,
    number: int,
    match: int,
    game: int,
    winner: str | None,
    now: int,
    *,
    forfeit: bool = False,
    berserk: tuple[str, ...] = (),
) -> list[Event]:
    """Record the result of a game. Every game is counted once, and the games of a match in order."""
    is_current = number == len(state.rounds) or state.settings.format == "arena"
    if not is_current or not 1 <= number <= len(state.rounds):
        raise Refusal(ErrorCode.RESULT_REFUSED, f"Round {number} is not being played.")
    matches = state.rounds[number - 1].matches
    if not 0 <= match < len(matches):
        raise Refusal(ErrorCode.RESULT_REFUSED, f"Round {number} has no match {match}.")
    found = matches[match]
    if state.is_finished or game != len(found.winners) or is_over(state.settings, found):
        raise Refusal(ErrorCode.RESULT_REFUSED, f"The result of game {game} is not awaited.")
    if winner not in (found.first, found.second, None):
        raise Refusal(ErrorCode.RESULT_REFUSED, "The winner does not play in this match.")
    ended = GameEnded(now, number, match, game, winner, forfeit, berserk)
    return [ended, *_forfeits(evolve(state, ended), now, match)]


def _forfeits(state: TournamentState, now: int, only: int | None = None) -> list[Event]:
    """Return the results of the games that cannot be played because a player has withdrawn."""
    if state.settings.format == "arena":
        return []
    withdrawn = {entry.player for entry in state.entries if entry.is_withdrawn}
    found: list[Event] = []
    for index, match in state.unfinished:
        if only in (None, index) and withdrawn & {match.first, match.second}:
            found += _forfeited(state, index, match, withdrawn, now)
    return found


def _forfeited(state: TournamentState, index: int, match: Match, withdrawn: set[str], now: int) -> list[Event]:
    present = [player for player in (match.first, match.second) if player not in withdrawn]
    events: list[Event] = []
    while not is_over(state.settings, match):
        event = GameEnded(now, len(state.rounds), index, len(match.winners), next(iter(present), None), forfeit=True)
        events.append(event)
        state = evolve(state, event)
        match = state.rounds[-1].matches[index]
    return events
