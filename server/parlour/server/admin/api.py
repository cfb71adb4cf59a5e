"""The admin API: JSON over HTTP. `docs/operators.md` lists its paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.address_actions import AddressActions
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.admin.game_actions import GameActions
from parlour.server.admin.node_actions import NodeActions
from parlour.server.admin.overview import Overviews
from parlour.server.admin.player_actions import PlayerActions
from parlour.server.admin.report_actions import ReportActions
from parlour.server.admin.tournament_actions import TournamentActions
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.archive.erasure import Erasure
from parlour.server.node import Node
from parlour.server.store.store import Store
from parlour.server.tournaments.erasure import TournamentErasure


class NotFound(Exception):
    """There is nothing at this path."""


class ActionRequest(Struct, frozen=True):
    """The body of a POST. Each action uses the fields it needs."""

    reason: str = ""
    until: Annotated[int, Meta(ge=0)] = 0  # milliseconds since 1970; 0: for good
    name: str = ""  # rename
    game: str = ""  # remove-rating
    winner: Annotated[int, Meta(ge=0, le=1)] | None = None  # adjudicate: a seat; null: a draw
    text: str = ""  # announce


class AdminApi:
    """Answers the requests of authenticated operators."""

    def __init__(self, node: Node, store: Store) -> None:
        audit = AuditWriter(store)
        self._overviews = Overviews(node, store)
        self._nodes = NodeActions(store, node.control, audit)
        self._addresses = AddressActions(store, node.control, audit)
        self._games = GameActions(store, node.registry, audit)
        self._reports = ReportActions(store, audit)
        erasure = TournamentErasure(TournamentTable(node.database), store.tournaments)
        self._tournaments = TournamentActions(store, node.tournaments, self._games, erasure, audit)
        self._players = PlayerActions(
            store, node.player_sessions, node.accounts, self._games, self._tournaments, Erasure(node.database), audit
        )

    async def get(self, operator: str, path: list[str], query: Mapping[str, str]) -> Any:
        """Return the answer to a GET, as values that msgspec can encode. Raise Refusal or NotFound."""
        overviews = self._overviews
        match path:
            case ["operator"]:
                return {"name": operator}
            case ["overview"]:
                return await overviews.overview()
            case ["nodes"]:
                return await overviews.nodes()
            case ["rooms"] if "player" in query:
                return await overviews.rooms_of(await self._players.find(query["player"]))
            case ["rooms"]:
                return await overviews.rooms()
            case ["players"]:
                return await overviews.players(query.get("after", ""))
            case ["players", who]:
                return await overviews.file(await self._players.find(who))
            case ["reports"]:
                return await self._reports.list(handled=query.get("handled") == "yes")
            case ["tournaments"]:
                return await self._tournaments.list()
            case ["addresses"]:
                return await self._addresses.bans()
            case ["audit"]:
                return await overviews.audit(query.get("before", ""))
        raise NotFound

    async def post(self, operator: str, path: list[str], body: bytes) -> Any:
        """Execute an action and return the answer. Raise Refusal or NotFound."""
        try:
            request = msgspec.json.decode(body or b"{}", type=ActionRequest)
        except msgspec.DecodeError as fault:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, f"The body is not an action: {fault}.") from None
        context = ActionContext(operator, request.reason)
        match path:
            case ["announce"]:
                await self._nodes.announce(context, request.text)
            case ["nodes", node, action]:
                await self._act_on_node(context, node, action)
            case ["addresses", prefix, "ban"]:
                await self._addresses.ban(context, prefix, request.until)
            case ["addresses", prefix, "unban"]:
                await self._addresses.lift(context, prefix)
            case ["rooms", room, action]:
                await self._act_on_room(context, room, action, request)
            case ["tournaments", id, "cancel"]:
                await self._tournaments.cancel(context, id)
            case ["reports", id, "handle"]:
                await self._reports.handle(context, id)
            case ["players", who, action]:
                return await self._act_on_player(context, who, action, request)
            case _:
                raise NotFound
        return {}

    async def _act_on_node(self, context: ActionContext, node: str, action: str) -> None:
        match action:
            case "drain":
                await self._nodes.drain(context, node)
            case "resume":
                await self._nodes.resume(context, node)
            case _:
                raise NotFound

    async def _act_on_room(self, context: ActionContext, room: str, action: str, request: ActionRequest) -> None:
        match action:
            case "adjudicate":
                await self._games.adjudicate(context, room, request.winner)
            case "abort":
                await self._games.abort(context, room)
            case "close":
                await self._games.close(context, room)
            case _:
                raise NotFound

    async def _act_on_player(self, context: ActionContext, who: str, action: str, request: ActionRequest) -> Any:
        players = self._players
        match action:
            case "warn":
                await players.warn(context, who)
            case "mute":
                await players.mute(context, who, request.until)
            case "unmute":
                await players.unmute(context, who)
            case "suspend":
                if not request.until:
                    raise Refusal(ErrorCode.OPTION_INVALID, "Say until when. To refuse a player for good, use ban.")
                await players.suspend(context, who, request.until)
            case "ban":
                await players.ban(context, who)
            case "unban":
                await players.unban(context, who)
            case "rename":
                await players.rename(context, who, request.name)
            case "reset-password":
                return {"password": await players.reset_password(context, who)}
            case "remove-rating":
                await players.remove_rating(context, who, request.game)
            case "delete":
                return {"games": await players.delete(context, who)}
            case _:
                raise NotFound
        return {}
