"""The state and the events of a table in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.client.table import Event
from parlour.protocol.messages import Assessment, Moved, Room, RoomEvent
from parlour.protocol.types import Result
from parlour.terminal.text.plural import plural
from parlour.terminal.text.result import result_line
from parlour.terminal.text.times import format_countdown
from parlour.terminal.ui.table_view import TableView

SOON = 30_000  # milliseconds, from which on the first move is urgent
_OFFERS = {
    "draw": "{0} offers a draw.",
    "takeback": "{0} asks to take back the last move.",
    "rematch": "{0} offers a rematch.",
}
_OWN_OFFERS = {
    "draw": "You offered a draw.",
    "takeback": "You asked for a takeback.",
    "rematch": "You offered a rematch.",
}


def player_name(view: TableView, seat: int | None) -> str:
    """Return the name of the player in a seat."""
    if seat is None:
        return "A player"
    return view.table.players[seat].player.name


def player_names(view: TableView) -> tuple[str, ...]:
    """Return the names of the players by seat, or the names of the sides where those of the players are the same."""
    names = tuple(seated.player.name for seated in view.table.players)
    is_clear = len(set(names)) == len(names) and not view.is_hotseat
    return names if is_clear else tuple(seat.name for seat in view.board.seats)


def seat_name(view: TableView, seat: int) -> str:
    """Return the name of a side: `White`."""
    return view.board.seats[seat].name


def prompt_line(view: TableView) -> str:
    """Return the prompt for the player, or what the table is waiting for."""
    table = view.table
    mover, scene = table.scene.to_move, table.scene
    if not table.replica.in_sync:
        return "Catching up."
    if table.status == "choosing":
        if view.chooser is not None:
            return "Look at the board: who moves first?"
        return f"{player_name(view, table.replica.chooser)} looks at the board and decides who moves first."
    if mover is None:
        return scene.note or "The game is over."
    note = f"{scene.note} " if scene.note else ""
    turn = view.turn
    if view.sending:
        return "Sending your move."
    if turn is not None:
        lead = f"{note}{player_name(view, mover)} ({seat_name(view, mover)}): " if view.is_hotseat else note
        if turn.complete:
            return f"{lead}Your move is complete. Play it?"
        return f"{lead}{turn.prompt}" if turn.prompt else f"{lead}Loading your choices."
    if mover == view.seat:
        return f"{note}Your turn."
    if view.seat is None:
        return f"{note}{seat_name(view, mover)} to move: {player_name(view, mover)}."
    return f"{note}{player_name(view, mover)} is thinking."


def final_result(view: TableView) -> Result | None:
    """Return the official result: in a tournament, a player who does not begin in time has lost."""
    table, result = view.table, view.table.result
    if result is None or result.reason != "aborted" or table.tournament is None or table.ply > 1:
        return result
    return Result(1 - table.ply, "not_begun")


def outcome_line(view: TableView) -> str:
    result = final_result(view)
    if result is None:
        return ""
    words = result_line(result, player_names(view), view.card, view.seat)
    return f"{words} {rating_line(view)}".rstrip()


def rating_line(view: TableView) -> str:
    """Return how a rated game changed the ratings; empty until the server has said so."""
    ratings = view.table.ratings
    if not ratings:
        return ""
    if view.seat is not None:
        return f"Your rating: {_change(view, view.seat)}."
    changes = (f"{each.name} {_change(view, seat)}" for seat, each in enumerate(view.board.seats))
    return f"Ratings: {', '.join(changes)}."


def _change(view: TableView, seat: int) -> str:
    player, now = view.table.players[seat].player, view.table.ratings[seat]
    if player.rating is None:
        return str(now)
    return f"{now} ({now - player.rating:+d})"


def offer_line(view: TableView, kind: str, seat: int | None) -> str:
    """Return what a player offers."""
    if seat is not None and seat == view.seat:
        return _OWN_OFFERS.get(kind, f"You offered: {kind}.")
    return _OFFERS.get(kind, "{0} offers: " + kind).format(player_name(view, seat))


def own_offer_line(view: TableView, kind: str) -> str:
    """Return what the player has offered, and that the answer is awaited."""
    other = None if view.seat is None else 1 - view.seat
    return f"{offer_line(view, kind, view.seat)} {player_name(view, other)} has not answered yet."


def absence_line(view: TableView, waited: int = 0) -> str:
    """Return who is offline and when the win can be claimed; empty if the opponent is online.

    `waited`: milliseconds since the server reported it.
    """
    table, presence = view.table, view.table.presence
    if presence is None or view.seat is None or table.result is not None:
        return ""
    other = 1 - view.seat
    if presence.online[other]:
        return ""
    offline = f"{player_name(view, other)} is offline."
    if presence.claim_in is None:
        return offline
    left = max(0, presence.claim_in - waited)
    return f"{offline} You can claim the win{f' in {format_countdown(left)}' if left else ' now'}."


def deadline_line(view: TableView, waited: int = 0, soon: int = SOON) -> str:
    """Return by when the player has to make the first move; empty if there is more time than `soon`.

    `waited`: milliseconds since the server reported it.
    """
    table, presence = view.table, view.table.presence
    if presence is None or presence.abort_in is None or table.result is not None:
        return ""
    left = max(0, presence.abort_in - waited)
    if view.seat is None or table.scene.to_move != view.seat or left > soon:
        return ""
    otherwise = "the game is aborted" if table.tournament is None else "you lose the game"
    return f"Make your first move within {format_countdown(left)}, or {otherwise}."


def event_line(view: TableView, event: Event, mover: int | None = None) -> str:
    """Return an event in words; empty if it needs none.

    `mover`: the seat that was to move before the event.
    """
    match event:
        case Moved():
            note = view.table.scene.note
            return f"{_mover_name(view, mover)} played {event.move}.{' ' + note if note else ''}"
        case RoomEvent():
            return _room_event_line(view, event)
        case Room():
            return ""
        case _:
            return ""


def _mover_name(view: TableView, mover: int | None) -> str:
    if mover is None:
        return "A player"
    return "You" if mover == view.seat else seat_name(view, mover)


def _room_event_line(view: TableView, event: RoomEvent) -> str:
    who = "You" if event.seat is not None and event.seat == view.seat else player_name(view, event.seat)
    offer = event.offer or "offer"
    match event.kind:
        case "started":
            return "The game starts."
        case "chose" | "swapped":
            return f"{who} chose who moves first."
        case "offered":
            return offer_line(view, event.offer or "", event.seat)
        case "declined":
            return f"{who} declined the {offer}."
        case "withdrawn":
            return f"{who} withdrew the {offer} {'request' if offer == 'takeback' else 'offer'}."
        case "taken_back":
            left = f"{plural(event.plies or 0, 'move')} {'is' if event.plies == 1 else 'are'}"
            return f"The last move was taken back. {left} left."
        case "disconnected":
            return f"{who} went offline."
        case "reconnected":
            return f"{who} is back online."
        case "ended":
            return outcome_line(view)
        case "rematch":
            return "The rematch starts."
        case "excused":
            return "The server was unavailable for a while. The clocks were stopped."
        case "berserk":
            return f"{who} halved the clock, for an extra point."
        case "closed":
            return "The operator of the server has closed this room."
        case _:
            return ""


def review_words(seats: Sequence[str], played: str, found: Assessment, mark: str) -> str:
    """Return `Black 53 % before it; d6 looks best`: the assessment of the position in which a move was played."""
    judged = {"??": "a blunder; ", "?": "a mistake; "}.get(mark, "")
    better = "" if played == found.move else f"; {found.move} looks best"
    return f"{judged}{seats[found.seat]} {found.chance / 10:.0f} % before it{better}"


def assessment_line(seats: tuple[str, ...], found: Assessment) -> str:
    """Return `e7-d6 looks best. White has a 56 % chance of winning. Then: a4-b5 …`."""
    line = f" Then: {' '.join(found.line[1:5])}." if len(found.line) > 1 else ""
    return f"{found.move} looks best. {seats[found.seat]} has a {found.chance / 10:.0f} % chance of winning.{line}"
