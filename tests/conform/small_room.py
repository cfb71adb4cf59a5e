"""A room of the small server: with running clocks, all offers, and a choice of who moves first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from parlour.conform.scripted_room import OPPONENT, ScriptedRoom
from parlour.games.choices import BUDGET
from parlour.protocol.clock import time_left, turn_limit
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Play, Room
from parlour.protocol.replica import Update
from parlour.protocol.types import Player, Result, SeatedPlayer, Terms, TimeLeft

CLOCKS = ("none", "move", "fischer", "byoyomi")


class SmallRoom(ScriptedRoom):
    """A room that knows the time, in seconds."""

    claim_after = 2.0

    def __init__(
        self,
        id: str,
        terms: Terms,
        players: Sequence[Player | None],
        time: Callable[[], float],
        budget: int = BUDGET,
        chooser: int | None = None,
    ) -> None:
        clock = terms.clock
        if (
            clock.kind not in CLOCKS
            or (clock.kind != "none" and not clock.main)
            or (clock.kind == "byoyomi" and not clock.count)
        ):
            raise Refusal(ErrorCode.CLOCK_INVALID, "There is no such clock.")
        self.chooser = chooser
        super().__init__(id, terms, players, budget)
        self.next: str | None = None
        self.movers: list[int] = []
        self.offline_since: dict[int, float] = {}
        self.turn_began = time()
        self._time = time

    @property
    def to_move(self) -> int | None:
        return super().to_move if self.chooser is None else None

    @property
    def status(self) -> str:
        return "over" if self.result else "choosing" if self.chooser is not None else "playing"

    def whole(self, seat: int | None, id: int | None = None) -> Room:
        return replace(super().whole(seat, id), status=self.status, chooser=self.chooser, next=self.next)

    def check_on(self) -> None:
        super().check_on()
        if self.chooser is not None:
            raise Refusal(ErrorCode.GAME_NOT_STARTED, "It is not yet chosen who moves first.")

    # -- clocks

    @property
    def flag_in(self) -> float | None:
        """The seconds until the flag of the seat to move falls; None without a running clock."""
        if not self.clocks or self.to_move is None or self.ply < 2 or self.result is not None:
            return None
        elapsed = self._time() - self.turn_began
        return turn_limit(self.terms.clock, self.clocks[self.to_move]) / 1000 - elapsed

    def play(self, seat: int, turn: Play) -> list[Update]:
        self.check_turn(seat, turn.ply)
        clocks = self.clocks
        if clocks:
            self.clocks = tuple(self.after_turn(left) if seat == each else left for each, left in enumerate(clocks))
        try:
            updates = super().play(seat, turn)
        except Refusal:
            self.clocks = clocks
            raise
        self.movers.append(seat)
        self.turn_began = self._time()
        return updates

    def after_turn(self, left: TimeLeft) -> TimeLeft:
        """Return what the player who moves has left afterwards."""
        clock = self.terms.clock
        if clock.kind == "move":
            return TimeLeft(clock.main)
        elapsed = int((self._time() - self.turn_began) * 1000) if self.ply >= 2 else 0
        shown = time_left(clock, left, elapsed)
        return TimeLeft(shown.main + (clock.step if clock.kind == "fischer" else 0), shown.count)

    def claim_in(self, seat: int) -> int | None:
        """Return the milliseconds until a seat may claim the win."""
        since = self.offline_since.get(1 - seat)
        if since is None or self.status != "playing":
            return None
        return max(0, round((since + self.claim_after - self._time()) * 1000))

    def claim(self, seat: int) -> list[Update]:
        self.check_on()
        if self.claim_in(seat) != 0:
            raise Refusal(ErrorCode.CANNOT_CLAIM, "The opponent is connected, or has just gone.")
        return self._end(Result(seat, "abandoned"), seat)

    # -- offers

    def offer(self, seat: int, what: str) -> list[Update]:
        if what == "rematch" and self.result is None:
            raise Refusal(ErrorCode.OFFER_REFUSED, "The game goes on.")
        if what != "rematch":
            self.check_on()
        if what == "takeback" and seat not in self.movers:
            raise Refusal(ErrorCode.OFFER_REFUSED, "You have not moved.")
        self.offers.add((seat, what))
        return [self._event("offered", seat, offer=what)]

    def answer(self, seat: int, what: str, yes: bool) -> list[Update]:
        if not yes or (1 - seat, what) not in self.offers:
            own = (seat, what) in self.offers
            if yes or not (own or (1 - seat, what) in self.offers):
                raise Refusal(ErrorCode.NOTHING_OFFERED, f"There is no offer of a {what}.")
            self.offers.clear()
            return [self._event("withdrawn" if own else "declined", seat, offer=what)]
        self.offers.clear()
        if what == "draw":
            return self._end(Result(None, "agreed"), seat)
        if what == "takeback":
            plies = max(ply for ply, mover in enumerate(self.movers) if mover == 1 - seat)
            del self.movers[plies:]
            return self.take_back(plies)
        self.next = f"{self.id}-again"
        return [replace(self._event("rematch", seat), next=self.next)]

    def choose_first(self, seat: int, go_first: bool) -> list[Update]:
        if self.chooser != seat:
            raise Refusal(ErrorCode.OFFER_REFUSED, "It is not for you to choose.")
        self.chooser = None
        swapped = go_first != (seat == 0)
        if swapped:
            self.players = self.players[::-1]
        players = tuple(SeatedPlayer(player or OPPONENT, online=True) for player in self.players)
        chosen = replace(self._event("swapped" if swapped else "chose", seat), players=players)
        return [chosen, replace(self._event("started", None), status="playing")]
