"""Compares the observations of clients with the data on the server, and returns every broken guarantee. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from parlour.chaos.evidence import CommandKey, Evidence, GameLog
from parlour.chaos.observations import Attempt, Observations
from parlour.protocol.types import Result

# Endings that only a fault can cause: no player of a run lets its time run out, leaves, or aborts a game.
BY_CLOCK = ("flag", "abandoned", "aborted")


class Kind(StrEnum):
    """A guarantee, by how it is broken."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Kind:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.meaning = meaning
        return kind

    LOST = "lost", "an acknowledged command is not in the log"
    CORRUPT = "corrupt", "a log contains a move that the rules do not allow"
    TWICE = "twice", "a command was executed more than once"
    DENIED = "denied", "a command was executed, and refused when it was sent again"
    PHANTOM = "phantom", "a client was shown a move that is not in the log"
    DIVERGED = "diverged", "a client ended with a different game from the log"
    UNFINISHED = "unfinished", "a game could not be finished"
    TIME = "time", "a player lost by the clock because of a fault"
    RATING = "rating", "a game was not rated exactly once"
    FAILED = "failed", "a client or a node exited by itself"


class Violation(Struct, frozen=True):
    """A broken guarantee, and where."""

    kind: Kind
    sentence: str


def check(seen: Observations, evidence: Evidence) -> list[Violation]:
    """Return all violations."""
    found = [Violation(Kind.FAILED, sentence) for sentence in seen.failures]
    found += _commands(seen, evidence)
    found += _shown_moves(seen, evidence)
    found += _final_views(seen, evidence)
    attempts = {(attempt.room, attempt.player, attempt.ply): attempt for attempt in seen.attempts}
    for log in evidence.logs.values():
        found += _ending(log, attempts, seen)
    found += _ratings(evidence)
    return found


def _commands(seen: Observations, evidence: Evidence) -> Iterator[Violation]:
    """Every acknowledged command is in the log once, where its acknowledgement says, and no refused one is."""
    executed = {room: Counter(entry.command for entry in log.entries) for room, log in evidence.logs.items()}
    for room, commands in executed.items():
        for command, times in commands.items():
            if times > 1 and command is not None:
                player, id = command
                yield Violation(Kind.TWICE, f"Room {room} has {player}'s command {id} {times} times.")
    for attempt in seen.attempts:
        log = evidence.logs.get(attempt.room)
        what = f"{attempt.player}'s command {attempt.id} for move {attempt.ply + 1} in room {attempt.room}"
        if attempt.seq is not None and _command_at(log, attempt.seq) != attempt.command:
            yield Violation(Kind.LOST, f"Entry {attempt.seq} of the log is not {what}, which was acknowledged.")
        elif attempt.refusal is not None and attempt.command in executed.get(attempt.room, ()):
            yield Violation(Kind.DENIED, f"The log has {what}, which was refused with {attempt.refusal}.")


def _command_at(log: GameLog | None, seq: int) -> CommandKey | None:
    return log.entries[seq - 1].command if log is not None and 1 <= seq <= len(log.entries) else None


def _shown_moves(seen: Observations, evidence: Evidence) -> Iterator[Violation]:
    for (room, seq), moves in seen.shown.items():
        log = evidence.logs.get(room)
        stored = log.entries[seq - 1].move if log is not None and seq <= len(log.entries) else None
        for move in moves - {stored}:
            yield Violation(Kind.PHANTOM, f"A client was shown {move} as entry {seq} of room {room}; it has {stored}.")


def _final_views(seen: Observations, evidence: Evidence) -> Iterator[Violation]:
    """Every client, and one that joins only now, has the moves, the scene and the result of the log."""
    for room, log in evidence.logs.items():
        snapshot = evidence.snapshots.get(room)
        if snapshot is None:
            yield Violation(Kind.DIVERGED, f"Room {room}, whose log is stored, cannot be joined.")
        elif (snapshot.moves, snapshot.result) != (log.moves, log.result):
            yield Violation(Kind.DIVERGED, f"A client that joins room {room} is sent a different game from the log.")
    for view in seen.views:
        now = evidence.snapshots.get(view.room)
        if now is None:
            yield Violation(Kind.DIVERGED, f"Room {view.room}, in which {view.client} was, does not exist.")
        elif view.result is None and now.result is not None:
            yield Violation(Kind.DIVERGED, f"{view.client} was not told how the game in room {view.room} ended.")
        elif view.result is not None and (view.moves, view.hash, view.result) != (now.moves, now.hash, now.result):
            yield Violation(Kind.DIVERGED, f"{view.client} has another game in room {view.room} than the server.")


def _ending(log: GameLog, attempts: dict[tuple[str, str, int], Attempt], seen: Observations) -> Iterator[Violation]:
    """The game is over by legal moves, and not because a fault kept a player from acting."""
    if log.fault:
        yield Violation(Kind.CORRUPT, f"Room {log.room}: {log.fault}")
    if log.result is None:
        yield Violation(Kind.UNFINISHED, f"The game in room {log.room} is not over after {len(log.moves)} moves.")
    elif log.result.reason == "flag" and log.result.winner is not None:
        loser, ply = log.players[1 - log.result.winner], len(log.moves)
        used = _time_used(attempts.get((log.room, loser, ply)), log.clock.main / 1000, seen)
        if used < log.clock.main / 1000:
            sentence = f"{loser} lost on time in room {log.room} after using {used:.1f} s for move {ply + 1}."
            yield Violation(Kind.TIME, sentence)
    elif log.result.reason in BY_CLOCK:
        yield Violation(Kind.TIME, f"The game in room {log.room} ended as {log.result.reason}.")


def _time_used(attempt: Attempt | None, limit: float, seen: Observations) -> float:
    """Return for how long a player thought about a move, and could have acted.

    Time before the player saw its turn and after it sent its move is the server's and the network's, except that a
    player can neither read nor send anything while its own process does not run.
    """
    if attempt is None:
        return sum(stall.ended - stall.began for stall in seen.stalls)
    until = next(at for at in (attempt.sent, attempt.dropped, seen.ended) if at is not None)
    around = (stall for stall in seen.stalls if stall.ended > attempt.began - limit and stall.began < until + limit)
    return until - attempt.began + sum(stall.ended - stall.began for stall in around)


def _ratings(evidence: Evidence) -> Iterator[Violation]:
    """Every rated game counts once for both players, with its result."""
    expected: dict[tuple[str, str], Counter[str]] = {}
    for log in evidence.logs.values():
        if log.rated and log.result is not None and _counts(log.result):
            for seat, player in enumerate(log.players):
                winner = log.result.winner
                outcome = "drawn" if winner is None else "won" if winner == seat else "lost"
                expected.setdefault((player, log.game), Counter())[outcome] += 1
    for player, ratings in evidence.ratings.items():
        found = {rating.game: rating for rating in ratings}
        for game in {game for name, game in expected if name == player} | found.keys():
            due = expected.get((player, game), Counter())
            rating = found.get(game)
            counted = (0, 0, 0) if rating is None else (rating.won, rating.lost, rating.drawn)
            played = (due["won"], due["lost"], due["drawn"])
            if counted != played:
                sentence = f"{player} has {_score(played)} rated games of {game}, but {_score(counted)} are counted."
                yield Violation(Kind.RATING, sentence)


def _counts(result: Result) -> bool:
    return result.reason not in ("aborted", "cancelled") and not result.unrated


def _score(results: tuple[int, int, int]) -> str:
    won, lost, drawn = results
    return f"{won} won, {lost} lost and {drawn} drawn"
