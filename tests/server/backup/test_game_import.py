"""Games are verified and stored once, wherever they come from."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from time import time

import pytest
from msgspec.structs import replace

from parlour.protocol.types import Player, Result
from parlour.server.archive import text_format
from parlour.server.archive.database.search import GameFilter
from parlour.server.archive.record import sealed
from parlour.server.archive.storage import StoredGame
from parlour.server.backup.deployment import Deployment
from parlour.server.backup.errors import ImportCode
from parlour.server.backup.game_export import ExportedGame, export_games
from parlour.server.backup.game_import import import_games
from parlour.server.backup.game_lines import write_line
from parlour.server.backup.imported_line import ImportedLine
from parlour.server.store.accounts import AccountStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from tests.server.archive.sample_games import ADA
from tests.server.backup.archived_games import RATINGS, archive_of, archived_game

GAMES = [archived_game(1), archived_game(2, "isaac"), archived_game(3, private=True)]


@pytest.fixture
async def target(pipeline: Pipeline, tmp_path: Path) -> AsyncIterator[Deployment]:
    """A deployment without games."""
    engine = archive_of(tmp_path / "archive", [])
    yield Deployment(pipeline, engine)
    engine.dispose()


async def imported(target: Deployment, *lines: bytes, batch: int = 2) -> list[ImportedLine]:
    source = BytesIO(b"\n".join(lines))
    return [line async for some in import_games(target, source, batch) for line in some]


def changed(line: bytes, **fields: object) -> bytes:
    return json.dumps(json.loads(line) | fields).encode()


def with_record(game: StoredGame, **fields: object) -> bytes:
    """Return the line of a game with a valid chain."""
    return write_line(replace(game, record=sealed(replace(game.record, **fields))), None)


async def test_an_empty_archive_becomes_the_same(target: Deployment) -> None:
    """Lists, private games and the history of ratings are restored, and a second import changes nothing."""
    lines = [write_line(each, RATINGS) for each in GAMES]

    first, second = await imported(target, *lines), await imported(target, *lines)

    assert [each.outcome for each in first] == ["imported"] * 3
    assert [each.outcome for each in second] == ["known"] * 3
    private = GameFilter(private=True)
    assert list(export_games(target.engine, private)) == [ExportedGame(each, RATINGS) for each in reversed(GAMES)]
    assert [each.game.record.room for each in export_games(target.engine, GameFilter(player=ADA.id))] == [
        "room3", "room2", "room1",
    ]  # fmt: skip
    assert len(list(export_games(target.engine, GameFilter()))) == 2


async def test_refused_games(target: Deployment) -> None:
    """Each has the number of its line, a code and a sentence; all others are imported."""
    good, other = write_line(GAMES[0], RATINGS), write_line(GAMES[1], RATINGS)
    lines = [
        good,
        changed(good, room="other", ended=GAMES[0].record.ended + 1),
        with_record(GAMES[0], room="illegal", moves=GAMES[0].record.moves[1:]),
        with_record(GAMES[0], started=GAMES[0].record.started - 1),
        with_record(GAMES[0], room="aborted", result=Result(None, "aborted")),
        with_record(GAMES[0], room="later", ended=int(time() * 1000) + 7 * 24 * 3600 * 1000),
        b"nonsense",
        good,
        other,
    ]

    outcomes = await imported(target, *lines)

    assert [(each.number, each.outcome, each.code) for each in outcomes] == [
        (1, "imported", None),
        (2, "refused", ImportCode.RECORD_BROKEN),
        (3, "refused", ImportCode.RECORD_BROKEN),
        (4, "refused", ImportCode.ROOM_TAKEN),
        (5, "refused", ImportCode.GAME_ABORTED),
        (6, "refused", ImportCode.RECORD_BROKEN),
        (7, "refused", ImportCode.LINE_BROKEN),
        (8, "known", None),
        (9, "imported", None),
    ]
    assert "was changed" in outcomes[1].sentence
    assert all(each.sentence.endswith(".") for each in outcomes if each.code)


async def test_players_in_a_text(target: Deployment) -> None:
    """A game is that of the account with the name of a player, and not that of a guest or a bot with that name."""
    guests, accounts = PlayerStore(target.pipeline), AccountStore(target.pipeline)
    ada, eve = await guests.create_guest("Guest 1", "guest1"), await guests.create_guest("Eve", "eve")
    assert ada is not None
    assert eve is not None
    await accounts.register(ada.player.id, "Ada", "ada", "$argon2id$", "1")
    players = (Player("Ada"), Player("Eve")), (Player("Ada", bot=True), Player("Eve", guest=True))
    texts = [
        text_format.write(sealed(replace(game.record, players=pair))).encode()
        for game, pair in zip(GAMES, players, strict=False)
    ]

    outcomes = await imported(target, *texts)

    assert [each.outcome for each in outcomes] == ["imported", "imported"]
    found = {each.game.record.room: each.game.ids for each in export_games(target.engine, GameFilter())}
    assert found == {"room1": (ada.player.id, ""), "room2": ("", "")}
