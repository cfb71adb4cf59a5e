"""Why the store cannot be used: what real servers reply, and what becomes of it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import pytest
from redis.asyncio import Redis

from parlour.server.store.clock import StoreClock
from parlour.server.store.errors import ConnectionLost, IsReplica, NotSent, StoreRefused, StoreUnavailable
from parlour.server.store.health import LOG_EVERY, SILENT, Reason, StoreHealth, diagnose
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.pipeline import Pipeline
from tests.redis_client import client
from tests.server.store.private_valkey import LARGEST_FILE, PrivateValkey
from tests.waiting import until

READONLY = StoreRefused("READONLY You can't write against a read only replica.")


# -- what real servers reply to the heartbeat, which is a script


Break = Callable[[PrivateValkey, Redis], Awaitable[object]]


async def demote(_: PrivateValkey, operator: Redis) -> None:
    await operator.execute_command("REPLICAOF", "127.0.0.1", "1")  # type: ignore[no-untyped-call]


async def isolate(_: PrivateValkey, operator: Redis) -> None:
    await demote(_, operator)
    await operator.config_set("replica-serve-stale-data", "no")


async def fill_memory(_: PrivateValkey, operator: Redis) -> None:
    await operator.config_set("maxmemory", "1mb")


async def demand_replicas(_: PrivateValkey, operator: Redis) -> None:
    await operator.config_set("min-replicas-to-write", "1")


async def fill_disk(server: PrivateValkey, operator: Redis) -> None:
    server.fill_disk()
    await operator.set("large", bytes(2 * LARGEST_FILE))


async def fail_to_save(server: PrivateValkey, operator: Redis) -> None:
    await operator.config_set("appendonly", "no")
    await operator.config_set("save", "3600 1")
    await operator.set("large", "incompressible" * LARGEST_FILE)
    await operator.config_set("rdbcompression", "no")
    server.fill_disk()
    await operator.bgsave()


async def forbid(_: PrivateValkey, operator: Redis) -> None:
    await operator.execute_command("ACL", "SETUSER", "default", "-set")  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("harm", "reason", "words"),
    [
        (demote, Reason.READONLY, "READONLY You can't write against a read only replica."),
        (isolate, Reason.READONLY, "MASTERDOWN Link with MASTER is down"),
        (fill_memory, Reason.FULL, "OOM command not allowed when used memory > 'maxmemory'."),
        (demand_replicas, Reason.NO_REPLICAS, "NOREPLICAS Not enough good replicas to write."),
        (fill_disk, Reason.DISK_FULL, "MISCONF Errors writing to the AOF file: No space left on device"),
        (fail_to_save, Reason.WRITE_FAILED, "unable to persist to disk"),
        (forbid, Reason.REFUSED, "no permissions to run the 'set' command"),
    ],
)
async def test_a_store_that_refuses_a_beat(
    start_valkey: Callable[..., PrivateValkey], harm: Break, reason: Reason, words: str
) -> None:
    """The reason is told from the reply, and the reply is quoted, without the place in the script."""
    server = start_valkey("--appendonly", "yes", "--appendfsync", "everysec")
    health, operator = StoreHealth(), client(server.url)
    pipeline = Pipeline(server.url)
    clock = StoreClock(pipeline)
    await pipeline.open()
    heartbeat = Heartbeat(pipeline, clock, health, "node")
    await heartbeat.beat()
    assert heartbeat.is_healthy
    await harm(server, operator)

    async def is_refused() -> bool:
        try:
            await heartbeat.beat()
        except StoreUnavailable:
            return True
        return False

    await until(is_refused)
    assert health.problem.reason == reason
    assert words in health.problem.detail
    assert "user_script" not in health.problem.detail
    assert health.errors[reason] == sum(health.errors.values()) == 1
    await pipeline.close()
    await operator.aclose()


async def test_a_store_that_recovers_is_healthy_again(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Once it has memory again, the next beat succeeds."""
    server = start_valkey()
    health, operator = StoreHealth(), client(server.url)
    pipeline = Pipeline(server.url)
    heartbeat = Heartbeat(pipeline, StoreClock(pipeline), health, "node")
    await pipeline.open()
    await fill_memory(server, operator)
    with pytest.raises(StoreRefused):
        await heartbeat.beat()
    assert not heartbeat.is_healthy
    await operator.config_set("maxmemory", "0")
    await heartbeat.beat()
    assert heartbeat.is_healthy
    assert health.problem == SILENT
    await pipeline.close()
    await operator.aclose()


# -- the meaning of other errors


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (StoreRefused("LOADING Redis is loading the dataset in memory"), Reason.LOADING),
        (StoreRefused("ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed"), Reason.FULL),
        (StoreRefused("WRONGPASS invalid username-password pair"), Reason.REFUSED),
        (StoreRefused("ERR unknown command 'BOOM'"), Reason.REFUSED),
        (IsReplica("it is a replica"), Reason.READONLY),
        (ConnectionRefusedError(111, "Connection refused"), Reason.UNREACHABLE),
        (TimeoutError(), Reason.UNREACHABLE),
    ],
)
def test_the_reason_of_an_error(error: Exception, problem: Reason) -> None:
    """Old servers hide the code of an error in a script; what is no reply means that the store is unreachable."""
    assert diagnose(error).reason == problem


# -- what becomes of errors


def test_each_reason_is_logged_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    """However many errors there are, the log has one entry per reason in ten seconds, and one for the recovery."""
    caplog.set_level(logging.INFO)
    now = 0.0
    health = StoreHealth(lambda: now)
    for _ in range(1000):
        health.report(READONLY)
        health.report(ConnectionRefusedError())
    assert [record.getMessage() for record in caplog.records] == [
        "the store cannot be used (readonly): READONLY You can't write against a read only replica.",
        "the store cannot be used (unreachable): no server is listening there",
    ]
    caplog.clear()
    now = LOG_EVERY
    health.report(READONLY)
    for _ in range(1000):
        health.written()
        health.report(READONLY)
    assert len(caplog.records) == 2
    assert health.errors[Reason.READONLY] == 2001


def test_a_replica_is_left() -> None:
    """Only a store that is read-only calls for a new connection."""
    health, left = StoreHealth(), []
    health.on_readonly = lambda: left.append(True)
    health.report(StoreRefused("OOM command not allowed"))
    assert not left
    health.report(READONLY)
    assert left


def test_commands_without_a_connection_say_nothing_new() -> None:
    """The connection has reported why it was lost or cannot be opened."""
    health = StoreHealth()
    health.report(ConnectionRefusedError())
    health.report(NotSent("There is no connection to Redis"))
    health.report(ConnectionLost("The connection to Redis was lost"))
    assert health.problem.detail == "no server is listening there"
    assert sum(health.errors.values()) == 1
