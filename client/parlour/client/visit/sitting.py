"""You at a table, with the turn that you are choosing; or two people at one screen, with a seat each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from parlour.client.parlour import Parlour
from parlour.client.table import Event, Table, What
from parlour.client.turn import Turn
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Choices
from parlour.protocol.scene import BoardSpec, Mark, Scene, patch
from parlour.protocol.tables import GameCard, Pick

KINDS: tuple[What, ...] = ("draw", "takeback", "rematch")


class Seat(NamedTuple):
    """One connection, and its view of the table."""

    parlour: Parlour
    table: Table


class Sitting:
    """One table as one screen shows it."""

    def __init__(self, *seats: Seat) -> None:
        self.seats = seats
        self.turn: Turn | None = None  # what the player at this screen is choosing; None: it is not their turn
        self.sending = False
        self.on_change: Callable[[], None] = lambda: (
            None
        )  # called after each pick, and when a turn is sent and has arrived
        self.settle()

    @property
    def table(self) -> Table:
        """The one to read from."""
        return self.seats[0].table

    @property
    def parlour(self) -> Parlour:
        return self.seats[0].parlour

    @property
    def card(self) -> GameCard | None:
        return next((card for card in self.parlour.games if card.key == self.table.terms.game), None)

    @property
    def board(self) -> BoardSpec:
        return self.table.board

    @property
    def is_shared(self) -> bool:
        """Whether both seats are at this screen."""
        return len(self.seats) > 1

    @property
    def seat(self) -> int | None:
        """Whose side the screen is on; None: nobody's, since you watch or both are here."""
        return None if self.is_shared else self.table.seat

    @property
    def is_player(self) -> bool:
        return self.table.seat is not None

    # -- the turn that is being chosen

    def settle(self) -> bool:
        """Take up what has changed at the table; whether another turn has begun, or one has ended."""
        fresh = next((turn for seat in self.seats if (turn := seat.table.turn) is not None), None)
        known = self.turn
        if fresh is not None and known is not None and fresh.stops[0].step is known.stops[0].step:
            return False
        self.turn = fresh
        return fresh is not None or known is not None

    @property
    def offered(self) -> tuple[Pick, ...]:
        """What may be picked now."""
        return () if self.turn is None or self.sending else self.turn.offered

    @property
    def scene(self) -> Scene:
        """What to draw: the table with the picks made so far."""
        scene, turn = self.table.scene, self.turn
        if turn is None or not turn.picks:
            return scene
        if turn.look is not None:
            scene = patch(scene, turn.look)
        chosen = tuple(place for place in turn.picks if place < self.board.cells)
        return scene.with_marks((*scene.marks, (Mark.CHOSEN, *chosen)), scene.note) if chosen else scene

    async def pick(self, place: int, *, confirm: bool = False) -> bool:
        """Pick one more place. The last one plays the turn, unless it is to be confirmed; whether it was played."""
        if self.turn is None or self.sending:
            raise Refusal(ErrorCode.NOT_YOUR_TURN, "It is not your turn.")
        if place not in [pick.place for pick in self.turn.offered]:
            name = self.board.place_name(place)
            raise Refusal(ErrorCode.MOVE_ILLEGAL, f"{name} cannot be chosen now.")
        turn = self.turn = self.turn.pick(place)
        self.on_change()
        if turn.unexplored:
            explored = await self._mover().explore(turn)
            if self.turn is not turn:
                return False  # it was taken back meanwhile, or the turn is over
            turn = self.turn = explored
            self.on_change()
        if not turn.complete or confirm:
            return False
        await self.send()
        return True

    async def send(self) -> None:
        """Play the turn, which is complete. If it is refused, the turn begins anew."""
        turn = self.turn
        if turn is None or not turn.complete or self.sending:
            return
        try:
            await self._play(turn)
        except Refusal:
            self.turn = None
            self.settle()
            raise

    async def _play(self, turn: Turn | str) -> None:
        """While it is on its way nothing can be picked."""
        if self.sending:
            raise Refusal(ErrorCode.NOT_YOUR_TURN, "Your last turn is still on its way.")
        self.sending = True
        self.on_change()
        try:
            await self._mover().play(turn)
        finally:
            self.sending = False
            self.settle()
            self.on_change()

    def back(self) -> bool:
        """Take the last pick back; False if there is none."""
        if self.turn is None or not self.turn.picks or self.sending:
            return False
        self.turn = self.turn.back()
        return True

    def restart(self) -> bool:
        """Take all picks back; False if there are none."""
        if self.turn is None or not self.turn.picks or self.sending:
            return False
        self.turn = self.turn.back(0)
        return True

    def named(self, word: str) -> Pick | None:
        """The pick on offer that somebody calls so: `e4`, `bar of 5` or only `5`, `+3`."""
        word = word.lower()
        for pick in self.offered:
            names = (self.board.place_name(pick.place).lower(), pick.label.lower())
            if any(f" {name}".endswith(f" {word}") for name in names if name):
                return pick
        return None

    async def typed(self, text: str, *, confirm: bool = False) -> bool:
        """Do what was typed: a pick, several picks, or a whole turn as the game writes it; whether it was played."""
        words = text.replace(",", " ").split()
        if words and all(len(word) < 12 for word in words) and self.named(words[0]) is not None:
            before, played = self.turn, False
            for word in words:
                pick = self.named(word)
                if pick is None:
                    self.turn = before
                    break
                played = await self.pick(pick.place, confirm=confirm)
            else:
                return played
        await self._play(text.strip())
        return True

    def _mover(self) -> Table:
        """The table of whoever is to move, if that is somebody here."""
        for seat in self.seats:
            if seat.table.turn is not None:
                return seat.table
        return self._acting().table

    # -- around the board; where both are here, one asks and the other agrees

    def _acting(self) -> Seat:
        """Who does what somebody at this screen wants done."""
        for seat in self.seats:
            if seat.table.seat == self.table.scene.to_move:
                return seat
        return self.seats[0]

    async def offer(self, what: What) -> None:
        """Offer, or agree at once if both are here."""
        if not self.is_shared:
            await self.table.offer(what)
            return
        asking = self._acting().table
        agreeing = next(seat.table for seat in self.seats if seat.table is not asking)
        if what == "takeback":
            asking, agreeing = agreeing, asking  # who is to move has not moved last, or not alone
        try:
            await asking.offer(what)
        except Refusal:
            if what != "takeback":
                raise
            asking, agreeing = agreeing, asking
            await asking.offer(what)
        await agreeing.answer(what, True)

    async def answer(self, what: What, yes: bool) -> None:
        """Accept or decline what the opponent has offered."""
        await self.table.answer(what, yes)

    @property
    def offers(self) -> list[What]:
        """What the opponent has offered."""
        if self.seat is None:
            return []
        theirs = {what for seat, what in self.table.offers if seat != self.seat}
        return [what for what in KINDS if what in theirs]

    @property
    def chooser(self) -> Table | None:
        """The table of whoever is here and may say who moves first; None: nobody here may."""
        if self.table.status != "choosing":
            return None
        return next((seat.table for seat in self.seats if seat.table.seat == self.table.mirror.chooser), None)

    async def choose_first(self, me: bool) -> None:
        """Say who moves first."""
        await (self.chooser or self.table).choose_first(me)

    async def resign(self) -> None:
        await self._acting().table.resign()

    async def follow(self) -> Sitting | None:
        """The same people at the table of the rematch; None if there is none."""
        room = self.table.next
        if room is None:
            return None
        return Sitting(*[Seat(seat.parlour, await seat.parlour.join(room)) for seat in self.seats])

    async def leave(self) -> None:
        """Get up. Players keep their seats."""
        await asyncio.gather(*(seat.table.leave() for seat in self.seats), return_exceptions=True)

    async def listen(self, tell: Callable[[Event], None]) -> None:
        """Tell everything that happens at the table, until it is left; raises what the connection ends with."""
        hearing = [
            asyncio.create_task(self._hear(seat.table, tell, whole=number == 0))
            for number, seat in enumerate(self.seats)
        ]
        try:
            await asyncio.gather(*hearing)
        finally:
            for task in hearing:
                task.cancel()

    async def _hear(self, table: Table, tell: Callable[[Event], None], *, whole: bool) -> None:
        async for event in table:
            if whole or isinstance(event, Choices):
                tell(event)


def completions(sitting: Sitting) -> Sequence[str]:
    """What can be typed now, pick by pick."""
    return [pick.label or sitting.board.place_name(pick.place) for pick in sitting.offered]
