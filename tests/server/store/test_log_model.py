"""Two nodes that both believe they are current append to the same log, over connections that break: against a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from msgspec import Struct

from parlour.server.store.log import Appended, RoomLog
from parlour.server.store.pipe import Pipe
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN

RUNS, STEPS = 40, 40

writers = st.sampled_from((0, 1))


class Attempt(Struct):
    """An append, and what became of it."""

    first: int
    entries: tuple[bytes, ...]
    outcome: Appended | None = None


class Writer:
    """A node that appends where it believes the log to end, without waiting for answers."""

    def __init__(self, pipe: Pipe, name: str) -> None:
        self.pipe = pipe
        self.log = RoomLog(pipe, name)
        self.top = 0  # the number of the last entry, as far as it knows
        self.attempts: list[Attempt] = []

    def append(self, room: str, entries: Sequence[bytes]) -> None:
        attempt = Attempt(self.top + 1, tuple(entries))
        self.attempts.append(attempt)
        self.top += len(entries)  # it has no doubts
        if len(entries) == 1 and attempt.first > 1:
            self.log.pen(room).append(attempt.first, entries[0], partial(self._answered, attempt))
        else:
            self.log.append(room, attempt.first, entries, partial(self._done, attempt))

    def _answered(self, attempt: Attempt, reply: Any) -> None:
        self._done(attempt, self.log.judge(reply))

    def _done(self, attempt: Attempt, outcome: Appended) -> None:
        assert attempt.outcome is None, "two answers to one append"
        attempt.outcome = outcome

    async def answered(self) -> None:
        """Wait for all answers."""
        async with asyncio.timeout(WITHIN):
            while any(attempt.outcome is None for attempt in self.attempts):
                await asyncio.sleep(0)

    async def catch_up(self, room: str) -> None:
        """Read how far the log goes."""
        async with asyncio.timeout(WITHIN):
            while True:
                await self.pipe.ready()
                try:
                    tail = await self.log.tail(room, 0)
                except ConnectionError:
                    continue
                self.top = len(tail)
                return


def machine(valkey: PrivateValkey, runner: asyncio.Runner, count: Callable[[int], str]) -> type[RuleBasedStateMachine]:
    """The state machine on that Valkey; `count` is told of appends and gives a new name for a room when told of 0."""

    class TwoWriters(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.room = count(0)
            self.writers = [runner.run(self._open(name)) for name in ("one", "two")]
            self.made = 0

        async def _open(self, name: str) -> Writer:
            pipe = Pipe(valkey.url)
            await pipe.open()
            return Writer(pipe, name)

        def _entries(self, sizes: Sequence[int]) -> list[list[bytes]]:
            """Entries of which no two are the same."""
            found = []
            for size in sizes:
                found.append([b"%d" % (self.made + number) for number in range(size)])
                self.made += size
            count(len(found))
            return found

        @rule(turns=st.lists(st.tuples(writers, st.integers(1, 4)), min_size=1, max_size=24))
        def append(self, turns: list[tuple[int, int]]) -> None:
            """Both write by turns, faster than they hear what became of it."""

            async def run() -> None:
                for (who, _), entries in zip(turns, self._entries([size for _, size in turns]), strict=True):
                    self.writers[who].append(self.room, entries)

            runner.run(run())

        @rule(who=writers)
        def catch_up(self, who: int) -> None:
            runner.run(self.writers[who].catch_up(self.room))

        @rule(who=writers, sizes=st.lists(st.integers(1, 3), min_size=1, max_size=8))
        def append_and_break(self, who: int, sizes: list[int]) -> None:
            """The connection breaks while answers are on their way: some are never heard."""

            async def run() -> None:
                writer = self.writers[who]
                await writer.pipe.ready()
                for entries in self._entries(sizes):
                    writer.append(self.room, entries)
                await asyncio.sleep(0)
                line = writer.pipe._keeper.line
                if line is not None:
                    line.abort()

            runner.run(run())

        @invariant()
        def the_log_is_what_was_acknowledged(self) -> None:
            """No hole, no double, no lost acknowledgement, and nothing that was refused."""

            async def tail() -> list[tuple[int, bytes]]:
                for writer in self.writers:
                    await writer.answered()
                    await writer.catch_up(self.room)  # for the last of what it sent may still be on its way
                return await self.writers[0].log.tail(self.room, 0)

            tops = [writer.top for writer in self.writers]
            log = dict(runner.run(tail()))
            for writer, top in zip(self.writers, tops, strict=True):
                writer.top = top  # to look is not to learn

            assert list(log) == list(range(1, len(log) + 1))
            assert len(set(log.values())) == len(log)
            found = set(log.values())
            explained = set()
            for writer in self.writers:
                for attempt in writer.attempts:
                    there = [log.get(attempt.first + number) for number in range(len(attempt.entries))]
                    if attempt.outcome is Appended.OK:
                        assert there == list(attempt.entries)
                    elif attempt.outcome is Appended.CONFLICT:
                        assert not found & set(attempt.entries)
                    else:
                        assert there == list(attempt.entries) or not found & set(attempt.entries)
                    explained |= set(attempt.entries)
            assert found <= explained

        def teardown(self) -> None:
            for writer in self.writers:
                runner.run(writer.pipe.close())

    return TwoWriters


def test_two_writers() -> None:
    """Whatever two nodes append, and whenever they lose their connections, the log and the answers agree."""
    appends = rooms = 0

    def count(more: int) -> str:
        nonlocal appends, rooms
        appends += more
        rooms += more == 0
        return f"room-{rooms}"

    valkey = PrivateValkey()
    valkey.start()
    try:
        with asyncio.Runner() as runner:
            kind = machine(valkey, runner, count)
            run_state_machine_as_test(kind, settings=settings(max_examples=RUNS, stateful_step_count=STEPS))
    finally:
        valkey.close()
    assert appends > 2_000
