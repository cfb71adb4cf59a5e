"""What each page is about."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour import games
from parlour.protocol.messages import Accept, Challenge, Register, Resign, Seek
from parlour.protocol.types import Clock, Terms
from parlour.server.pages.page_info import PageDirectory, PageInfo, picture_path
from tests.server.running_node import RunningNode, running_node
from tests.server.tournaments.cups import create, enter, organiser

TERMS = Terms("mapello", clock=Clock("fischer", 600_000, 5_000))


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


def scene_of(page: PageInfo) -> object:
    assert page.picture is not None
    return page.picture().scene


async def test_fixed_pages_and_what_does_not_exist(node: RunningNode) -> None:
    """Every page of the client has a title, a description and a picture; every other path has the status 404."""
    pages = PageDirectory(node.node)
    paths = ["/", "/watch", "/games", "/players", "/editor", "/account", "/settings", "/game", "/rules", "/study"]
    paths += ["/tournaments"]
    paths += [f"/{kind}/{key}" for kind in ("rules", "learn", "editor") for key in games.keys()]
    for path in paths:
        page = await pages.find(path)
        assert (path, page.status) == (path, 200)
        assert page.title
        assert page.description.endswith(".")
        assert page.picture is not None
    assert (await pages.find("/study/position/mapello/-/-/f7")).title == "Study Mapello"
    for path in (
        "/no",
        "/study/position/halma",
        "/study/game/x",
        "/rules/halma",
        "/learn/halma",
        "/learn",
        "/table/x",
        "/game/x/3",
        "/join/x",
        "/players/Nemo",
        "/tournaments/x",
    ):
        page = await pages.find(path)
        assert (path, page.status, page.picture) == (path, 404, None)
        assert page.description.endswith(".")


async def test_an_invitation_names_the_player_the_game_the_clock_and_the_side(node: RunningNode) -> None:
    """The link says all that the invited player should know; it stops doing so when the invitation is accepted."""
    pages = PageDirectory(node.node)
    ann, ben = await node.call(name="Ann"), await node.call(name="Ben")
    code = (await ann.ask(Challenge(id=0, terms=TERMS, seat="second"))).seek
    page = await pages.find(f"/join/{code}")

    assert page.title == "Ann invites you to Mapello"
    assert "10 min + 5 s · you play Black" in page.description
    assert page.data["invitation"].seat == 0
    assert not page.is_indexed
    await ben.ask(Accept(id=0, seek=code))
    assert (await pages.find(f"/join/{code}")).status == 404
    addressed = (await ann.ask(Challenge(id=0, terms=TERMS, to="Ben"))).seek
    assert (await pages.find(f"/join/{addressed}")).status == 404


async def test_a_game_shows_its_position_and_its_result(node: RunningNode) -> None:
    """The picture follows the game, or shows the position after some moves; the title says who won."""
    pages = PageDirectory(node.node)
    ann, ben = await node.call(name="Ann"), await node.call(name="Ben")
    room = await node.table(TERMS, ann, ben)
    before = await pages.find(f"/table/{room}")
    assert before.title == "Ann against Ben: Mapello"
    await node.play(room, ann, ben, moves=2)
    after = await pages.find(f"/table/{room}")
    assert scene_of(after) != scene_of(before)
    assert after.version != before.version
    assert scene_of(await pages.find(f"/game/{room}/0")) == scene_of(before)
    assert scene_of(await pages.find(f"/game/{room}/2")) == scene_of(after)
    await ben.ask(Resign(id=0, room=room))
    assert (await pages.find(f"/game/{room}")).title == "Ann beat Ben at Mapello"


async def test_public_tables_are_indexed(node: RunningNode) -> None:
    """Search engines may list a game that the lobby lists, but no private one and no study of a running one."""
    pages = PageDirectory(node.node)
    ann, ben = await node.call(name="Ann"), await node.call(name="Ben")
    seek = (await ann.ask(Seek(id=0, terms=TERMS))).seek
    public = (await ben.ask(Accept(id=0, seek=seek))).room
    private = await node.table(TERMS, ann, ben)
    paths = (f"/table/{public}", f"/study/game/{public}", f"/table/{private}")
    assert [(await pages.find(path)).is_indexed for path in paths] == [True, False, False]


async def test_a_profile_names_the_player(node: RunningNode) -> None:
    """The title is the player's name as it is written, whatever the link looks like. Guests are not indexed."""
    pages = PageDirectory(node.node)
    ann, _ = await node.call(name="Ann"), await node.call(name="Ben")
    await ann.ask(Register(id=0, name="Ann Lee", password="a long password"))

    assert (await pages.find("/players/ann.lee/")).title == "Ann Lee"
    assert (await pages.find("/players/Ann Lee")).is_indexed
    assert not (await pages.find("/players/Ben")).is_indexed


def test_the_picture_of_a_page_has_its_path() -> None:
    """So a picture needs no key of its own."""
    assert picture_path("/") == "/pictures/lobby.png"
    assert picture_path("/players/Ann Lee/") == "/pictures/players/Ann%20Lee.png"


async def test_a_tournament_is_told_with_its_standings(node: RunningNode) -> None:
    """The page has what its script would ask for; search engines do not list what needs a code."""
    pages = PageDirectory(node.node)
    olga = await organiser(node)
    tournament = await create(olga, min_players=3)
    await enter(node, tournament, 1)
    page = await pages.find(f"/tournaments/{tournament}")

    assert (page.title, page.is_indexed) == ("Cup", True)
    assert page.data["request"] == {"t": "follow_tournament", "tournament": tournament}
    assert [row.player.name for row in page.data["answer"].standings] == ["Ada"]
    assert page.picture is not None
    assert (await pages.find(f"/tournaments/{tournament}/top")).title == "Cup"
    listed = (await pages.find("/tournaments")).data["tournaments"]["open"].rows
    assert [row.tournament for row in listed] == [tournament]
    closed = await create(olga, "sesame", min_players=3)
    assert not (await pages.find(f"/tournaments/{closed}")).is_indexed
