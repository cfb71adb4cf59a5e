"""What goes on at a table, in sentences."""

from __future__ import annotations

from parlour.client.table import Event
from parlour.client.visit.sitting import Sitting
from parlour.client.words.outcome import outcome
from parlour.client.words.times import countdown
from parlour.protocol.messages import Assessment, Happened, Moved, Room

_OFFERS = {
    "draw": "{0} offers a draw.",
    "takeback": "{0} asks to take back the last turn.",
    "rematch": "{0} would like another game.",
}
_OWN_OFFERS = {
    "draw": "You offer a draw.",
    "takeback": "You ask to take back your last turn.",
    "rematch": "You would like another game.",
}


def person(sitting: Sitting, seat: int | None) -> str:
    """The name of whoever has a seat."""
    if seat is None:
        return "Somebody"
    player = sitting.table.chairs[seat].player
    return player.name if player is not None else side(sitting, seat)


def side(sitting: Sitting, seat: int) -> str:
    """`White`."""
    return sitting.board.seats[seat].name


def guidance(sitting: Sitting) -> str:
    """The one line that tells what to do now, or what is waited for."""
    table = sitting.table
    mover, scene = table.scene.to_move, table.scene
    if not table.mirror.true:
        return "Catching up."
    if table.result is not None:
        return result_words(sitting)
    if table.status == "waiting":
        return "Waiting for the second player."
    if table.status == "choosing":
        if sitting.chooser is not None:
            return "Look at the board: who shall move first?"
        return f"{person(sitting, table.mirror.chooser)} looks at the board and says who moves first."
    if mover is None:
        return scene.note or "The game is over."
    note = f"{scene.note} " if scene.note else ""
    turn = sitting.turn
    if sitting.sending:
        return "Sending your turn."
    if turn is not None:
        lead = f"{note}{side(sitting, mover)}: " if sitting.is_shared else note
        if turn.complete:
            return f"{lead}Your turn is complete. Play it?"
        return f"{lead}{turn.prompt}" if turn.prompt else f"{lead}One moment."
    if mover == sitting.seat:
        return f"{note}Your turn."
    if sitting.seat is None:
        return f"{note}{side(sitting, mover)} to move: {person(sitting, mover)}."
    return f"{note}{person(sitting, mover)} is thinking."


def result_words(sitting: Sitting) -> str:
    result = sitting.table.result
    if result is None:
        return ""
    words = outcome(result, sitting.board.seats, sitting.card, sitting.seat)
    return f"{words} {rating_words(sitting)}".rstrip()


def rating_words(sitting: Sitting) -> str:
    """What a rated game has done to the ratings; nothing until that is known."""
    ratings = sitting.table.ratings
    if not ratings:
        return ""
    if sitting.seat is not None:
        return f"Your rating: {_change(sitting, sitting.seat)}."
    changes = (f"{each.name} {_change(sitting, seat)}" for seat, each in enumerate(sitting.board.seats))
    return f"Ratings: {', '.join(changes)}."


def _change(sitting: Sitting, seat: int) -> str:
    player, now = sitting.table.chairs[seat].player, sitting.table.ratings[seat]
    if player is None or player.rating is None:
        return str(now)
    return f"{now} ({now - player.rating:+d})"


def offer_words(sitting: Sitting, what: str, seat: int | None) -> str:
    if seat is not None and seat == sitting.seat:
        return _OWN_OFFERS.get(what, f"You offer: {what}.")
    return _OFFERS.get(what, "{0} offers: " + what).format(person(sitting, seat))


def absence_words(sitting: Sitting, waited: int = 0) -> str:
    """Who is not here, and what one can do about it; often nothing. `waited`: milliseconds since that was told."""
    table, presence = sitting.table, sitting.table.presence
    if presence is None or sitting.seat is None or table.result is not None:
        return ""
    other = 1 - sitting.seat
    if presence.online[other]:
        return ""
    gone = f"{person(sitting, other)} has lost contact."
    if presence.claim_in is None:
        return gone
    left = max(0, presence.claim_in - waited)
    return f"{gone} You can claim the win{f' in {countdown(left)}' if left else ' now'}."


def event_words(sitting: Sitting, event: Event, mover: int | None = None) -> str:
    """What has happened, for somebody who did not see it; empty where there is nothing to tell.

    `mover` is the seat that was to move before.
    """
    match event:
        case Moved():
            note = sitting.table.scene.note
            return f"{_mover_words(sitting, mover)} played {event.move}.{' ' + note if note else ''}"
        case Happened():
            return _happened(sitting, event)
        case Room():
            return ""
        case _:
            return ""


def _mover_words(sitting: Sitting, mover: int | None) -> str:
    if mover is None:
        return "Somebody"
    return "You" if mover == sitting.seat else side(sitting, mover)


def _happened(sitting: Sitting, event: Happened) -> str:
    who = "You" if event.seat is not None and event.seat == sitting.seat else person(sitting, event.seat)
    offer = {"draw": "the draw", "takeback": "to take a turn back", "rematch": "another game"}.get(
        event.offer or "", ""
    )
    match event.what:
        case "seated":
            return f"{who} sat down."
        case "started":
            return "The game begins."
        case "chose" | "swapped":
            return f"{who} chose who moves first."
        case "offered":
            return offer_words(sitting, event.offer or "", event.seat)
        case "declined":
            return f"{who} declined {offer}."
        case "withdrawn":
            return f"{who} withdrew the offer."
        case "taken_back":
            left = "1 move is" if event.plies == 1 else f"{event.plies} moves are"
            return f"The last turn was taken back. {left} left."
        case "gone":
            return f"{who} lost contact."
        case "back":
            return f"{who} is back."
        case "ended":
            return result_words(sitting)
        case "rematch":
            return "Another game begins."
        case "excused":
            return "The server was away for a while. The clock stood still."
        case _:
            return ""


def assessment_words(sitting_seats: tuple[str, ...], found: Assessment) -> str:
    """`Try e7-d6. White wins with 56 %: e7-d6 a4-b5 …`."""
    line = f" Then: {' '.join(found.line[1:5])}." if len(found.line) > 1 else ""
    return f"{found.move} looks best. {sitting_seats[found.seat]} has a chance of {found.chance / 10:.0f} %.{line}"
