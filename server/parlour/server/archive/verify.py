"""Reads records from outside, as JSON or text, and verifies them against their chain and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from parlour import games
from parlour.games.api import REPETITION
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive import text_format
from parlour.server.archive.record import DELETED, GameRecord, chain, normalized
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.commands import (
    ABANDONED,
    ABORTED,
    ADJUDICATED,
    AGREED,
    CANCELLED,
    FLAG,
    RESIGNED,
    WITHOUT_RESULT,
)  # fmt: skip

# Endings that do not follow from the rules of the game, and whether a player wins by them; None: perhaps.
_HAS_WINNER = {
    RESIGNED: True, FLAG: True, ABANDONED: True, AGREED: False, ABORTED: False, CANCELLED: False, ADJUDICATED: None,
}  # fmt: skip


def read(text: str) -> GameRecord:
    """Return the record in a text of either kind, not verified yet. Raise Refusal if it is not a record."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if text.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(text, type=GameRecord)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
            raise _broken(f"This is not the JSON of a record: {fault}.") from None
    return text_format.read(text)


def write_json(record: GameRecord) -> str:
    """Return a record as JSON, the same bytes for equal records."""
    return msgspec.json.encode(normalized(record), order="deterministic").decode()


def is_replayable(record: GameRecord) -> bool:
    """Return whether the rules of a game are available in the version it was played by.

    If not, only its chain is checked.
    """
    return games.supports(record.terms.game, record.rules_version)


def faults(record: GameRecord) -> Iterator[str]:
    """Yield a sentence for each fault of a record: first of its chain, then the first violation of the rules."""
    for check in (check_chain, replay) if is_replayable(record) else (check_chain,):
        try:
            check(record)
        except Refusal as refusal:
            yield refusal.sentence


def verified(record: GameRecord) -> Match[Any]:
    """Return the game of a record. Raise Refusal if anything is wrong with the record."""
    check_chain(record)
    return replay(record)


def replay(record: GameRecord) -> Match[Any]:
    """Replay a replayable record from its start to its result. Raise Refusal if the rules do not allow it."""
    match = _begin(record)
    game = match.game
    for number, entry in enumerate(record.moves, 1):
        where = f"Move {number}, “{_shorten(entry.move)}”"
        if match.outcome is not None:
            raise _broken(f"{where}, comes after the end of the game.")
        move = _within(where, partial(game.read, match.state, entry.move))
        written = game.write(match.state, move)
        if written != entry.move:
            raise _broken(f"{where} should be written “{written}”.")
        match.play(move)
    _check_result(record, match)
    return match


def _begin(record: GameRecord) -> Match[Any]:
    """Return the game before its first move. Raise Refusal for terms that cannot be played."""
    terms = record.terms
    game = games.find_version(terms.game, record.rules_version)
    options = _within("The options", lambda: game.options(terms.options))
    if dict(options) != terms.options or any(type(options[key]) is not type(terms.options[key]) for key in options):
        raise _broken("Options are missing.")
    _within("The clock", lambda: clocks.check(terms.clock))
    if record.position is None:
        return Match(game, options, _within("The options", lambda: game.initial(options)))
    position = record.position
    state = _within("The position", lambda: game.parse(position, options))
    if game.to_move(state) is None:
        raise _broken("The position: there is no legal move in it.")
    return Match(game, options, state)


def _check_result(record: GameRecord, match: Match[Any]) -> None:
    result, game = record.result, match.game
    if record.ended < record.started:
        raise _broken("The game ends before it starts.")
    if match.outcome is not None:
        outcome = match.outcome
        if (result.winner, result.reason, result.scores) != (outcome.winner, outcome.reason, outcome.scores):
            winner = "no winner" if outcome.winner is None else f"{game.info.seats[outcome.winner].name} wins"
            scores = ", ".join(map(str, outcome.scores)) or "none"
            raise _broken(f"The result should be: {winner} ({outcome.reason}), scores: {scores}.")
        return
    if result.reason not in _HAS_WINNER:
        ended = "has not been repeated" if result.reason == REPETITION else "is not over"
        raise _broken(f"The result is “{_shorten(result.reason)}”, but the last position {ended}.")
    if _HAS_WINNER[result.reason] not in (None, result.winner is not None) or result.winner not in (0, 1, None):
        raise _broken(f"The result “{result.reason}” contradicts the winner.")
    wanted = () if result.reason in WITHOUT_RESULT else game.scores(match.state)
    if result.scores != wanted:
        raise _broken(f"The scores should be {', '.join(map(str, wanted)) or 'none'}.")


def check_chain(record: GameRecord) -> None:
    """Raise Refusal if the chain does not match the record, and say where it was changed."""
    for player, erased in zip(record.players, record.erased, strict=True):
        if erased and player.name != DELETED:
            raise _broken(f"A player whose name was erased should be called “{DELETED}”.")
    *links, final = record.chain.split(".")
    *expected, expected_final = chain(record).split(".")
    if len(links) != len(expected):
        raise _broken(f"The chain has {len(links)} links for {len(expected)} moves.")
    for number, (link, wanted) in enumerate(zip(links, expected, strict=True), 1):
        if link != wanted:
            where = "Something before the first move, or move 1" if number == 1 else f"Move {number}"
            raise _broken(f"{where} was changed: its link in the chain is {_shorten(link)} but should be {wanted}.")
    if final != expected_final:
        where = "The result or the time of the end" if links else "Something"
        raise _broken(f"{where} was changed: the chain ends in {_shorten(final)} but should end in {expected_final}.")


def _within(what: str, work: Callable[[], Any]) -> Any:
    """Call a function; if it raises Refusal, say which part of the record it was about."""
    try:
        return work()
    except Refusal as refusal:
        raise _broken(f"{what}: {refusal.sentence}") from None


def _shorten(text: str) -> str:
    short = text if len(text) <= 40 else f"{text[:40]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)


def _broken(sentence: str) -> Refusal:
    return Refusal(ErrorCode.RECORD_BROKEN, sentence)
