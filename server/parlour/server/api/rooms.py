"""Operations on one game: follow it and play it."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Abort,
    Announced,
    AnswerOffer,
    Assess,
    Assessment,
    ChooseFirst,
    Claim,
    Closing,
    Create,
    Join,
    Message,
    Moved,
    Offer,
    Ok,
    Play,
    Presence,
    Rated,
    Resign,
    Room,
    RoomEvent,
    Said,
    Say,
)  # fmt: skip
from parlour.server.api.call import Call, messages_of
from parlour.server.api.operation import Operation
from parlour.server.api.replies import AssessRoom, LegalMoves, RoomPath
from parlour.server.connections.line_stream import EVENTS_TYPE, NDJSON_TYPE, LineStream
from parlour.server.limits.costs import PAGE_COST
from parlour.server.rooms.state import RoomState

MOST_MOVES = 1000  # that are listed
FOLLOWED = (Room, Moved, RoomEvent, Presence, Said, Rated, Announced, Closing)  # what the lines of a stream are


async def get_room(call: Call, wanted: RoomPath) -> Room:
    """Return a room as the player of the request, or a spectator, may see it."""
    await call.charge(messages_of(Join), {})
    room = await call.node.registry.open(wanted.room)
    reply = call.session.expect(0)
    room.subscribers.send_snapshot(call.session, 0)
    snapshot = reply.result()
    assert isinstance(snapshot, Room)
    return snapshot


async def list_moves(call: Call, wanted: RoomPath) -> LegalMoves:
    """Return the legal moves in a room."""
    await call.charge(1, PAGE_COST)
    room = await call.node.registry.open(wanted.room)
    state, _ = room.subscribers.view(call.session)
    if state.to_move is None:
        return LegalMoves(state.ply, None, ())
    moves, more = await call.node.compute.run(call.asked.address, partial(_legal_moves, state))
    return LegalMoves(state.ply, state.to_move, moves, more)


def _legal_moves(state: RoomState) -> tuple[tuple[str, ...], bool]:
    moves = state.rules.moves(state.state)
    return tuple(state.rules.write(state.state, move) for move in moves[:MOST_MOVES]), len(moves) > MOST_MOVES


async def follow_room(call: Call, wanted: RoomPath) -> LineStream:
    """Return what happens in a room from now on, as WebSocket clients get it. A player who follows it is present."""
    stream = call.follow(_is_about_room)
    await call.ask(Join(id=call.id, room=wanted.room), Room)
    return stream


def _is_about_room(message: Message | Moved) -> bool:
    return isinstance(message, FOLLOWED)


async def assess_room(call: Call, wanted: AssessRoom) -> Assessment:
    """Return the computer's assessment of a position of a game."""
    return await call.ask(Assess(id=call.id, room=wanted.room, ply=wanted.ply), Assessment)


_SEES = (ErrorCode.ROOM_UNKNOWN, ErrorCode.RULES_UNSUPPORTED)
_PLAYS = (*_SEES, ErrorCode.NOT_A_PLAYER, ErrorCode.GAME_OVER, ErrorCode.ID_REUSED)
_OFFERS = (*_PLAYS, ErrorCode.OFFER_REFUSED, ErrorCode.NOTHING_OFFERED, ErrorCode.GAME_NOT_STARTED)

OPERATIONS = (
    Operation(
        method="POST", path="/rooms", name="createRoom", tag="rooms",
        summary="Create a game in which the computer has one seat or both",
        input=Create, reply=Ok, status=HTTPStatus.CREATED, scope="challenge",
        codes=(
            ErrorCode.GAME_UNKNOWN, ErrorCode.LEVEL_UNKNOWN, ErrorCode.OPTION_UNKNOWN, ErrorCode.OPTION_INVALID,
            ErrorCode.LAYOUT_INVALID, ErrorCode.CLOCK_INVALID, ErrorCode.POSITION_MALFORMED,
            ErrorCode.POSITION_IMPOSSIBLE, ErrorCode.RATED_REFUSED, ErrorCode.LIMIT_REACHED, ErrorCode.ID_REUSED,
        ),
    ),
    Operation(
        method="GET", path="/rooms/{room}", name="getRoom", tag="rooms",
        summary="Get a game as it is now: board, moves, clocks, offers",
        input=RoomPath, reply=Room, answer=get_room, codes=_SEES,
    ),
    Operation(
        method="GET", path="/rooms/{room}/stream", name="followRoom", tag="rooms",
        summary="Follow a game",
        about=(
            "The first line is the whole room; a line follows for each move, event and line of chat. Empty lines keep "
            "the connection alive. With a token, the player is present in the game for as long as the stream is open."
        ),
        input=RoomPath, reply=FOLLOWED, formats=(NDJSON_TYPE, EVENTS_TYPE), answer=follow_room,
        codes=(*_SEES, ErrorCode.ROOM_FULL),
    ),
    Operation(
        method="GET", path="/rooms/{room}/moves", name="listMoves", tag="rooms",
        summary="List the legal moves in a game, at most 1000",
        input=RoomPath, reply=LegalMoves, answer=list_moves, codes=_SEES,
    ),
    Operation(
        method="GET", path="/rooms/{room}/assessment", name="assessRoom", tag="rooms", scope="read",
        summary="Have the computer assess a position of a game",
        about="During a game only a player against the computer may ask, and only about the current position.",
        input=AssessRoom, reply=Assessment, answer=assess_room,
        codes=(
            *_SEES, ErrorCode.HINT_REFUSED, ErrorCode.STALE_PLY, ErrorCode.GAME_OVER, ErrorCode.GAME_NOT_STARTED,
            ErrorCode.COMPUTER_BUSY,
        ),
    ),
    Operation(
        method="POST", path="/rooms/{room}/moves", name="play", tag="rooms", summary="Play a move", scope="play",
        input=Play, reply=Ok,
        codes=(
            *_PLAYS, ErrorCode.NOT_YOUR_TURN, ErrorCode.STALE_PLY, ErrorCode.MOVE_MALFORMED, ErrorCode.MOVE_ILLEGAL,
            ErrorCode.GAME_NOT_STARTED,
        ),
    ),
    Operation(
        method="POST", path="/rooms/{room}/first", name="chooseFirst", tag="rooms", scope="play",
        summary="Decide who moves first, where the player who did not choose the board decides",
        input=ChooseFirst, reply=Ok, codes=(*_PLAYS, ErrorCode.NOT_YOUR_TURN, ErrorCode.GAME_NOT_STARTED),
    ),
    Operation(
        method="POST", path="/rooms/{room}/offers", name="offer", tag="rooms", scope="play",
        summary="Offer a draw, ask to take back the last turn, or offer a rematch",
        input=Offer, reply=Ok, codes=(*_OFFERS, ErrorCode.PLAYER_UNAVAILABLE, ErrorCode.BLOCKED_BY_YOU),
    ),
    Operation(
        method="POST", path="/rooms/{room}/offers/{kind}", name="answerOffer", tag="rooms", scope="play",
        summary="Accept or decline an offer, or withdraw your own",
        input=AnswerOffer, reply=Ok, codes=(*_OFFERS, ErrorCode.PLAYER_UNAVAILABLE, ErrorCode.BLOCKED_BY_YOU),
    ),
    Operation(
        method="POST", path="/rooms/{room}/resign", name="resign", tag="rooms", summary="Resign a game", scope="play",
        input=Resign, reply=Ok, codes=(*_PLAYS, ErrorCode.GAME_NOT_STARTED),
    ),
    Operation(
        method="POST", path="/rooms/{room}/abort", name="abort", tag="rooms", scope="play",
        summary="Abort a game before both players have moved",
        input=Abort, reply=Ok, codes=(*_PLAYS, ErrorCode.TOO_LATE_TO_ABORT),
    ),
    Operation(
        method="POST", path="/rooms/{room}/claim", name="claim", tag="rooms", scope="play",
        summary="Claim the win after the opponent has been away for long enough",
        input=Claim, reply=Ok, codes=(*_PLAYS, ErrorCode.CANNOT_CLAIM, ErrorCode.GAME_NOT_STARTED),
    ),
    Operation(
        method="POST", path="/rooms/{room}/chat", name="say", tag="rooms", scope="play",
        summary="Say something to everyone in a game",
        input=Say, reply=Ok,
        codes=(*_SEES, ErrorCode.TEXT_REFUSED, ErrorCode.MUTED, ErrorCode.PLAYER_UNAVAILABLE, ErrorCode.ID_REUSED),
    ),
)  # fmt: skip
