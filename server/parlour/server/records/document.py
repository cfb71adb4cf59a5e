"""Records from outside, as JSON or as text: read, and checked against their chain and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from parlour import games
from parlour.games.api import REPETITION
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.records import notation
from parlour.server.records.record import GameRecord, chain, shortest
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.decide import ABANDONED, ABORTED, AGREED, FLAG, RESIGNED

# Endings from the table, and whether somebody wins by them.
_HAS_WINNER = {RESIGNED: True, FLAG: True, ABANDONED: True, AGREED: False, ABORTED: False}


def read(text: str) -> GameRecord:
    """The record in a text of either kind, not checked yet; refuses a text that is no record."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if text.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(text, type=GameRecord)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
            raise _broken(f"This is not the JSON of a finished game: {fault}.") from None
    return notation.read(text)


def write_json(record: GameRecord) -> str:
    """The shortest JSON that `read` understands, always the same for a record."""
    return msgspec.json.encode(shortest(record), order="deterministic").decode()


def faults(record: GameRecord) -> Iterator[str]:
    """What is wrong with a record, sentence by sentence: with its chain first, then with the first thing that the
    rules do not know like that."""
    for check in (_check_chain, replay):
        try:
            check(record)
        except Refusal as refusal:
            yield refusal.sentence


def verified(record: GameRecord) -> Match[Any]:
    """The game of a record in which nothing is wrong; refuses every other."""
    _check_chain(record)
    return replay(record)


def replay(record: GameRecord) -> Match[Any]:
    """The game played through again, from its beginning to its result; refuses what the rules do not allow."""
    match = _begin(record)
    game = match.game
    for number, entry in enumerate(record.moves, 1):
        where = f"Move {number}, “{_cut(entry.move)}”"
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
    """The first position; refuses terms under which nobody can have played."""
    terms = record.terms
    game = _within("The game", lambda: games.find(terms.game))
    version = game.info.rules_version
    if record.rules_version != version:
        raise _broken(f"It was played by version {record.rules_version} of the rules, and here is version {version}.")
    options = _within("The options", lambda: game.options(terms.options))
    if dict(options) != terms.options or any(type(options[key]) is not type(terms.options[key]) for key in options):
        raise _broken("The options are not complete.")
    _within("The clock", lambda: clocks.check(terms.clock))
    if record.position is None:
        return Match(game, options, _within("The options", lambda: game.initial(options)))
    position = record.position
    state = _within("The position", lambda: game.parse(position, options))
    if game.to_move(state) is None:
        raise _broken("The position: nobody can move in it.")
    return Match(game, options, state)


def _check_result(record: GameRecord, match: Match[Any]) -> None:
    result, game = record.result, match.game
    if record.ended < record.started:
        raise _broken("The game ends before it starts.")
    if match.outcome is not None:
        outcome = match.outcome
        if (result.winner, result.reason, result.scores) != (outcome.winner, outcome.reason, outcome.scores):
            winner = "nobody" if outcome.winner is None else game.info.seats[outcome.winner].name
            scores = ", ".join(map(str, outcome.scores)) or "none"
            raise _broken(f"The result should be: {winner} wins ({outcome.reason}), scores: {scores}.")
        return
    if result.reason not in _HAS_WINNER:
        ended = "has not been repeated" if result.reason == REPETITION else "is not over"
        raise _broken(f"The result is “{_cut(result.reason)}”, but the last position {ended}.")
    if (result.winner in (0, 1)) != _HAS_WINNER[result.reason] or result.winner not in (0, 1, None):
        raise _broken(f"The result “{result.reason}” does not go with this winner.")
    wanted = () if result.reason == ABORTED else game.scores(match.state)
    if result.scores != wanted:
        raise _broken(f"The scores should be {', '.join(map(str, wanted)) or 'none'}.")


def _check_chain(record: GameRecord) -> None:
    *marks, last = record.chain.split(".")
    *right, end = chain(record).split(".")
    if len(marks) != len(right):
        raise _broken(f"The chain has {len(marks)} marks for {len(right)} moves.")
    for number, (mark, wanted) in enumerate(zip(marks, right, strict=True), 1):
        if mark != wanted:
            where = "Something before the first move, or move 1" if number == 1 else f"Move {number}"
            raise _broken(f"{where} was changed: the chain has {_cut(mark)} there and should have {wanted}.")
    if last != end:
        where = "The result or the end" if marks else "Something"
        raise _broken(f"{where} was changed: the chain ends in {_cut(last)} and should end in {end}.")


def _within(what: str, work: Callable[[], Any]) -> Any:
    """Do something, and say where it was if it is refused."""
    try:
        return work()
    except Refusal as refusal:
        raise _broken(f"{what}: {refusal.sentence}") from None


def _cut(text: str) -> str:
    short = text if len(text) <= 40 else f"{text[:40]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)


def _broken(sentence: str) -> Refusal:
    return Refusal(ErrorCode.RECORD_BROKEN, sentence)
