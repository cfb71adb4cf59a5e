"""A table as one screen shows it: the turn that is being picked, and one local player or two (hotseat)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from parlour.client.client import Client
from parlour.client.table import Event, OfferKind, Table
from parlour.client.turn import Turn
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Choices
from parlour.protocol.scene import BoardSpec, Mark, Scene, patch
from parlour.protocol.types import GameCard, Pick
from parlour.terminal.ui.pick_names import find_pick, split_names

OFFER_KINDS: tuple[OfferKind, ...] = ("draw", "takeback", "rematch")


class LocalSeat(NamedTuple):
    """A player or spectator at this screen: their client, and its copy of the table."""

    client: Client
    table: Table


class TableView:
    """One table on one screen."""

    def __init__(self, *seats: LocalSeat) -> None:
        self.seats = seats
        self.turn: Turn | None = None  # the turn being picked; None: no player at this screen is to move
        self.sending = False
        self.on_change: Callable[[], None] = lambda: None  # called after each pick, and before and after sending
        self.refresh()

    @property
    def table(self) -> Table:
        """The table to read from."""
        return self.seats[0].table

    @property
    def client(self) -> Client:
        return self.seats[0].client

    @property
    def card(self) -> GameCard | None:
        return next((card for card in self.client.games if card.key == self.table.terms.game), None)

    @property
    def board(self) -> BoardSpec:
        return self.table.board

    @property
    def is_hotseat(self) -> bool:
        """Whether both players are at this screen."""
        return len(self.seats) > 1

    @property
    def seat(self) -> int | None:
        """The seat of the one player at this screen; None for spectators and in hotseat games."""
        return None if self.is_hotseat else self.table.seat

    @property
    def is_player(self) -> bool:
        return self.table.seat is not None

    # -- the turn being picked

    def refresh(self) -> bool:
        """Adopt the state of the table. Return whether a turn has started or ended."""
        fresh = next((turn for seat in self.seats if (turn := seat.table.turn) is not None), None)
        known = self.turn
        if fresh is not None and known is not None and fresh.starts_like(known):
            return False
        self.turn = fresh
        return fresh is not None or known is not None

    @property
    def legal_picks(self) -> tuple[Pick, ...]:
        """What may be picked now."""
        return () if self.turn is None or self.sending else self.turn.legal_picks

    @property
    def scene(self) -> Scene:
        """The scene to draw: the table with the picks so far."""
        scene, turn = self.table.scene, self.turn
        if turn is None or not turn.picks:
            return scene
        if turn.preview is not None:
            scene = patch(scene, turn.preview)
        chosen = tuple(place for place in turn.picks if place < self.board.cells)
        return scene.with_marks((*scene.marks, (Mark.CHOSEN, *chosen)), scene.note) if chosen else scene

    async def pick(self, place: int, *, confirm: bool = False) -> bool:
        """Pick a place. The last pick plays the turn, unless it needs confirmation. Return whether it was played."""
        self.add_pick(place)
        return await self.continue_turn(confirm=confirm)

    def add_pick(self, place: int) -> None:
        """Add a pick to the turn at once, so that the next key finds it there. `continue_turn` must follow."""
        if self.turn is None or self.sending:
            raise Refusal(ErrorCode.NOT_YOUR_TURN, "It is not your turn.")
        if place not in [pick.place for pick in self.turn.legal_picks]:
            name = self.board.place_name(place)
            raise Refusal(ErrorCode.MOVE_ILLEGAL, f"You cannot choose {name} now.")
        self.turn = self.turn.pick(place)
        self.on_change()

    async def continue_turn(self, *, confirm: bool = False) -> bool:
        """Ask for the next picks if they are not known, or play the turn if it is complete. Return whether it was."""
        turn = self.turn
        if turn is None or self.sending:
            return False
        if turn.unexplored:
            explored = await self._moving_table().explore(turn)
            if self.turn is not turn:
                return False  # the pick was undone in the meantime, or the turn is over
            turn = self.turn = explored
            self.on_change()
        if not turn.complete or confirm:
            return False
        await self.send()
        return True

    async def send(self) -> None:
        """Play the turn if it is complete. If the server refuses it, the turn starts again."""
        turn = self.turn
        if turn is None or not turn.complete or self.sending:
            return
        try:
            await self._play(turn)
        except Refusal:
            self.turn = None
            self.refresh()
            raise

    async def _play(self, turn: Turn | str) -> None:
        """Send a turn or a move. Nothing can be picked meanwhile."""
        if self.sending:
            raise Refusal(ErrorCode.NOT_YOUR_TURN, "Your last move is still being sent.")
        self.sending = True
        self.on_change()
        try:
            await self._moving_table().play(turn)
        finally:
            self.sending = False
            self.refresh()
            self.on_change()

    def back(self) -> bool:
        """Undo the last pick. Return False if there is none."""
        if self.turn is None or not self.turn.picks or self.sending:
            return False
        self.turn = self.turn.back()
        return True

    async def why_not(self, place: int) -> str:
        """Return why a place cannot be picked next, in the game's own words; nothing if the turn has gone on."""
        turn = self.turn
        if turn is not None:
            try:
                await self._moving_table().describe((*turn.picks, place))
            except Refusal as refused:
                if refused.code == ErrorCode.MOVE_ILLEGAL and self.turn is turn:
                    return str(refused)
        return ""

    async def last_move(self) -> str:
        """Return the last move in the game's own words; nothing if there are none, or another move follows it."""
        ply = self.table.ply
        try:
            words = await self.table.describe()
        except (Refusal, ConnectionError):
            return ""
        return words if self.table.ply == ply else ""

    @property
    def has_hints(self) -> bool:
        """Whether the computer helps while the game goes on: in casual games against it."""
        terms, opponent = self.table.terms, self.table.opponent
        return not terms.rated and self.table.tournament is None and opponent is not None and opponent.bot

    def find_pick(self, name: str) -> Pick | None:
        """Return the legal pick that a player means by a name."""
        return find_pick(self.board, self.legal_picks, name)

    async def play_text(self, text: str, *, confirm: bool = False) -> bool:
        """Play what was typed: one or more picks, or a move in the game's notation. Return whether it was played."""
        words = split_names(text)
        if words and self.find_pick(words[0]) is not None:
            before, played = self.turn, False
            for word in words:
                pick = self.find_pick(word)
                if pick is None:
                    self.turn = before
                    break
                played = await self.pick(pick.place, confirm=confirm)
            else:
                return played
        await self._play(text.strip())
        return True

    def _moving_table(self) -> Table:
        """The table of the local player who is to move."""
        for seat in self.seats:
            if seat.table.turn is not None:
                return seat.table
        return self._acting_seat().table

    # -- offers and resigning; in a hotseat game one player asks and the other agrees

    def _acting_seat(self) -> LocalSeat:
        """The local player to move, who acts for this screen."""
        for seat in self.seats:
            if seat.table.seat == self.table.scene.to_move:
                return seat
        return self.seats[0]

    async def offer(self, kind: OfferKind) -> None:
        """Make an offer. In a hotseat game the other player accepts it at once."""
        if not self.is_hotseat:
            await self.table.offer(kind)
            return
        asking = self._acting_seat().table
        agreeing = next(seat.table for seat in self.seats if seat.table is not asking)
        if kind == "takeback":
            asking, agreeing = agreeing, asking  # usually the player who is not to move has moved last
        try:
            await asking.offer(kind)
        except Refusal:
            if kind != "takeback":
                raise
            asking, agreeing = agreeing, asking
            await asking.offer(kind)
        await agreeing.answer(kind, True)

    async def answer(self, kind: OfferKind, yes: bool) -> None:
        """Accept or decline the opponent's offer."""
        await self.table.answer(kind, yes)

    @property
    def offers(self) -> list[OfferKind]:
        """The opponent's open offers."""
        if self.seat is None:
            return []
        theirs = {kind for seat, kind in self.table.offers if seat != self.seat}
        return [kind for kind in OFFER_KINDS if kind in theirs]

    @property
    def chooser(self) -> Table | None:
        """The table of the local player who decides who moves first; None if no local player does."""
        if self.table.status != "choosing":
            return None
        return next((seat.table for seat in self.seats if seat.table.seat == self.table.replica.chooser), None)

    async def choose_first(self, me: bool) -> None:
        """Decide who moves first."""
        await (self.chooser or self.table).choose_first(me)

    async def resign(self) -> None:
        await self._acting_seat().table.resign()

    # -- the table as a whole

    async def join_rematch(self) -> TableView | None:
        """Join the rematch with the same local players and return its view; None if there is no rematch."""
        room = self.table.next
        if room is None:
            return None
        return TableView(*[LocalSeat(seat.client, await seat.client.join(room)) for seat in self.seats])

    async def leave(self) -> None:
        """Leave the table. Players keep their seats."""
        await asyncio.gather(*(seat.table.leave() for seat in self.seats), return_exceptions=True)

    async def follow(self, on_event: Callable[[Event], None]) -> None:
        """Call `on_event` for every event until the table is left. Raise the error that ends the connection."""
        tasks = [
            asyncio.create_task(self._follow(seat.table, on_event, all_events=number == 0))
            for number, seat in enumerate(self.seats)
        ]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _follow(self, table: Table, on_event: Callable[[Event], None], *, all_events: bool) -> None:
        async for event in table:
            if all_events or isinstance(event, Choices):
                on_event(event)


def completions(view: TableView) -> Sequence[str]:
    """Return what can be typed now, pick by pick."""
    return [pick.label or view.board.place_name(pick.place) for pick in view.legal_picks]
