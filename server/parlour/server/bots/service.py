"""Games against the server's bots, and evaluations of positions: what clients can ask of bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, Protocol

import msgspec

from parlour import games
from parlour.bots import levels
from parlour.bots.engine import Answer
from parlour.games.api import Game
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Assess, Assessment, AssessPosition, Create, Ok
from parlour.protocol.types import Player
from parlour.server.bots.evaluation import Evaluation
from parlour.server.game_queries.study import AnalysisBoard, line_of
from parlour.server.matchmaking.room_factory import RoomFactory, participant_of
from parlour.server.rooms.events import Participant
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.setup import complete_options
from parlour.server.rooms.state import RoomState, starting_state
from parlour.server.sessions.session import Session
from parlour.server.store.jobs import Job, JobQueue, Line

ANSWER_WITHIN = 8.0  # seconds for an evaluation, most of it spent in the queue; clients give up a little later
MAX_EVALUATIONS = 4  # of one connection at a time

decode = msgspec.msgpack.Decoder(Evaluation).decode


class Reviews(Protocol):
    """The evaluations of positions of finished games."""

    async def find(self, room: str, ply: int) -> Answer | None: ...  # None also if the database cannot be used
    def keep(self, room: str, ply: int, answer: Answer) -> None: ...  # eventually, if possible


class BotService:
    """Handles `create`, `assess` and `assess_position` on one node."""

    def __init__(
        self,
        registry: RoomRegistry,
        jobs: JobQueue,
        now: Callable[[], int],
        channel: str,
        room_factory: RoomFactory,
        rng: Random,
        reviews: Reviews,
        analysis_board: AnalysisBoard,
    ) -> None:
        """`channel` is where workers publish evaluations for this node; its subscriber calls `receive`."""
        self._registry = registry
        self._jobs = jobs
        self._now = now
        self._channel = channel
        self._room_factory = room_factory
        self._rng = rng
        self._reviews = reviews
        self._analysis_board = analysis_board
        self._numbers = count(1)
        self._requests: dict[int, asyncio.Future[Evaluation]] = {}

    async def create(self, session: Session, command: Create) -> None:
        """Create a room with a bot in one seat or in both."""
        terms = command.terms
        options = complete_options(terms, command.position, self._rng)
        if terms.rated:
            raise Refusal(ErrorCode.RATED_REFUSED, "Games against the computer are not rated.")
        if command.levels == (None, None):
            raise Refusal(ErrorCode.LEVEL_UNKNOWN, "Give the level of the computer for one seat or for both.")
        first, second = (
            participant_of(session) if level is None else bot(terms.game, level, seat)
            for seat, level in enumerate(command.levels)
        )
        seed = session.command_key(command)
        if None in command.levels and await self._room_factory.find_room(seed, session.player) is None:
            await self._room_factory.check_limit(session.player)
        state = await self._room_factory.open_room(seed, terms, options, command.position, (first, second), None)
        session.send(Ok(id=command.id, room=state.id))
        room = await self._registry.open(state.id)
        room.check_deadlines()  # the bot may be the first to move

    async def assess(self, session: Session, command: Assess) -> None:
        """Send a bot's evaluation of a position."""
        room = await self._registry.load(command.room)
        if room is None:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, f"There is no room “{command.room}”.")
        state = _position_to_assess(room, session.player, command.ply)
        answer = await self._reviews.find(room.id, command.ply) if room.is_over else None
        if answer is None:
            answer = await self._evaluate(session, room.id, command.ply)
            if room.is_over:
                self._reviews.keep(room.id, command.ply, answer)
        session.send(_assessment(command, room.id, command.ply, room.rules, state, answer))

    async def assess_position(self, session: Session, command: AssessPosition) -> None:
        """Send a bot's evaluation of a position that is studied."""
        for room in await self._room_factory.running_games(session.player):
            if room.game == command.terms.game and len(room.people) > 1:
                name = games.find(room.game).info.name
                raise Refusal(
                    ErrorCode.HINT_REFUSED, f"You are playing {name} against a person. Ask when that game is over."
                )
        line = line_of(command)
        game, state = games.find(line.game), (await self._analysis_board.reach(session, line)).state
        if game.to_move(state) is None:
            raise Refusal(ErrorCode.GAME_OVER, "The game is over in that position.")
        answer = await self._evaluate(session, "", len(line.moves), line)
        session.send(_assessment(command, "", len(line.moves), game, state, answer))

    async def _evaluate(self, session: Session, room: str, ply: int, line: Line | None = None) -> Answer:
        """Have a worker evaluate the position. Raise Refusal if it cannot, or if the session asks for too many."""
        if session.evaluations >= MAX_EVALUATIONS:
            raise Refusal(
                ErrorCode.COMPUTER_BUSY, f"You have {MAX_EVALUATIONS} evaluations under way. Wait for one of them."
            )
        session.evaluations += 1
        try:
            evaluation = await self._request(session, room, ply, line)
        finally:
            session.evaluations -= 1
        if evaluation.answer is None:
            raise Refusal(ErrorCode.named(evaluation.code), evaluation.sentence)
        return evaluation.answer

    async def _request(self, session: Session, room: str, ply: int, line: Line | None) -> Evaluation:
        number = next(self._numbers)
        reply: asyncio.Future[Evaluation] = asyncio.get_running_loop().create_future()
        self._requests[number] = reply
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                until = self._now() + int(ANSWER_WITHIN * 1000)
                job = Job(room, ply, self._channel, number, until, line)
                await self._jobs.enqueue(job, owners(session))
                return await reply
        except TimeoutError:
            raise Refusal(ErrorCode.COMPUTER_BUSY, "The computer is busy. Try again in a moment.") from None
        finally:
            del self._requests[number]

    def receive(self, message: bytes) -> None:
        """Pass a worker's evaluation on to the request that waits for it."""
        evaluation = decode(message)
        reply = self._requests.get(evaluation.number)
        if reply is not None and not reply.done():
            reply.set_result(evaluation)


def _assessment(
    command: Assess | AssessPosition, room: str, ply: int, game: Game[Any], state: Any, answer: Answer
) -> Assessment:
    seat = game.to_move(state)
    assert seat is not None
    return Assessment(
        id=command.id,
        room=room,
        ply=ply,
        seat=seat,
        chance=round(answer.chance * 1000),
        move=answer.move,
        picks=tuple(game.scan(state, answer.move)),
        line=answer.line,
        score=answer.score,
    )


def owners(session: Session) -> tuple[str, str]:
    """Return the owners whose share of the workers' time a job of this session uses."""
    return f"player:{session.player}", f"address:{session.connection.source.key}"


def bot(game: str, level: str, seat: int) -> Participant:
    """Return a bot of the server as a participant. Raise Refusal if the game has no such level."""
    level = levels.resolve(games.find(game), level)
    shown = level if level in levels.LEVELS else f"({level})"
    # The seat is part of the id because a bot that plays itself must not be the same player twice.
    return Participant(f"computer {level} {seat}", Player(f"Computer {shown}", bot=True), level)


def _position_to_assess(room: RoomState, player: str, ply: int) -> object:
    """Return the position after some moves. Raise Refusal if an evaluation would be unfair or impossible."""
    if room.status != "over":
        if room.rated:
            raise Refusal(ErrorCode.HINT_REFUSED, "This game is rated. Ask again when it is over.")
        if len(room.people) > 1:
            raise Refusal(
                ErrorCode.HINT_REFUSED, "The computer gives no hints between people. Ask again when the game is over."
            )
        if room.seat_of(player) is None:
            raise Refusal(ErrorCode.HINT_REFUSED, "Only the players can ask while the game is on.")
        if ply != room.ply:
            raise Refusal(ErrorCode.STALE_PLY, "While the game is on, you can ask only about the current position.")
        if room.to_move is None:
            raise Refusal(ErrorCode.GAME_NOT_STARTED, "The game has not started yet.")
    if ply > room.ply:
        raise Refusal(ErrorCode.STALE_PLY, f"The game has only {room.ply} moves.")
    game = room.rules
    state = starting_state(game, room.options, room.position)
    for move in room.moves[:ply]:
        state = game.apply(state, move)
    if game.to_move(state) is None:
        raise Refusal(ErrorCode.GAME_OVER, "The game is over in that position.")
    return state
