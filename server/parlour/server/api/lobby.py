"""Operations on the lobby: live games, seeks, challenges and the queue."""

from __future__ import annotations

from http import HTTPStatus

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Cancel,
    Challenge,
    Lobby,
    LobbyChanged,
    Message,
    Moved,
    Ok,
    Paired,
    Queue,
    Seek,
    WatchLobby,
)  # fmt: skip
from parlour.server.api.call import Call, messages_of
from parlour.server.api.operation import NoInput, Operation
from parlour.server.api.replies import InvitationPath, LiveGames
from parlour.server.connections.line_stream import EVENTS_TYPE, NDJSON_TYPE, LineStream
from parlour.server.limits.costs import PAGE_COST
from parlour.server.pages.page_info import Invitation, invitation_of


async def get_lobby(call: Call, _: NoInput) -> Lobby:
    """Return the lobby."""
    await call.charge(messages_of(WatchLobby), {})
    return await call.node.lobby.subscribers.read()


async def list_live_games(call: Call, _: NoInput) -> LiveGames:
    """Return the games that can be watched."""
    lobby = await get_lobby(call, _)
    return LiveGames(lobby.live, lobby.featured, lobby.online)


async def follow_lobby(call: Call, _: NoInput) -> LineStream:
    """Return the lobby and its changes."""
    stream = call.follow(_nothing)
    await call.ask(WatchLobby(id=call.id), Ok)
    return stream


async def get_invitation(call: Call, wanted: InvitationPath) -> Invitation:
    """Return an invitation that is shared as a code."""
    await call.charge(1, PAGE_COST)
    return invitation_of(await call.node.lobby.seeks.invitation(wanted.code))


async def seek(call: Call, command: Seek) -> LineStream:
    """Post a seek, which is withdrawn when the stream ends."""
    stream = call.follow(_is_pairing, until_paired=True)
    await call.ask(command, Ok)
    return stream


async def queue(call: Call, command: Queue) -> LineStream:
    """Wait in the queue, until the stream ends."""
    stream = call.follow(_is_pairing, until_paired=True)
    await call.ask(command, Ok)
    return stream


def _is_pairing(message: Message | Moved) -> bool:
    return isinstance(message, Ok | Paired)


def _nothing(_: Message | Moved) -> bool:
    """Do nothing: the lobby is sent to the connection directly."""
    return False


_TERMS = (
    ErrorCode.GAME_UNKNOWN, ErrorCode.OPTION_UNKNOWN, ErrorCode.OPTION_INVALID, ErrorCode.LAYOUT_INVALID,
    ErrorCode.CLOCK_INVALID, ErrorCode.RATED_REFUSED, ErrorCode.LIMIT_REACHED, ErrorCode.ID_REUSED,
)  # fmt: skip
_ENDS = "The first line is `ok`, and the last one `paired` with the room. It is withdrawn when the connection closes."

OPERATIONS = (
    Operation(
        method="GET", path="/lobby", name="getLobby", tag="lobby", summary="Get open seeks and live games",
        input=NoInput, reply=Lobby, answer=get_lobby,
    ),
    Operation(
        method="GET", path="/lobby/stream", name="followLobby", tag="lobby", summary="Follow the lobby",
        about="The first line is the whole lobby, every further one a change. Empty lines keep the connection alive.",
        input=NoInput, reply=Lobby | LobbyChanged, formats=(NDJSON_TYPE, EVENTS_TYPE), answer=follow_lobby,
    ),
    Operation(
        method="GET", path="/live", name="listLiveGames", tag="lobby", summary="List the games that can be watched",
        input=NoInput, reply=LiveGames, answer=list_live_games,
    ),
    Operation(
        method="POST", path="/seeks", name="seek", tag="lobby", summary="Post a seek that any player can accept",
        about=_ENDS, input=Seek, reply=Ok | Paired, formats=(NDJSON_TYPE, EVENTS_TYPE), scope="challenge",
        answer=seek, codes=_TERMS,
    ),
    Operation(
        method="POST", path="/queue", name="queue", tag="lobby",
        summary="Wait for an opponent of similar strength",
        about=_ENDS, input=Queue, reply=Ok | Paired, formats=(NDJSON_TYPE, EVENTS_TYPE), scope="challenge",
        answer=queue, codes=_TERMS,
    ),
    Operation(
        method="POST", path="/challenges", name="challenge", tag="lobby",
        summary="Challenge a player by name, or anyone who has the code",
        about="`seek` of the reply is the id of the challenge, and the code.",
        input=Challenge, reply=Ok, status=HTTPStatus.CREATED, scope="challenge",
        codes=(
            *_TERMS, ErrorCode.POSITION_MALFORMED, ErrorCode.POSITION_IMPOSSIBLE, ErrorCode.PLAYER_UNKNOWN,
            ErrorCode.OWN_SEEK, ErrorCode.PLAYER_UNAVAILABLE, ErrorCode.BLOCKED_BY_YOU,
        ),
    ),
    Operation(
        method="POST", path="/seeks/{seek}/accept", name="accept", tag="lobby",
        summary="Accept a seek or a challenge",
        input=Accept, reply=Ok, scope="challenge",
        codes=(
            ErrorCode.INVITE_UNKNOWN, ErrorCode.SEEK_GONE, ErrorCode.OWN_SEEK, ErrorCode.RATING_OUT_OF_RANGE,
            ErrorCode.PLAYER_UNAVAILABLE, ErrorCode.BLOCKED_BY_YOU, ErrorCode.LIMIT_REACHED, ErrorCode.ID_REUSED,
        ),
    ),
    Operation(
        method="POST", path="/seeks/{seek}/cancel", name="cancel", tag="lobby",
        summary="Decline a challenge, or withdraw your own seek or challenge",
        input=Cancel, reply=Ok, scope="challenge",
        codes=(ErrorCode.INVITE_UNKNOWN, ErrorCode.SEEK_GONE, ErrorCode.ID_REUSED),
    ),
    Operation(
        method="GET", path="/invitations/{code}", name="getInvitation", tag="lobby",
        summary="Get an open challenge by its code",
        input=InvitationPath, reply=Invitation, answer=get_invitation, codes=(ErrorCode.INVITE_UNKNOWN,),
    ),
)  # fmt: skip
