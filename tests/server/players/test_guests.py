"""New guests and their names."""

from __future__ import annotations

import asyncio

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.players.guests import create_guest
from parlour.server.players.names import MAX_LENGTH, fold_name
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import Identity, PlayerStore


@pytest.fixture
def players(pipeline: Pipeline) -> PlayerStore:
    return PlayerStore(pipeline)


async def test_generated_names(players: PlayerStore) -> None:
    """Guests who request no name get different names."""
    guests = [await create_guest(players) for _ in range(50)]
    assert len({guest.player.name for guest in guests}) == 50


async def test_a_free_name_is_given_as_requested(players: PlayerStore) -> None:
    """A guest gets the requested name if it is free, and can be found by it."""
    guest = await create_guest(players, "Ann Lee")
    assert guest.player.name == "Ann Lee"
    assert await players.id_of(fold_name("ann lee")) == guest.player.id


@pytest.mark.parametrize(("first", "second"), [("Ann", "ANN"), ("Straße", "STRASSE"), ("Ann Lee", "ann-lee")])
async def test_a_taken_name_gets_a_number(players: PlayerStore, first: str, second: str) -> None:
    """A guest who requests a name that counts as taken gets it with a number."""
    await create_guest(players, first)
    other = (await create_guest(players, second)).player
    assert other.name.startswith(f"{second} ")
    assert other.name.removeprefix(f"{second} ").isdecimal()
    assert fold_name(other.name) != fold_name(first)


async def test_a_numbered_name_is_not_too_long(players: PlayerStore) -> None:
    """If a name of the maximum length is taken, it is shortened to make room for the number."""
    names = {(await create_guest(players, "x" * MAX_LENGTH)).player.name for _ in range(15)}
    assert len(names) == 15
    assert max(len(name) for name in names) <= MAX_LENGTH


async def test_concurrent_requests_for_one_name(players: PlayerStore) -> None:
    """Guests who request the same name at the same time get different names."""
    guests = await asyncio.gather(*(create_guest(players, "Ann") for _ in range(20)))
    assert len({fold_name(guest.player.name) for guest in guests}) == 20
    assert [guest.player.name for guest in guests].count("Ann") == 1
    found = await asyncio.gather(*(players.find(guest.token) for guest in guests))
    assert found == [guest.player for guest in guests]


class FullStore:
    """A store in which every name is taken."""

    async def create_guest(self, name: str, folded: str) -> Identity | None:
        return None


async def test_no_free_name_is_found() -> None:
    """If all variants of a name are taken, the request is refused with advice."""
    with pytest.raises(Refusal, match=r"a name like Ann\. Choose another name\.") as refused:
        await create_guest(FullStore(), "Ann")  # type: ignore[arg-type]
    assert refused.value.code is ErrorCode.NAME_TAKEN
