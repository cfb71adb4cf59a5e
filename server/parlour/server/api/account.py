"""Operations on the player of a token: create guests and tokens, follow the player's events."""

from __future__ import annotations

from http import HTTPStatus

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Announced,
    ChallengeClosed,
    Challenged,
    CreateToken,
    Hello,
    Join,
    Message,
    Moved,
    Ok,
    Paired,
    SignedIn,
    SignOut,
    YourGame,
)  # fmt: skip
from parlour.protocol.types import Player
from parlour.server.api.call import Call, messages_of
from parlour.server.api.operation import NoInput, Operation
from parlour.server.api.replies import Me, NewGuest, Token
from parlour.server.connections.line_stream import EVENTS_TYPE, NDJSON_TYPE, LineStream
from parlour.server.limits.costs import games_cost


async def create_guest(call: Call, wanted: NewGuest) -> Token:
    """Create a guest."""
    identity = await call.node.accounts.identify(call.session, Hello(name=wanted.name))
    return Token(Player(identity.player.name, guest=True), identity.token)


async def get_me(call: Call, _: NoInput) -> Me:
    """Return the player of the token."""
    session = call.session
    await call.charge(messages_of(Join), games_cost(await call.node.lobby.room_factory.seats(session.player)))
    scopes = None if session.scopes is None else tuple(sorted(session.scopes))
    rooms = await call.node.lobby.room_factory.running_games(session.player)
    return Me(session.as_player(), scopes, tuple(room.id for room in rooms))


async def follow_me(call: Call, _: NoInput) -> LineStream:
    """Stream the player's events: invitations, games that begin, turns."""
    return call.follow(_concerns_player)


def _concerns_player(message: Message | Moved) -> bool:
    return isinstance(message, Paired | Challenged | ChallengeClosed | YourGame | Announced)


OPERATIONS = (
    Operation(
        method="POST", path="/guests", name="createGuest", tag="account", summary="Become a guest, and get a token",
        input=NewGuest, reply=Token, status=HTTPStatus.CREATED, answer=create_guest,
        codes=(ErrorCode.NAME_TAKEN, ErrorCode.NAME_REFUSED, ErrorCode.TOO_MANY_NAMES),
    ),
    Operation(
        method="POST", path="/tokens", name="createToken", tag="account", scope="account",
        summary="Create a token of this account or bot that is limited to some scopes",
        input=CreateToken, reply=SignedIn, status=HTTPStatus.CREATED, codes=(ErrorCode.ACCOUNT_NEEDED,),
    ),
    Operation(
        method="POST", path="/tokens/revoke", name="revokeToken", tag="account", scope="any",
        summary="Revoke the token of this request, or all tokens of the player",
        about="A guest whose token is revoked cannot return.",
        input=SignOut, reply=Ok,
    ),
    Operation(
        method="GET", path="/me", name="getMe", tag="account", scope="any", summary="Get the player of the token",
        input=NoInput, reply=Me, answer=get_me,
    ),
    Operation(
        method="GET", path="/me/stream", name="followMe", tag="account", scope="read",
        summary="Follow what concerns the player: games that begin, challenges, turns in other games",
        input=NoInput, reply=Paired | Challenged | ChallengeClosed | YourGame | Announced,
        formats=(NDJSON_TYPE, EVENTS_TYPE), answer=follow_me,
    ),
)  # fmt: skip
