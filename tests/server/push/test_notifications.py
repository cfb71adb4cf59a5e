"""Notifications to absent players, on two nodes, read by the browsers for which they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest
from py_vapid import Vapid02
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Block,
    Challenge,
    ExportAccount,
    GetNotifications,
    JoinTournament,
    Leave,
    NotificationKind,
    Notifications,
    Ok,
    PushSubscription,
    Register,
    SetNotifications,
    SignOut,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms
from parlour.server.store.push_subscriptions import PushSubscriptionStore
from tests.server.push.push_service import LOOPBACK, PushService, push_service
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.tournaments.cups import create, organiser
from tests.waiting import until

DAYS = Terms("isaac", clock=Clock("days", 86_400_000))
BOTH: tuple[NotificationKind, ...] = ("your_turn", "challenge")


class Scene(NamedTuple):
    """Ann on one node, Ben on another, and the push service of Ben's browser."""

    north: RunningNode
    south: RunningNode
    ann: Caller
    ben: Caller
    service: PushService


@pytest.fixture
async def scene(valkey: str, redis: Redis) -> AsyncIterator[Scene]:
    async with (
        push_service() as service,
        running_node(valkey, "north", push_networks=LOOPBACK) as north,
        running_node(valkey, "south", push_networks=LOOPBACK) as south,
    ):
        for each in (north, south):
            await each.node.push_notifications.open()
        yield Scene(north, south, await north.call(name="Ann"), await south.call(name="Ben"), service)


async def leave(node: RunningNode, room: str, caller: Caller, seat: int) -> None:
    """Leave a table, and wait until its log says so."""
    await caller.ask(Leave(id=0, room=room))

    async def is_away() -> bool:
        found = await node.registry.find(room)
        return found is not None and found.offline_since[seat] is not None  # type: ignore[union-attr]

    while not await is_away():
        await asyncio.sleep(0.01)


async def test_an_absent_player_learns_of_the_turn_once(scene: Scene) -> None:
    """Both nodes have the game; one message is sent, signed, and readable only with the keys of the browser."""
    browser = scene.service.browser()
    assert isinstance(await scene.ben.ask(SetNotifications(id=0, subscription=browser.subscription, kinds=BOTH)), Ok)
    room = await scene.north.table(DAYS, scene.ann, scene.ben)
    await scene.north.play(room, scene.ann, scene.ben, moves=2)
    await leave(scene.south, room, scene.ben, 1)
    await scene.north.play(room, scene.ann, scene.ben, moves=1)

    request = await scene.service.request()
    told = {"kind": "your_turn", "room": room, "game": "Isaac", "opponent": "Ann"}
    assert browser.read(request) == told
    assert Vapid02.verify(request.headers["Authorization"])
    answer = await scene.ben.ask(GetNotifications(id=0, endpoint=browser.subscription.endpoint))
    assert isinstance(answer, Notifications)
    assert (request.headers["Authorization"].endswith(f"k={answer.key}"), answer.kinds) == (
        True,
        ("challenge", "your_turn"),
    )
    assert request.headers["Urgency"] == "normal"
    assert 86_000 < int(request.headers["TTL"]) <= 86_400
    nodes = (scene.north.node, scene.south.node)
    await until(lambda: sum(each.metrics.push_messages["your_turn", "sent"] for each in nodes) == 1)
    assert len(scene.service.received) == 1


async def test_players_at_the_table_and_blocked_opponents_cause_no_message(scene: Scene) -> None:
    """The player who has the game on screen gets no message, nor does one who has blocked the opponent."""
    browser = scene.service.browser()
    await scene.ben.ask(SetNotifications(id=0, subscription=browser.subscription, kinds=BOTH))
    room = await scene.north.table(DAYS, scene.ann, scene.ben)
    await scene.north.play(room, scene.ann, scene.ben, moves=3)
    assert isinstance(await scene.ben.ask(Block(id=0, name="Ann")), Ok)
    await scene.south.play(room, scene.ann, scene.ben, moves=1)
    await leave(scene.south, room, scene.ben, 1)
    await scene.north.play(room, scene.ann, scene.ben, moves=1)
    await scene.north.node.drain(5)
    assert scene.service.received == []


async def test_a_challenge_reaches_a_player_who_is_not_connected(scene: Scene) -> None:
    """An invitation by name is told to a player without a connection, and not to one who has it on screen."""
    browser = scene.service.browser()
    await scene.ben.ask(SetNotifications(id=0, subscription=browser.subscription, kinds=BOTH))
    await scene.ann.ask(Challenge(id=0, terms=DAYS, to="Ben"))
    await scene.north.node.drain(5)
    assert scene.service.received == []

    await scene.ben.socket.close()
    ben = (await scene.north.store.players.id_of("ben")) or ""
    while await scene.north.store.players.is_online(ben):
        await asyncio.sleep(0.01)
    seek = (await scene.ann.ask(Challenge(id=0, terms=DAYS, to="Ben"))).seek
    told = {"kind": "challenge", "seek": seek, "game": "Isaac", "opponent": "Ann"}
    assert browser.read(await scene.service.request()) == told


async def test_the_start_of_a_tournament_reaches_players_who_are_not_connected(scene: Scene) -> None:
    """Ben has entered and gone offline; the message comes once, though both nodes have the tournament open."""
    browser, olga = scene.service.browser(), await organiser(scene.north)
    await scene.ben.ask(SetNotifications(id=0, subscription=browser.subscription, kinds=("tournament",)))
    tournament = await create(olga, format="swiss", rounds=1, min_players=2)
    assert isinstance(await scene.ben.ask(JoinTournament(id=0, tournament=tournament)), Ok)
    await scene.ben.socket.close()
    ben = (await scene.north.store.players.id_of("ben")) or ""
    while await scene.north.store.players.is_online(ben):
        await asyncio.sleep(0.01)
    await scene.ann.ask(JoinTournament(id=0, tournament=tournament))

    told = browser.read(await scene.service.request())
    assert told == {"kind": "tournament", "tournament": tournament, "name": "Cup", "game": "Replica"}
    nodes = (scene.north.node, scene.south.node)
    await until(lambda: sum(each.metrics.push_messages["tournament", "sent"] for each in nodes) == 1)
    assert len(scene.service.received) == 1


async def test_a_subscription_ends_with_its_device(scene: Scene) -> None:
    """Signing out ends it, here or everywhere; the export shows it before."""
    browser = scene.service.browser()
    ann, store = scene.ann, scene.north.store.push_subscriptions
    id = (await scene.north.store.players.id_of("ann")) or ""
    await ann.ask(Register(id=0, name="Ann", password="three otters in a boat"))
    other = await scene.south.call(ann.token)
    for caller, name in ((ann, "one"), (other, "two")):
        given = scene.service.browser(name).subscription
        await caller.ask(SetNotifications(id=0, subscription=given, kinds=("your_turn",)))
    exported = (await ann.ask(ExportAccount(id=0))).data
    assert '"endpoint":"' in exported
    assert browser.subscription.auth not in exported
    assert len(await store.all(id)) == 2

    await ann.ask(SignOut(id=0, everywhere=True))
    await until_empty(store, id)


async def until_empty(store: PushSubscriptionStore, id: str) -> None:
    while await store.all(id):
        await asyncio.sleep(0.01)


async def test_unusable_subscriptions_are_refused(scene: Scene, valkey: str) -> None:
    """Keys that are none, and addresses that are none, are refused; without push, nothing is set."""
    good = scene.service.browser().subscription
    for bad in (
        PushSubscription("ftp://x", good.p256dh, good.auth),
        PushSubscription(good.endpoint, "AAAA", good.auth),
    ):
        assert await scene.ann.code(SetNotifications(id=0, subscription=bad, kinds=BOTH)) == (
            ErrorCode.SUBSCRIPTION_REFUSED
        )
    async with running_node(valkey, "silent", push=False) as silent:
        await silent.node.push_notifications.open()
        eve = await silent.call()
        assert await eve.code(SetNotifications(id=0, subscription=good, kinds=BOTH)) == ErrorCode.PUSH_OFF
        assert (await eve.ask(GetNotifications(id=0))).key == ""


async def test_a_browser_changes_its_mind_and_its_address(scene: Scene) -> None:
    """Without kinds the subscription is removed; a new address replaces the old one."""
    old, new = scene.service.browser("old").subscription, scene.service.browser("new").subscription
    store, id = scene.north.store.push_subscriptions, (await scene.north.store.players.id_of("ann")) or ""
    await scene.ann.ask(SetNotifications(id=0, subscription=old, kinds=("your_turn",)))
    await scene.ann.ask(SetNotifications(id=0, subscription=new, kinds=("challenge",), replaces=old.endpoint))
    assert [each.endpoint for each in await store.all(id)] == [new.endpoint]
    await scene.ann.ask(SetNotifications(id=0, subscription=new))
    assert await store.all(id) == []
