"""A worker takes jobs, asks an engine, and plays the move or sends the evaluation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import msgspec
import pytest
from msgspec.structs import replace

from parlour.bots.engine import Answer, Request
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock, Player
from parlour.server.bots import worker as workers
from parlour.server.bots.engine_pool import EngineFailed, EnginePool
from parlour.server.bots.evaluation import Evaluation
from parlour.server.bots.pacing import FULL_TIME, Pace
from parlour.server.bots.worker import EVALUATION_TIME, Worker
from parlour.server.metrics import Metrics
from parlour.server.rooms.events import Participant, Played
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.jobs import Job, JobQueue, Line, TakenJob
from parlour.server.store.room_log import Appended
from tests.server.bots.test_pacing import CLOCKS
from tests.server.rooms.sample_rooms import ADA, FISCHER, NOON, new_room, played
from tests.server.rooms.scripted_context import open_room
from tests.waiting import until

BOT = Participant("computer 2 0", Player("Computer 2", bot=True), "2")
AT_ONCE = Pace(0, 0)


class ScriptedServices:
    """The registry, the jobs and the engines of a worker, with one room."""

    count = 1

    def __init__(self, state: RoomState) -> None:
        self.room, self.context = open_room(state)
        self.waiting: asyncio.Queue[TakenJob | Exception] = asyncio.Queue()
        self.completed: list[Job] = []
        self.requeued: list[Job] = []
        self.kept: list[int] = []
        self.requests: list[Request] = []
        self.published: list[tuple[str, bytes]] = []
        self.reported: list[Exception] = []
        self.failure: Exception | None = None
        self.metrics = Metrics()

    # -- the registry

    async def open(self, id: str) -> Room:
        return self.room

    async def load(self, id: str) -> RoomState | None:
        return self.room.state

    # -- the jobs

    async def take(self, wait: int) -> TakenJob | None:
        job = await self.waiting.get()
        if isinstance(job, Exception):
            raise job
        return job

    async def complete(self, taken: TakenJob) -> None:
        self.completed.append(taken.job)

    async def requeue(self, taken: TakenJob) -> None:
        self.requeued.append(taken.job)

    async def length(self) -> int:
        return 7

    async def keep(self, taken: TakenJob, milliseconds: int) -> None:
        self.kept.append(milliseconds)

    def add(self, job: Job, waiting: int = 0) -> None:
        self.waiting.put_nowait(TakenJob(job, waiting))

    # -- the engines

    async def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        if self.failure is not None:
            raise self.failure
        state = self.room.state
        move = state.rules.write(state.state, state.rules.moves(state.state)[0])
        return Answer(move=move, score=1, chance=0.5, line=(move,), nodes=1, depth=1)


@asynccontextmanager
async def working(state: RoomState, pace: Pace = AT_ONCE) -> AsyncIterator[ScriptedServices]:
    """Run a worker."""
    services = ScriptedServices(state)
    worker = Worker(
        cast("RoomRegistry", services),
        cast("JobQueue", services),
        cast("EnginePool", services),
        lambda channel, message: services.published.append((channel, message)),
        lambda: NOON,
        pace,
        services.reported.append,
        services.metrics,
    )
    task = asyncio.create_task(worker.run())
    yield services
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PAUSE", 0.0)


async def test_a_worker_plays_the_move_of_a_bot() -> None:
    """The engine is asked at the bot's level, and its move is committed like any player's."""
    async with working(new_room(players=(BOT, ADA))) as services:
        services.add(Job("room", 0))
        await until(lambda: bool(services.context.log.appends))
        (append,) = services.context.log.appends
        (event,) = append.events
        assert isinstance(event, Played)
        assert event.by == BOT.id
        append.outcome(Appended.OK)
        await until(lambda: services.completed == [Job("room", 0)])
    (request,) = services.requests
    assert (request.game, request.level, request.moves) == ("replica", "2", ())


async def test_the_same_turn_is_searched_with_the_same_seed() -> None:
    """Whichever worker does it, the move is the same."""
    async with working(new_room(players=(BOT, ADA))) as services:
        for _ in range(2):
            services.add(Job("room", 0, "node", 1))
        await until(lambda: len(services.completed) == 2)
    first, second = services.requests
    assert first.seed == second.seed


async def test_a_job_that_is_out_of_date_is_dropped() -> None:
    """Another worker has played the move, or a person is to move."""
    async with working(played(new_room(players=(ADA, BOT)), None, now=NOON)) as services:
        services.add(Job("room", 0))
        await until(lambda: len(services.completed) == 1)
    async with working(new_room(players=(ADA, BOT))) as idle:
        idle.add(Job("room", 0))
        await until(lambda: len(idle.completed) == 1)
    assert (services.requests, idle.requests) == ([], [])


async def test_the_search_respects_the_clock() -> None:
    """Without a clock only the level limits it."""
    async with working(new_room(players=(BOT, ADA), clock=FISCHER)) as services:
        services.add(Job("room", 0))
        await until(lambda: bool(services.requests))
    assert services.requests[0].seconds is not None


async def test_an_evaluation_is_sent_to_the_node_that_asked() -> None:
    """At full strength, for a fixed time."""
    async with working(new_room()) as services:
        services.add(Job("room", 0, "channel", 7))
        await until(lambda: bool(services.published))
    ((channel, message),) = services.published
    evaluation = msgspec.msgpack.decode(message, type=Evaluation)
    assert (channel, evaluation.number, evaluation.answer is not None) == ("channel", 7, True)
    assert (services.requests[0].level, services.requests[0].seconds) == (None, EVALUATION_TIME)


async def test_a_position_outside_rooms_is_evaluated() -> None:
    """The engine gets the line as it is."""
    async with working(new_room()) as services:
        services.add(Job("", 1, "channel", 8, 0, Line("mapello", {"board": "classic"}, None, ("f7",))))
        await until(lambda: bool(services.published))
    (request,) = services.requests
    assert (request.game, request.options, request.moves) == ("mapello", {"board": "classic"}, ("f7",))
    assert (request.level, request.seconds) == (None, EVALUATION_TIME)


async def test_a_refusal_is_sent_as_well() -> None:
    """The client should not wait in vain."""
    async with working(new_room()) as services:
        services.failure = Refusal(ErrorCode.GAME_OVER, "The game is over in that position.")
        services.add(Job("room", 0, "channel", 7))
        await until(lambda: bool(services.published))
    evaluation = msgspec.msgpack.decode(services.published[0][1], type=Evaluation)
    assert (evaluation.answer, evaluation.code) == (None, ErrorCode.GAME_OVER)


@pytest.mark.parametrize("job", [Job("room", 0), Job("room", 0, "channel", 7)], ids=["turn", "evaluation"])
async def test_a_job_by_other_rules_is_left_for_another_worker(job: Job) -> None:
    """It returns to the queue, and no refusal is sent."""
    async with working(new_room(players=(BOT, ADA))) as services:
        services.failure = Refusal(ErrorCode.RULES_UNSUPPORTED, "Another node may support these rules.")
        services.add(job)
        await until(lambda: services.requeued == [job])
    assert (services.completed, services.published) == ([], [])


@pytest.mark.parametrize("failure", [EngineFailed("it died"), ValueError("a bug")], ids=["engine", "bug"])
async def test_a_failed_job_is_left_for_another_worker(failure: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged and not completed; the worker goes on with the next job."""
    async with working(new_room(players=(BOT, ADA))) as services:
        services.failure = failure
        services.add(Job("room", 0))
        await until(lambda: str(failure) in caplog.text)
        services.failure = None
        services.add(Job("room", 0, "channel", 7))
        await until(lambda: bool(services.published))
    assert services.completed == [Job("room", 0, "channel", 7)]


async def test_an_unavailable_store_is_waited_for() -> None:
    """The worker reports the error and carries on when the store answers again."""
    async with working(new_room()) as services:
        services.waiting.put_nowait(StoreUnavailable("away"))
        services.add(Job("room", 0, "channel", 7))
        await until(lambda: bool(services.published))
        assert [str(error) for error in services.reported] == ["away"]


async def test_jobs_are_counted() -> None:
    """A job counts with its outcome and its duration; the length of the queue is a gauge."""
    async with working(new_room(players=(BOT, ADA))) as services:
        services.add(Job("room", 0, "node", 1))
        await until(lambda: len(services.completed) == 1)
        services.failure = EngineFailed("it died")
        services.add(Job("room", 0, "node", 2))
        metrics = services.metrics
        await until(lambda: metrics.jobs["failed"] == 1)

    assert metrics.jobs == {"done": 1, "refused": 0, "requeued": 0, "failed": 1}
    assert sum(metrics.job_seconds.counts) == 2
    assert (metrics.jobs_queued, metrics.jobs_running) == (7, 0)


async def test_a_bot_that_waits_does_not_hold_up_the_engine() -> None:
    """While a move waits until it is time to play it, the engine does the next job, and the job is kept."""
    slow = Pace(against_people=60_000)
    async with working(replace(new_room(players=(BOT, ADA)), turn_began=NOON), slow) as services:
        services.add(Job("room", 0))
        services.add(Job("room", 0, "channel", 7))
        await until(lambda: bool(services.published))
        assert services.context.log.appends == []
        assert services.completed == [Job("room", 0, "channel", 7)]
    assert services.kept == [60_000]


async def test_a_search_is_shorter_while_others_wait() -> None:
    """Under load, all get an answer after less thinking."""
    async with working(new_room(players=(BOT, ADA))) as services:
        services.add(Job("room", 0), waiting=9)
        services.add(Job("room", 0, "channel", 7), waiting=9)
        await until(lambda: len(services.requests) == 2)
    assert [request.seconds for request in services.requests] == [FULL_TIME / 10] * 2


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
async def test_an_engine_accepts_the_request_for_every_clock(clock: Clock) -> None:
    """Also with days for a move, which no engine would use."""
    async with working(new_room(players=(BOT, ADA), clock=clock)) as services:
        services.add(Job("room", 0))
        await until(lambda: bool(services.requests))
    (request,) = services.requests
    assert msgspec.json.decode(msgspec.json.encode(request), type=Request) == request
