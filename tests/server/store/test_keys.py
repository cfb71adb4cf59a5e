"""The names of keys: what shares a slot of a cluster, what is spread over slots, and the prefix."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.server.store.keys import DEADLINE_SHARDS, Keys
from parlour.server.store.slots import SLOTS, slot

keys = Keys()


def slots(*names: str) -> set[int]:
    return {slot(name) for name in names}


@pytest.mark.parametrize("room", ["r00m", "}", "{}", "a}b{c", "{"])
def test_the_keys_of_a_room_share_a_slot(room: str) -> None:
    """A script can use all keys of one room on a cluster, whatever a client sends as its id."""
    used = [keys.log(room), keys.snapshot(room), keys.archived(room), keys.seat_nodes(room), keys.rated(room)]
    assert len(set(used)) == 5
    assert len(slots(*used, keys.room_events(room), keys.room_messages(room))) == 1


def test_what_a_script_uses_shares_a_slot() -> None:
    """The same holds for each player, shard of deadlines, leaderboard and pool of quick match, and for the lobby."""
    assert len(slots(keys.player("1"), keys.player_bots("1"), keys.blocked("1"), keys.muted("1"))) == 1
    assert len(slots(keys.reports, keys.report_times, keys.report_authors)) == 1
    assert len(slots(keys.ratings("1"))) == 1
    assert keys.rated_pair("1", "2") == keys.rated_pair("2", "1")
    assert len(slots(keys.due("r"), keys.claimed("r"))) == 1
    boards = keys.leaderboard("isaac"), keys.leaderboard_expiry("isaac"), keys.leaderboard_games("isaac")
    assert len(slots(*boards)) == 1
    pool = '{"game":"replica"}'
    assert len(slots(keys.queue(pool), keys.tickets(pool), keys.pairs(pool), keys.pairs_expiry(pool))) == 1
    assert (
        len(slots(keys.seek("}{"), keys.seek_list, keys.seek_list_data, keys.seek_list_version, keys.seek_list_changes))
        == 1
    )


@pytest.mark.parametrize(
    "name",
    [keys.log, keys.player, keys.player_name, keys.player_token, keys.ratings, keys.budget, keys.playing, keys.queue],
)
def test_what_grows_is_spread(name: Callable[[str], str]) -> None:
    """A thousand rooms, players, names, tokens, budgets or pools are in about as many slots."""
    assert len(slots(*(name(str(number)) for number in range(1000)))) > 900


@pytest.mark.parametrize("masters", [2, 3, 6])
def test_the_shards_of_deadlines_are_spread(masters: int) -> None:
    """Every master of a small cluster has some of them."""
    shards = [slot(keys.due_in(shard)) * masters // SLOTS for shard in range(DEADLINE_SHARDS)]
    assert set(shards) == set(range(masters))
    assert max(shards.count(master) for master in range(masters)) <= DEADLINE_SHARDS // 2


def test_everything_has_the_prefix() -> None:
    """No key and no channel lacks the prefix of its deployment."""
    red = Keys("red")
    found = []
    for name in dir(Keys):
        member = getattr(Keys, name)
        if isinstance(member, property):
            found.append(getattr(red, name))
        elif not name.startswith("__") and inspect.isfunction(member):
            wanted = [each for each in inspect.signature(member).parameters.values() if each.name != "self"]
            given = [
                1 if each.annotation == "int" else "x" for each in wanted if each.kind is each.POSITIONAL_OR_KEYWORD
            ]
            found.append(member(red, *given))
    assert len(found) > 40
    assert [name for name in found if not name.startswith("red:")] == []
    assert Keys("red").log("r") != Keys("blue").log("r")


def test_every_key_is_documented() -> None:
    """The table in docs/store.md names each key and channel, and no other, with an owner, a bound and a lifetime."""
    text = (Path(__file__).parents[3] / "docs" / "store.md").read_text(encoding="utf-8")
    _, _, rest = text.partition("## What is in it")
    rows = [row.strip("|").split("|") for row in rest.partition("\n## ")[0].splitlines() if row.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row[0])]
    parts = {"online_prefix", "due_in", "claimed_in", "prefix"}  # of the names of others
    known = {name for name in (*vars(Keys), *vars(Keys())) if not name.startswith("_")}
    assert sorted(named) == sorted(known - parts)
    for row in rows:
        assert row[1].strip() == "channels" or all(cell.strip() for cell in row), row
