"""What clients can ask of the server's bots: a game, or an evaluation of a position."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from parlour.bots.engine import Answer
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Assess, Assessment, AssessPosition, Command, Create, Message, Moved, Ok
from parlour.protocol.types import Clock, OptionValue, Player, Terms
from parlour.server.bots import service
from parlour.server.bots.evaluation import Evaluation
from parlour.server.bots.service import MAX_EVALUATIONS, BotService, bot
from parlour.server.compute import ComputeThread
from parlour.server.game_queries.study import AnalysisBoard
from parlour.server.matchmaking.room_factory import RoomFactory
from parlour.server.rooms.events import Participant
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState
from parlour.server.sessions.session import Session
from parlour.server.store.jobs import Job, JobQueue
from tests.server.rooms.sample_rooms import ADA, EVE, FISCHER, OVER, RESIGN, commanded, new_room, played

ISAAC = Terms("isaac")


class ScriptedSession:
    """A session that keeps what is sent to it."""

    def __init__(self, player: Participant = ADA) -> None:
        self.player, self.name, self.kind = player.id, player.player.name, "account"
        self.connection = SimpleNamespace(source=SimpleNamespace(key="10.0.0.1"), address="10.0.0.1")
        self.evaluations = 0
        self.sent: list[Message | Moved] = []

    def send(self, message: Message | Moved) -> None:
        self.sent.append(message)

    def command_key(self, command: Command) -> str:
        return f"command {command.id}"


class ScriptedNode:
    """The registry and the job queue of a node that has one room and no workers."""

    def __init__(self, state: RoomState | None = None) -> None:
        self.state = state
        self.reviews: dict[tuple[str, int], Answer] = {}
        self.created: list[tuple[str, tuple[Participant, Participant]]] = []
        self.checked = 0
        self.is_full = False  # whether the player has too many games
        self.jobs: asyncio.Queue[Job] = asyncio.Queue()
        self.service = BotService(
            cast("RoomRegistry", self), cast("JobQueue", self), lambda: 1_000, "channel",
            cast("RoomFactory", self), Random(1), self, AnalysisBoard(ComputeThread()),
        )  # fmt: skip

    async def find(self, room: str, ply: int) -> Answer | None:
        return self.reviews.get((room, ply))

    def keep(self, room: str, ply: int, answer: Answer) -> None:
        self.reviews[room, ply] = answer

    async def find_room(self, seed: str, player: str) -> RoomState | None:
        return None

    async def running_games(self, player: str) -> list[RoomState]:
        return [] if self.state is None else [self.state]

    async def check_limit(self, player: str) -> None:
        if self.is_full:
            raise Refusal(ErrorCode.LIMIT_REACHED, "You already have 50 games. Finish one first.")

    async def open_room(
        self,
        seed: str,
        terms: Terms,
        options: dict[str, OptionValue],
        position: str | None,
        players: tuple[Participant, Participant],
        host: int | None,
    ) -> RoomState:
        self.created.append((seed, players))
        return new_room(terms.game, players=players)

    async def load(self, room: str) -> RoomState | None:
        return self.state if room == "room" else None

    async def open(self, room: str) -> ScriptedNode:
        return self

    def check_deadlines(self) -> None:
        self.checked += 1

    async def enqueue(self, job: Job, owners: Sequence[str]) -> None:
        self.jobs.put_nowait(job)


def as_session(session: ScriptedSession) -> Session:
    return cast("Session", session)


# -- games


async def test_a_game_against_a_bot_is_created() -> None:
    """The player has the seat without a level; the room is checked at once, since the bot may be the first to move."""
    node, session = ScriptedNode(), ScriptedSession()
    await node.service.create(as_session(session), Create(id=3, terms=ISAAC, levels=("2", None)))
    ((seed, (first, second)),) = node.created
    assert (first.level, second) == ("2", ADA)
    assert seed == "command 3"  # the same command creates the same room
    assert session.sent == [Ok(id=3, room="room")]
    assert node.checked == 1


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Create(id=3, terms=Terms("isaac", {}, FISCHER, rated=True), levels=("2", None)), ErrorCode.RATED_REFUSED),
        (Create(id=3, terms=ISAAC, levels=(None, None)), ErrorCode.LEVEL_UNKNOWN),
        (Create(id=3, terms=ISAAC, levels=("guru", None)), ErrorCode.LEVEL_UNKNOWN),
        (Create(id=3, terms=Terms("chess"), levels=("2", None)), ErrorCode.GAME_UNKNOWN),
        (Create(id=3, terms=Terms("isaac", {}, Clock("sand")), levels=("2", None)), ErrorCode.CLOCK_INVALID),
    ],
    ids=["rated", "no bot", "an unknown level", "an unknown game", "an unknown clock"],
)
async def test_a_game_that_cannot_be_created_is_refused(command: Create, code: ErrorCode) -> None:
    """Nothing is created then."""
    node = ScriptedNode()
    with pytest.raises(Refusal) as refused:
        await node.service.create(as_session(ScriptedSession()), command)
    assert refused.value.code == code
    assert node.created == []


async def test_a_player_with_too_many_games_is_refused_another() -> None:
    """Games against the computer count like all others."""
    node = ScriptedNode()
    node.is_full = True
    with pytest.raises(Refusal) as refused:
        await node.service.create(as_session(ScriptedSession()), Create(id=3, terms=ISAAC, levels=("2", None)))
    assert refused.value.code is ErrorCode.LIMIT_REACHED
    assert node.created == []


def test_a_bot_is_labelled_and_has_its_own_id() -> None:
    """A bot that plays itself is two players."""
    first, second = bot("isaac", "2", 0), bot("isaac", "2", 1)
    assert first.player == Player("Computer 2", bot=True)
    assert first.level == "2"
    assert first.id != second.id


# -- evaluations

ANSWER = Answer(move="", score=-3, chance=0.456, line=("one", "two"), nodes=10, depth=2)


def assess(ply: int = 0, room: str = "room") -> Assess:
    return Assess(id=5, room=room, ply=ply)


def answer_to(room: RoomState) -> Answer:
    """Return an engine's answer with a legal move."""
    return msgspec.structs.replace(ANSWER, move=room.rules.write(room.state, room.rules.moves(room.state)[0]))


def against_bot() -> RoomState:
    """Return a room in which Ada plays a bot."""
    return new_room(players=(ADA, bot("replica", "2", 1)))


async def test_an_evaluation_is_passed_on_to_the_client() -> None:
    """A worker is asked, and the client is sent the move, the line and the chance in thousandths."""
    state = against_bot()
    node, session = ScriptedNode(state), ScriptedSession()
    asked = asyncio.create_task(node.service.assess(as_session(session), assess()))
    job = await node.jobs.get()
    assert (job.room, job.ply, job.reply_to) == ("room", 0, "channel")
    assert session.evaluations == 1
    answer = answer_to(state)
    node.service.receive(msgspec.msgpack.encode(Evaluation(job.number, answer)))
    await asked
    (assessment,) = session.sent
    assert isinstance(assessment, Assessment)
    assert (assessment.id, assessment.ply, assessment.seat) == (5, 0, 0)
    assert (assessment.move, assessment.line, assessment.chance) == (answer.move, ("one", "two"), 456)
    assert session.evaluations == 0


async def test_a_position_outside_rooms_is_evaluated() -> None:
    """The worker gets the beginning and the moves; a game against a bot does not stand in the way."""
    state = against_bot()
    node, session = ScriptedNode(state), ScriptedSession()
    first = state.rules.write(state.state, state.rules.moves(state.state)[0])
    command = AssessPosition(id=6, terms=Terms("replica"), moves=(first,))
    asked = asyncio.create_task(node.service.assess_position(as_session(session), command))
    job = await node.jobs.get()
    assert job.line is not None
    assert (job.room, job.line.game, job.line.position, job.line.moves) == ("", "replica", None, (first,))
    reached = state.rules.apply(state.state, state.rules.moves(state.state)[0])
    move = state.rules.write(reached, state.rules.moves(reached)[0])
    node.service.receive(msgspec.msgpack.encode(Evaluation(job.number, replace(ANSWER, move=move))))
    await asked
    (assessment,) = session.sent
    assert isinstance(assessment, Assessment)
    assert (assessment.id, assessment.room, assessment.ply, assessment.seat) == (6, "", 1, 1)
    assert assessment.move == move


async def test_nothing_is_evaluated_during_a_game_between_people() -> None:
    """A player of such a game gets no help with any position of the same kind of game, but with others."""
    node = ScriptedNode(new_room("replica"))
    with pytest.raises(Refusal) as refused:
        await node.service.assess_position(as_session(ScriptedSession()), AssessPosition(id=6, terms=Terms("replica")))
    assert refused.value.code is ErrorCode.HINT_REFUSED
    other = AssessPosition(id=7, terms=Terms("mapello"))
    asked = asyncio.create_task(node.service.assess_position(as_session(ScriptedSession()), other))
    job = await node.jobs.get()
    node.service.receive(msgspec.msgpack.encode(Evaluation(job.number, None, ErrorCode.COMPUTER_BUSY, "Busy.")))
    with pytest.raises(Refusal):
        await asked


async def test_a_worker_can_refuse() -> None:
    """The client is refused with the worker's code and sentence."""
    node = ScriptedNode(against_bot())
    asked = asyncio.create_task(node.service.assess(as_session(ScriptedSession()), assess()))
    job = await node.jobs.get()
    evaluation = Evaluation(job.number, None, ErrorCode.GAME_OVER, "The game is over in that position.")
    node.service.receive(msgspec.msgpack.encode(evaluation))
    with pytest.raises(Refusal, match="over in that position"):
        await asked


async def test_without_a_worker_the_client_is_told_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The request is forgotten, and an evaluation that comes too late is ignored."""
    monkeypatch.setattr(service, "ANSWER_WITHIN", 0.01)
    node = ScriptedNode(against_bot())
    with pytest.raises(Refusal) as refused:
        await node.service.assess(as_session(ScriptedSession()), assess())
    assert refused.value.code == ErrorCode.COMPUTER_BUSY
    node.service.receive(msgspec.msgpack.encode(Evaluation((await node.jobs.get()).number, ANSWER)))


async def test_a_session_may_have_a_few_requests_at_a_time() -> None:
    """One more is refused at once."""
    session = ScriptedSession()
    session.evaluations = MAX_EVALUATIONS
    with pytest.raises(Refusal) as refused:
        await ScriptedNode(against_bot()).service.assess(as_session(session), assess())
    assert refused.value.code == ErrorCode.COMPUTER_BUSY


def rated() -> RoomState:
    return replace(new_room(clock=FISCHER), rated=True)


REFUSALS: dict[str, tuple[Callable[[], RoomState], Participant, Any, ErrorCode]] = {
    "an unknown room": (new_room, ADA, assess(room="nowhere"), ErrorCode.ROOM_UNKNOWN),
    "a rated game": (rated, ADA, assess(), ErrorCode.HINT_REFUSED),
    "a casual game between people": (new_room, ADA, assess(), ErrorCode.HINT_REFUSED),
    "a spectator during the game": (against_bot, EVE, assess(), ErrorCode.HINT_REFUSED),
    "an earlier position during the game": (lambda: played(against_bot(), None), ADA, assess(), ErrorCode.STALE_PLY),
    "a position after the last": (lambda: OVER, ADA, assess(ply=1), ErrorCode.STALE_PLY),
}


@pytest.mark.parametrize("case", REFUSALS)
async def test_an_unfair_or_impossible_evaluation_is_refused(case: str) -> None:
    """No worker is asked."""
    state, player, command, code = REFUSALS[case]
    node = ScriptedNode(state())
    with pytest.raises(Refusal) as refused:
        await node.service.assess(as_session(ScriptedSession(player)), command)
    assert refused.value.code == code
    assert node.jobs.empty()


async def test_a_finished_game_can_be_analysed_by_anyone() -> None:
    """Rated or not, at any position of it."""
    state = commanded(played(rated(), None), ADA, RESIGN)
    node = ScriptedNode(state)
    asked = asyncio.create_task(node.service.assess(as_session(ScriptedSession(EVE)), assess()))
    assert (await node.jobs.get()).ply == 0
    asked.cancel()


async def test_a_position_of_a_finished_game_is_evaluated_once() -> None:
    """The second reader is sent what the first one was; evaluations of running games are not kept."""
    node, session = ScriptedNode(commanded(played(rated(), None), ADA, RESIGN)), ScriptedSession(EVE)
    asked = asyncio.create_task(node.service.assess(as_session(session), assess()))
    job = await node.jobs.get()
    node.service.receive(msgspec.msgpack.encode(Evaluation(job.number, answer_to(new_room()))))
    await asked
    await node.service.assess(as_session(session), assess())
    assert session.sent[0] == session.sent[1]
    assert node.jobs.empty()
    running = ScriptedNode(against_bot())
    asked = asyncio.create_task(running.service.assess(as_session(ScriptedSession()), assess()))
    job = await running.jobs.get()
    running.service.receive(msgspec.msgpack.encode(Evaluation(job.number, answer_to(new_room()))))
    await asked
    assert running.reviews == {}
