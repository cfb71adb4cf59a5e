"""Accounts are stored with their names, hashes, ratings and bots, once."""

from __future__ import annotations

from io import BytesIO

from msgspec.structs import replace

from parlour.server.backup.account_export import export_accounts
from parlour.server.backup.account_import import import_accounts
from parlour.server.backup.account_lines import AccountLine, rating_line, write_line
from parlour.server.backup.errors import ImportCode
from parlour.server.backup.imported_line import ImportedLine
from parlour.server.players.glicko2 import Rating
from parlour.server.players.passwords import DUMMY_HASH
from parlour.server.players.ratings import Ratings
from parlour.server.restrictions import Restriction
from parlour.server.store.accounts import AccountStore, NewBot
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from parlour.server.store.ratings import RatingStore

NOW = 1_700_000_000_000
RATING = Rating(1612.5, 80.0, 0.059, NOW, 30, 20, 1)
ADA = AccountLine(id="a1", name="Ada", created=NOW, password=DUMMY_HASH, ratings={"isaac": rating_line(RATING)})
BOT = AccountLine(id="b1", name="Ada Bot", kind="bot", created=NOW + 1, owner="a1")


async def imported(pipeline: Pipeline, *lines: AccountLine | bytes) -> list[ImportedLine]:
    text = b"\n".join(line if isinstance(line, bytes) else write_line(line) for line in lines)
    return [line async for some in import_accounts(pipeline, BytesIO(text)) for line in some]


async def test_a_store_becomes_the_same(pipeline: Pipeline) -> None:
    """Names lead to the accounts, ratings are on the leaderboard, and the owner gets a token for the bot."""
    accounts = AccountStore(pipeline)

    assert [line.outcome for line in await imported(pipeline, ADA, BOT)] == ["imported", "imported"]

    assert [line async for line in export_accounts(pipeline)] == [ADA, BOT]
    found = await accounts.find("ada")
    assert found is not None
    assert (found.id, found.password_hash) == ("a1", DUMMY_HASH)
    leaders = await Ratings(RatingStore(pipeline)).leaderboard("isaac", 0, 10, NOW)
    assert [(row.player, row.rating) for row in leaders] == [("a1", RATING)]
    bot = await accounts.create_bot("a1", "ada bot", "adabot")
    assert isinstance(bot, NewBot)
    assert (bot.id, bot.name) == ("b1", "Ada Bot")


async def test_an_operators_decisions_stay(pipeline: Pipeline) -> None:
    """A move to another server ends neither a ban nor a mute, and a password for one sign-in stays that."""
    banned = replace(ADA, suspended=Restriction(0, "spam"), muted=Restriction(NOW, "insults"), password_once="new")

    await imported(pipeline, banned)

    assert [line async for line in export_accounts(pipeline)] == [banned]
    (found,) = await PlayerStore(pipeline).get(["a1"])
    assert found is not None
    assert found.suspended == Restriction(0, "spam")


async def test_what_is_there_is_not_changed(pipeline: Pipeline) -> None:
    """A second import changes nothing, also if the file has another password by now."""
    await imported(pipeline, ADA, BOT)
    older = replace(ADA, password=DUMMY_HASH.replace("t=2", "t=3"), ratings={})

    assert [line.outcome for line in await imported(pipeline, older, BOT)] == ["known", "known"]

    assert [line async for line in export_accounts(pipeline)] == [ADA, BOT]


async def test_an_import_that_was_killed_is_completed(pipeline: Pipeline) -> None:
    """The reservation of the name has expired, and the next import confirms it."""
    await imported(pipeline, ADA, BOT)
    await pipeline.call("DEL", pipeline.keys.player_name("ada"))
    await pipeline.call("DEL", pipeline.keys.player_bots("a1"))

    assert [line.outcome for line in await imported(pipeline, ADA, BOT)] == ["known", "known"]

    assert await NameStore(pipeline).holder("ada") == "a1"
    assert await PlayerStore(pipeline).bots("a1") == ["b1"]


async def test_refused_accounts(pipeline: Pipeline) -> None:
    """Each has the number of its line, a code and a sentence, and leaves nothing; all others are imported."""
    guest = await PlayerStore(pipeline).create_guest("Eve", "eve")
    assert guest is not None

    outcomes = await imported(
        pipeline,
        BOT,
        ADA,
        replace(ADA, id="a2", name="ADA"),
        replace(ADA, name="Other"),
        replace(ADA, id="a3", name="Eve"),
        replace(ADA, id="a4", name="Admin"),
        replace(ADA, id="a5", name=" Two  spaces"),
        b"",
        b"nonsense",
        BOT,
    )

    assert [(line.number, line.outcome, line.code) for line in outcomes] == [
        (1, "refused", ImportCode.OWNER_UNKNOWN),
        (2, "imported", None),
        (3, "refused", ImportCode.NAME_TAKEN),
        (4, "refused", ImportCode.ID_TAKEN),
        (5, "refused", ImportCode.NAME_TAKEN),
        (6, "refused", ImportCode.NAME_REFUSED),
        (7, "refused", ImportCode.LINE_BROKEN),
        (9, "refused", ImportCode.LINE_BROKEN),
        (10, "imported", None),
    ]
    assert all(line.sentence.endswith(".") for line in outcomes if line.code)
    assert [line async for line in export_accounts(pipeline)] == [ADA, BOT]
