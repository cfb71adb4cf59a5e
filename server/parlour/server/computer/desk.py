"""Where people ask for the computer: to play it, to watch it play itself, or to hear what it thinks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from random import Random
from typing import Protocol

import msgspec

from parlour import games
from parlour.bots import levels
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Assess, Assessment, Create, Ok
from parlour.protocol.tables import OptionValue, Terms
from parlour.server.computer.opinion import Opinion
from parlour.server.house import House
from parlour.server.rooms.core import Room
from parlour.server.rooms.opening import Guest, agreed
from parlour.server.store.jobs import Job, Jobs
from parlour.server.visitor import Visitor

ANSWER_WITHIN = 15.0  # seconds for an opinion, most of them for those who asked before
MOST_QUESTIONS = 4  # of one connection at a time

decode = msgspec.msgpack.Decoder(Opinion).decode


class OpenTable(Protocol):
    """Makes a room; the same seed gives the same room."""

    def __call__(
        self,
        seed: str,
        terms: Terms,
        options: dict[str, OptionValue],
        position: str | None,
        guests: list[Guest],
        host: int | None,
    ) -> Awaitable[Room]: ...


class ComputerDesk:
    """Answers `create` and `assess` on one node."""

    def __init__(
        self,
        house: House,
        jobs: Jobs,
        channel: str,
        open_table: OpenTable,
        guest: Callable[[Visitor], Guest],
        chance: Random,
    ) -> None:
        """`channel` is where opinions for this node come; whoever follows it calls `heard`."""
        self._house = house
        self._jobs = jobs
        self._channel = channel
        self._open_table = open_table
        self._guest = guest
        self._chance = chance
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Opinion]] = {}

    async def create(self, visitor: Visitor, command: Create) -> None:
        """A table with the computer in one seat or in both."""
        terms = command.terms
        options, position = agreed(terms, command.position, self._chance)
        if terms.rated:
            raise Refusal(ErrorCode.RATED_REFUSED, "Games with the computer are not rated: its strength is known.")
        if command.levels == (None, None):
            raise Refusal(ErrorCode.LEVEL_UNKNOWN, "Say at which level the computer plays, for one seat or for both.")
        guests = [
            self._guest(visitor) if level is None else computer(terms.game, level, seat)
            for seat, level in enumerate(command.levels)
        ]
        room = await self._open_table(f"create {visitor.player} {command.id}", terms, options, position, guests, None)
        visitor.send(Ok(id=command.id, room=room.id))
        live = await self._house.open(room.id)
        live.look()  # the first turn may be the computer's

    async def assess(self, visitor: Visitor, command: Assess) -> None:
        """What the computer thinks of a position."""
        room = await self._house.load(command.room)
        if room is None:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, f"There is no room “{command.room}”.")
        state = _asked_about(room, visitor.player, command.ply)
        if visitor.questions >= MOST_QUESTIONS:
            raise Refusal(ErrorCode.COMPUTER_BUSY, f"You have {MOST_QUESTIONS} questions open. Wait for an answer.")
        visitor.questions += 1
        try:
            opinion = await self._ask(command)
        finally:
            visitor.questions -= 1
        thought = opinion.thought
        if thought is None:
            raise Refusal(ErrorCode.named(opinion.code), opinion.sentence)
        game = room.rules
        seat = game.to_move(state)
        assert seat is not None
        visitor.send(
            Assessment(
                id=command.id,
                room=room.id,
                ply=command.ply,
                seat=seat,
                chance=round(thought.chance * 1000),
                move=thought.move,
                picks=tuple(game.scan(state, thought.move)),
                line=thought.line,
                score=thought.score,
            )
        )

    async def _ask(self, command: Assess) -> Opinion:
        number = next(self._numbers)
        answer: asyncio.Future[Opinion] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await self._jobs.ask(Job(command.room, command.ply, self._channel, number))
                return await answer
        except TimeoutError:
            raise Refusal(ErrorCode.COMPUTER_BUSY, "The computer has no time now. Try again in a moment.") from None
        finally:
            del self._asked[number]

    def heard(self, message: bytes) -> None:
        """An opinion has come."""
        opinion = decode(message)
        answer = self._asked.get(opinion.number)
        if answer is not None and not answer.done():
            answer.set_result(opinion)


def computer(game: str, level: str, seat: int) -> Guest:
    """The computer as a guest at a table; refuses a level that the game does not have."""
    levels.title(games.find(game), level)
    shown = level if level in levels.LEVELS else f"({level})"
    # Not the same player twice, where it plays itself.
    return Guest(f"computer {level} {seat}", f"Computer {shown}", bot=True, level=level)


def _asked_about(room: Room, player: str, ply: int) -> object:
    """The position that somebody asks about; refuses where an opinion would be unfair or cannot be had."""
    if room.status != "over":
        if room.rated:
            raise Refusal(ErrorCode.HINT_REFUSED, "This game is rated: the computer helps when it is over.")
        if room.seat_of(player) is None:
            raise Refusal(ErrorCode.HINT_REFUSED, "Only the players may ask while the game is on.")
        if ply != room.ply:
            raise Refusal(ErrorCode.STALE_PLY, "While the game is on, ask about the position in front of you.")
        if room.to_move is None:
            raise Refusal(ErrorCode.GAME_NOT_STARTED, "The game has not begun yet.")
    if ply > room.ply:
        raise Refusal(ErrorCode.STALE_PLY, f"The game has {room.ply} moves only.")
    game = room.rules
    state = game.initial(room.options) if room.position is None else game.parse(room.position, room.options)
    for move in room.moves[:ply]:
        state = game.apply(state, move)
    if game.to_move(state) is None:
        raise Refusal(ErrorCode.GAME_OVER, "Nobody is to move in that position.")
    return state
