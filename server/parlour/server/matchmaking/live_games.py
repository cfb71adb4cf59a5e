"""Live games: what this node reports, and the list that all nodes share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour import games
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import LiveGame
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import OptionValue
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState
from parlour.server.store.live_games import MAX_LISTED, GameReport, LiveGameList, NodeReport
from parlour.server.store.store import Store

INACTIVE_AFTER = 120_000  # milliseconds without a move after which a game is not featured


class Description(Struct, frozen=True, array_like=True):
    """A game as nodes describe it to each other."""

    game: LiveGame  # without the board, which follows from the options, and without the spectators
    options: dict[str, OptionValue]
    moved_at: int
    rules_version: int = 1


class ListedGame(Struct, frozen=True):
    """A listed game at the sequence number of its description."""

    seq: int
    description: Description
    board: BoardSpec


encode = msgspec.msgpack.Encoder().encode
decode_description = msgspec.msgpack.Decoder(Description).decode


# -- pure


def rank(room: RoomState) -> int:
    """Return a game's rank: by the players' ratings, then newest first."""
    strength = sum(participant.player.rating or 0 for participant in room.players)
    return strength * 2**32 + room.created // 1000


def describe(room: RoomState, scene: Scene) -> Description:
    """Return the description of a game as its spectators see it."""
    players = tuple(participant.player for participant in room.players)
    game = LiveGame(room.id, room.game, players, room.clock, room.rated, ply=room.ply, scene=scene)
    return Description(game, room.options, room.turn_began, room.rules_version)


def is_public(room: RoomState) -> bool:
    """Return whether a running game may be listed."""
    return not room.private and room.status != "over"


def featured(current: str, listed: Iterable[Description], now: int) -> str:
    """Return the room to feature: the current one while it is active, then the best active game."""
    active = [each.game.room for each in listed if now - each.moved_at < INACTIVE_AFTER]
    return current if current in active else next(iter(active), "")


def is_attended(room: Room, now: int) -> bool:
    """Return whether one of the players is in the room on this node, or any session is and the game is active."""
    state = room.state
    is_active = now - state.turn_began < INACTIVE_AFTER
    return any(is_active or state.seat_of(each.player) is not None for each in room.subscribers.all)


def board_of(description: Description) -> BoardSpec | None:
    """Return the board of a game; None if this node does not support its rules."""
    try:
        return games.find_version(description.game.game, description.rules_version).board(description.options)
    except Refusal:
        return None


# -- this node


class LiveGames:
    """Reports this node's games, and reads the games of all nodes."""

    def __init__(self, store: Store, registry: RoomRegistry, describe_node: Callable[[], NodeReport]) -> None:
        """`describe_node` returns what this node reports about itself, without spectators."""
        self.list = LiveGameList({})
        self._store = store
        self._registry = registry
        self._describe_node = describe_node
        self._listed: dict[str, ListedGame] = {}
        self._featured = ""

    async def report(self) -> None:
        """Report this node's games, and read the list. Call this every second.

        Games are described this often and not with every move, and only games that are good enough to be listed.
        """
        seqs, rooms = self.list.seqs, self._registry.rooms
        spectators = {id: number for id in seqs if id in rooms and (number := rooms[id].subscribers.spectators)}
        finished = [id for id in seqs if id in rooms and rooms[id].state.status == "over"]
        reports = [self._report(room) for room in self.candidates()]
        node = replace(self._describe_node(), spectators=spectators)
        self.list = await self._store.live_games.report(self._store.clock.now(), node, finished, reports)

    def candidates(self) -> Sequence[Room]:
        """Return the games of this node that are good enough to be listed, best first."""
        now, min_rank = self._store.clock.now(), self.list.min_rank
        ranked = [
            (rank_, id)
            for id, room in self._registry.rooms.items()
            if is_public(room.state) and (rank_ := rank(room.state)) >= min_rank and is_attended(room, now)
        ]
        return [self._registry.rooms[id] for _, id in nlargest(MAX_LISTED, ranked)]

    def _report(self, room: Room) -> GameReport:
        state, scene = room.subscribers.public_view
        is_described = self.list.seqs.get(state.id, -1) >= state.seq
        return GameReport(state.id, rank(state), state.seq, b"" if is_described else encode(describe(state, scene)))

    async def load(self) -> tuple[Sequence[LiveGame], str]:
        """Return the listed games with boards and spectators, best first, and the room of the featured one."""
        seqs = self.list.seqs
        outdated = [id for id, seq in seqs.items() if id not in self._listed or self._listed[id].seq < seq]
        found = await self._store.live_games.descriptions(outdated)
        listed = {id: each for id, each in self._listed.items() if id in seqs}
        for id, packed in found.items():
            description = decode_description(packed)
            board = listed[id].board if id in listed else board_of(description)
            if board is not None:
                listed[id] = ListedGame(seqs[id], description, board)
        self._listed = listed
        in_order = [listed[id] for id in seqs if id in listed]
        now = self._store.clock.now()
        self._featured = featured(self._featured, (each.description for each in in_order), now)
        return [self._complete(each) for each in in_order], self._featured

    def _complete(self, listed: ListedGame) -> LiveGame:
        game = listed.description.game
        return replace(game, board=listed.board, spectators=self.list.spectators(game.room))
