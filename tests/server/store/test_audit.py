"""The audit log."""

from __future__ import annotations

from parlour.server.store.audit import AuditEntry, AuditLog
from parlour.server.store.pipeline import Pipeline


def entry(number: int) -> AuditEntry:
    return AuditEntry(operator="nora", action="warn", player=f"p{number % 2}", reason="because", at=number)


async def test_entries_are_read_newest_first(pipeline: Pipeline) -> None:
    """A page begins where the one before ended."""
    log = AuditLog(pipeline)
    for number in range(5):
        await log.append(entry(number))
    first = await log.newest(3)
    assert [each.at for each in first] == [4, 3, 2]
    assert [each.at for each in await log.newest(3, first[-1].id)] == [1, 0]


async def test_the_entries_of_a_player_are_found(pipeline: Pipeline) -> None:
    """However many others there are in between."""
    log = AuditLog(pipeline)
    for number in range(6):
        await log.append(entry(number))
    assert [each.at for each in await log.about("p1", 2)] == [5, 3]
    assert await log.about("p9", 2) == []
