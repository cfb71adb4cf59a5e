"""Two nodes that both consider themselves current append to one log over failing connections, checked with a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from msgspec import Struct

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.room_log import Appended, RoomLog
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store_proxy import StoreProxy, store_proxy
from tests.waiting import WITHIN

RUNS, STEPS = 32, 40

writers = st.sampled_from((0, 1))


class Attempt(Struct):
    """An append and its outcome."""

    first_seq: int
    entries: tuple[bytes, ...]
    outcome: Appended | None = None


class Writer:
    """A node that appends where it believes the log to end, without waiting for outcomes."""

    def __init__(self, pipeline: Pipeline, proxy: StoreProxy, name: str) -> None:
        self.pipeline = pipeline
        self.proxy = proxy
        self.log = RoomLog(pipeline, name)
        self.last_seq = 0  # as far as this node knows
        self.attempts: list[Attempt] = []
        self._pending = 0
        self._settled = asyncio.Event()
        self._settled.set()

    def append(self, room: str, entries: Sequence[bytes]) -> None:
        attempt = Attempt(self.last_seq + 1, tuple(entries))
        self.attempts.append(attempt)
        self._pending += 1
        self._settled.clear()
        self.last_seq += len(entries)  # the writer assumes success
        self.log.append(room, attempt.first_seq, entries, partial(self._on_outcome, attempt))

    def _on_outcome(self, attempt: Attempt, outcome: Appended) -> None:
        assert attempt.outcome is None, "two outcomes of one append"
        attempt.outcome = outcome
        self._pending -= 1
        if not self._pending:
            self._settled.set()

    async def settled(self) -> None:
        """Wait for all outcomes."""
        await asyncio.wait_for(self._settled.wait(), WITHIN)

    async def catch_up(self, room: str) -> None:
        """Read how far the log goes."""
        async with asyncio.timeout(WITHIN):
            while True:
                await self.pipeline.ready()
                try:
                    tail = await self.log.tail(room, 0)
                except StoreUnavailable:
                    continue
                self.last_seq = len(tail)
                return


def machine(valkey: PrivateValkey, runner: asyncio.Runner, count: Callable[[int], str]) -> type[RuleBasedStateMachine]:
    """Return the state machine on that Valkey. `count(n)` counts appends; `count(0)` returns a new room id."""

    class TwoWriters(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.room = count(0)
            self.stack = AsyncExitStack()
            self.writers = [runner.run(self._open(name)) for name in ("one", "two")]
            self.created = 0

        async def _open(self, name: str) -> Writer:
            proxy, url = await self.stack.enter_async_context(store_proxy(valkey.url))
            pipeline = Pipeline(url)
            await pipeline.open()
            self.stack.push_async_callback(pipeline.close)
            return Writer(pipeline, proxy, name)

        def _entries(self, sizes: Sequence[int]) -> list[list[bytes]]:
            """Return entries that are all different."""
            batches = []
            for size in sizes:
                batches.append([b"%d" % (self.created + number) for number in range(size)])
                self.created += size
            count(len(batches))
            return batches

        @rule(turns=st.lists(st.tuples(writers, st.integers(1, 4)), min_size=1, max_size=24))
        def append(self, turns: list[tuple[int, int]]) -> None:
            """Both append alternately, faster than they learn the outcomes."""

            async def run() -> None:
                for (index, _), entries in zip(turns, self._entries([size for _, size in turns]), strict=True):
                    self.writers[index].append(self.room, entries)

            runner.run(run())

        @rule(index=writers)
        def catch_up(self, index: int) -> None:
            runner.run(self.writers[index].catch_up(self.room))

        @rule(index=writers, sizes=st.lists(st.integers(1, 3), min_size=1, max_size=8), turns=st.integers(0, 6))
        def append_and_disconnect(self, index: int, sizes: list[int], turns: int) -> None:
            """The connection breaks a few loop iterations after the appends, so some outcomes are unknown."""

            async def run() -> None:
                writer = self.writers[index]
                await writer.pipeline.ready()
                for entries in self._entries(sizes):
                    writer.append(self.room, entries)
                for _ in range(turns):
                    await asyncio.sleep(0)
                writer.proxy.cut("pipeline")
                writer.proxy.restore("pipeline")

            runner.run(run())

        @invariant()
        def the_log_is_what_was_acknowledged(self) -> None:
            """The log has no gap and no duplicate, everything acknowledged, and nothing refused."""

            async def tail() -> list[tuple[int, bytes]]:
                for writer in self.writers:
                    await writer.settled()
                    await writer.catch_up(self.room)  # once reconnected, nothing sent earlier can still be executed
                return await self.writers[0].log.tail(self.room, 0)

            known = [writer.last_seq for writer in self.writers]
            log = dict(runner.run(tail()))
            for writer, last_seq in zip(self.writers, known, strict=True):
                writer.last_seq = last_seq  # the check must not inform the writers

            assert list(log) == list(range(1, len(log) + 1))
            assert len(set(log.values())) == len(log)
            found = set(log.values())
            explained = set()
            for writer in self.writers:
                for attempt in writer.attempts:
                    there = [log.get(attempt.first_seq + number) for number in range(len(attempt.entries))]
                    if attempt.outcome is Appended.OK:
                        assert there == list(attempt.entries)
                    elif attempt.outcome is Appended.CONFLICT:
                        assert not found & set(attempt.entries)
                    else:
                        assert there == list(attempt.entries) or not found & set(attempt.entries)
                    explained |= set(attempt.entries)
            assert found <= explained

        def teardown(self) -> None:
            outcomes.update(attempt.outcome for writer in self.writers for attempt in writer.attempts)
            runner.run(self.stack.aclose())

    return TwoWriters


outcomes: set[Appended | None] = set()


def test_two_writers() -> None:
    """Whatever two nodes append, and whenever they lose their connections, the log and the outcomes agree."""
    appends = rooms = 0

    def count(more: int) -> str:
        nonlocal appends, rooms
        appends += more
        rooms += more == 0
        return f"room-{rooms}"

    valkey = PrivateValkey()
    valkey.start()
    outcomes.clear()
    try:
        with asyncio.Runner() as runner:
            kind = machine(valkey, runner, count)
            run_state_machine_as_test(kind, settings=settings(max_examples=RUNS, stateful_step_count=STEPS))
    finally:
        valkey.close()
    assert appends > 2_000
    assert outcomes == set(Appended), "the connections did not break at interesting moments"
