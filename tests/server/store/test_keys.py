"""The names of keys."""

from __future__ import annotations

import re

from parlour.server.store import keys


def _tag(key: str) -> str:
    """Return what a cluster hashes: the text in the first pair of braces."""
    found = re.search(r"\{(.+?)\}", key)
    assert found is not None
    return found[1]


def test_the_keys_of_a_room_share_a_slot() -> None:
    """A script can use all keys of one room on a cluster."""
    used = {keys.log("r00m"), keys.snapshot("r00m"), keys.record("r00m")}
    assert len(used) == 3
    assert {_tag(key) for key in used} == {"r00m"}


def test_what_a_script_uses_shares_a_slot() -> None:
    """The same holds for deadlines, players, budgets, and each pool of quick match."""
    assert _tag(keys.DUE) == _tag(keys.CLAIMED)
    assert _tag(keys.player("1")) == _tag(keys.player_name("ann")) == _tag(keys.player_token("ff"))
    assert _tag(keys.player("1")) == _tag(keys.player_bots("1"))
    assert _tag(keys.budget("seek:player:1")) == _tag(keys.budget("seek:address:::/64"))
    pool = '{"game":"replica"}'
    assert _tag(keys.queue(pool)) == _tag(keys.tickets(pool)) == _tag(keys.pair(pool, "t"))
    assert _tag(keys.queue(pool)) != _tag(keys.queue("other"))
