"""The names of keys."""

from __future__ import annotations

import re

from parlour.server.store.keys import Keys

keys = Keys()


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
    assert _tag(keys.due("r")) == _tag(keys.claimed("r"))
    assert _tag(keys.player("1")) == _tag(keys.player_name("ann")) == _tag(keys.player_token("ff"))
    pool = '{"game":"replica"}'
    assert _tag(keys.queue(pool)) == _tag(keys.tickets(pool)) == _tag(keys.pair(pool, "t"))
    assert _tag(keys.queue(pool)) != _tag(keys.queue("other"))
