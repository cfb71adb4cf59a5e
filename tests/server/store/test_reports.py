"""Reports by players: bounded in number, in number for each author, and in time."""

from __future__ import annotations

from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.reports import MAX_OPEN, MAX_REPORTS, REPORT_TTL, Handled, ReportStore, StoredReport

NOON = 1_700_000_000_000
REPORT = StoredReport(author="ann", player="ben", reason="abuse", at=NOON, text="insults", room="r1", chat=("Hey",))


async def test_reports_are_listed_until_they_are_handled(pipeline: Pipeline) -> None:
    """A second report about the same game replaces the first; a handled one is only on the list of all."""
    reports = ReportStore(pipeline)
    for text in ("insults", "more insults"):
        assert await reports.add(replace(REPORT, text=text))
    assert await reports.add(replace(REPORT, room="r2", at=NOON + 1))
    first, second = await reports.newest()
    assert (first.room, second.room, second.text) == ("r2", "r1", "more insults")

    handled = Handled("nora", "Warned", NOON + 2)
    assert await reports.handle(first.id, handled) == replace(first, handled=handled)
    assert await reports.newest() == [second]
    assert await reports.newest(handled=True) == await reports.by("ann") == [replace(first, handled=handled), second]
    assert await reports.count_open() == 1
    assert await reports.handle("missing", handled) is None


async def test_an_author_has_a_limited_number_of_open_reports(pipeline: Pipeline) -> None:
    """One more is accepted once one is handled."""
    reports = ReportStore(pipeline)
    for number in range(MAX_OPEN):
        assert await reports.add(replace(REPORT, room=str(number)))
    assert not await reports.add(replace(REPORT, room="one more"))
    assert await reports.add(replace(REPORT, room="0"))  # which replaces another
    await reports.handle((await reports.newest())[0].id, Handled("nora", "Nothing", NOON))
    assert await reports.add(replace(REPORT, room="one more"))


async def test_old_reports_and_too_many_are_dropped(pipeline: Pipeline, redis: Redis) -> None:
    """The newest ones stay."""
    reports = ReportStore(pipeline)
    for number in range(MAX_REPORTS + 3):
        await reports.add(replace(REPORT, author=str(number), at=NOON + number))
    assert len(await reports.newest()) == MAX_REPORTS
    await reports.add(replace(REPORT, at=NOON + MAX_REPORTS + REPORT_TTL))
    assert [report.author for report in await reports.newest()] == ["ann", str(MAX_REPORTS + 2), str(MAX_REPORTS + 1)]
    for key in (Keys().reports, Keys().report_times, Keys().report_authors):
        assert 0 < await redis.pttl(key) <= REPORT_TTL


async def test_the_reports_of_a_deleted_player_are_removed(pipeline: Pipeline) -> None:
    """Those by the player and those about the player."""
    reports = ReportStore(pipeline)
    await reports.add(REPORT)
    await reports.add(replace(REPORT, author="ben", player="ann"))
    await reports.add(replace(REPORT, author="eve", player="dan"))
    await reports.forget("ann")
    assert [report.author for report in await reports.newest(handled=True)] == ["eve"]
    assert await reports.count_open() == 1
