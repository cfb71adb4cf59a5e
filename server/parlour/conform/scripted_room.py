"""A room of the scripted server: the game, its numbered updates, and the commands of its players.

Nothing is sent from here. Methods that change the game return the updates to send.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from parlour import games
from parlour.games.api import Outcome
from parlour.games.choices import BUDGET, choices
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Abort, AnswerOffer, Choices, Moved, Offer, Play, Resign, Room, RoomEvent
from parlour.protocol.replica import Update
from parlour.protocol.scene import Scene, diff, scene_hash
from parlour.protocol.types import Player, Result, SeatedPlayer, Terms, TimeLeft
from parlour.protocol.update_buffer import UpdateBuffer

# The commands that change a game.
TableCommand = Play | Offer | AnswerOffer | Resign | Abort

# The scripted opponent does not end the game before this ply, so that there is time to inject a fault.
PEACEFUL_PLIES = 24


class ScriptedRoom:
    """One room. A seat without a player belongs to the scripted opponent."""

    def __init__(self, id: str, terms: Terms, players: Sequence[Player | None], budget: int = BUDGET) -> None:
        """Raise Refusal for an unknown game or option. `budget` is how many picks fit into one message.

        The clocks of a room are only shown: they do not run.
        """
        self.id = id
        self.terms = terms
        self.game = games.find(terms.game)
        self.match = Match(self.game, self.game.options(terms.options))
        self.players = tuple(players)
        self.scene = self.game.scene(self.match.state)
        self.updates: UpdateBuffer[Update] = UpdateBuffer(epoch=1, seq=1)
        self.texts: list[str] = []  # the moves so far, as text
        self.offers: set[tuple[int, str]] = set()
        self.away: set[int] = set()  # seats without a connection
        self.result: Result | None = None
        self.clocks = tuple(TimeLeft(terms.clock.main, terms.clock.count) for _ in players)
        self.clocks = () if terms.clock.kind == "none" else self.clocks
        self._budget = budget

    # -- the current state

    @property
    def to_move(self) -> int | None:
        return self.scene.to_move

    @property
    def ply(self) -> int:
        return len(self.texts)

    def whole(self, seat: int | None, id: int | None = None) -> Room:
        """Return the whole room for the player in a seat, or for a spectator."""
        return Room(
            id=id,
            room=self.id,
            epoch=self.updates.epoch,
            seq=self.updates.seq,
            hash=scene_hash(self.scene),
            board=self.game.board(self.match.options),
            scene=self.scene,
            terms=self.terms,
            players=tuple(
                SeatedPlayer(player or OPPONENT, seat not in self.away) for seat, player in enumerate(self.players)
            ),
            status="playing" if self.result is None else "over",
            moves=tuple(self.texts),
            seat=seat,
            clocks=self.clocks,
            offers=tuple(f"{owner}:{what}" for owner, what in sorted(self.offers)),
            result=self.result,
        )

    def choices(self, picks: Sequence[int] = (), id: int | None = None) -> Choices:
        """Return the choices of the seat to move after these picks. Raise Refusal for illegal picks."""
        if not self.game.steps(self.match.state, picks):
            self.game.check(self.match.state, picks)
            raise Refusal(ErrorCode.MOVE_ILLEGAL, "The turn is complete: there is nothing more to pick.")
        for made, pick in enumerate(picks):
            if pick not in self.game.steps(self.match.state, picks[:made]):
                self.game.check(self.match.state, picks)
        step, prompts = choices(self.game, self.match.state, picks, self._budget)
        return Choices(room=self.id, ply=self.ply, step=step, prompts=prompts, id=id, picks=tuple(picks))

    def lose_history(self) -> None:
        """Start a new epoch without a history, as after a restart, so that clients need the whole room."""
        self.updates = UpdateBuffer(self.updates.epoch + 1, self.updates.seq)

    # -- commands

    def carry_out(self, seat: int, command: TableCommand) -> list[Update]:
        """Change the game, and return the updates. Raise Refusal if that is not possible."""
        match command:
            case Play():
                return self.play(seat, command)
            case Offer():
                return self.offer(seat, command.kind)
            case AnswerOffer():
                return self.answer(seat, command.kind, command.accept)
            case Resign():
                return self.resign(seat)
            case Abort():
                return self.abort(seat)

    def play(self, seat: int, turn: Play) -> list[Update]:
        self.check_turn(seat, turn.ply)
        if turn.move is None and turn.picks is None:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "play: give the turn as move or as picks.")
        state = self.match.state
        picks = self.game.scan(state, turn.move) if turn.move is not None else turn.picks or ()
        return self._move(self.game.check(state, picks))

    def check_turn(self, seat: int, ply: int) -> None:
        """Raise Refusal if the seat may not move now."""
        self.check_on()
        if ply != self.ply:
            raise Refusal(ErrorCode.STALE_PLY, f"{self.ply} moves were made, not {ply}.")
        if seat != self.to_move:
            raise Refusal(ErrorCode.NOT_YOUR_TURN, "It is the other player's turn.")

    def check_on(self) -> None:
        if self.result is not None:
            raise Refusal(ErrorCode.GAME_OVER, "The game is over.")

    def opponent_turn(self, rng: Random) -> list[Update]:
        """Play a random move of the scripted opponent, if it has the move."""
        if self.to_move is None or self.players[self.to_move] is not None:
            return []
        return self.random_turn(rng)

    def random_turn(self, rng: Random) -> list[Update]:
        """Play a random move of the seat that has the move."""
        moves = list(self.game.moves(self.match.state))
        rng.shuffle(moves)
        if self.ply < PEACEFUL_PLIES:
            moves.sort(key=lambda move: self.game.outcome(self.game.apply(self.match.state, move)) is not None)
        return self._move(moves[0])

    def offer(self, seat: int, what: str) -> list[Update]:
        self.check_on()
        if what != "draw":
            raise Refusal(ErrorCode.OFFER_REFUSED, "Only a draw can be offered here.")
        if (seat, what) in self.offers:
            raise Refusal(ErrorCode.OFFER_REFUSED, "You have offered that already.")
        self.offers.add((seat, what))
        return [self._event("offered", seat, offer=what)]

    def answer(self, seat: int, what: str, yes: bool) -> list[Update]:
        self.check_on()
        own = (seat, what) in self.offers
        if not own and (1 - seat, what) not in self.offers:
            raise Refusal(ErrorCode.NOTHING_OFFERED, f"There is no offer of a {what}.")
        if yes and own:
            raise Refusal(ErrorCode.NOTHING_OFFERED, "The other player has to accept that.")
        self.offers.clear()
        if yes:
            return self._end(Result(None, "agreed"), seat)
        return [self._event("withdrawn" if own else "declined", seat, offer=what)]

    def take_back(self, plies: int) -> list[Update]:
        """Return to the position after these first moves."""
        old = self.scene
        while len(self.texts) > plies:
            self.match.take_back()
            self.texts.pop()
        self.scene = self.game.scene(self.match.state)
        self.offers.clear()
        return [self._event("taken_back", None, old=old, plies=plies)]

    def remark(self, kind: str, note: str) -> list[Update]:
        """Change the note of the scene, with an event of any kind."""
        old, self.scene = self.scene, replace(self.scene, note=note)
        return [self._event(kind, None, old=old)]

    def flag(self, seat: int) -> list[Update]:
        """End the game because the player in a seat has no time left."""
        return self._end(Result(1 - seat, "flag"))

    def resign(self, seat: int) -> list[Update]:
        self.check_on()
        return self._end(Result(1 - seat, "resigned"), seat)

    def abort(self, seat: int) -> list[Update]:
        self.check_on()
        if self.ply >= 2:
            raise Refusal(ErrorCode.TOO_LATE_TO_ABORT, "Both sides have moved: resign, or offer a draw.")
        return self._end(Result(None, "aborted"), seat)

    def disconnected(self, seat: int) -> list[Update]:
        """Note that the player in a seat has lost the connection."""
        if self.result is not None or seat in self.away:
            return []
        self.away.add(seat)
        return [self._event("disconnected", seat)]

    def reconnected(self, seat: int) -> list[Update]:
        """Note that the player in a seat has a connection again."""
        if seat not in self.away:
            return []
        self.away.remove(seat)
        return [self._event("reconnected", seat)]

    # -- the history

    def _move(self, move: tuple[int, ...]) -> list[Update]:
        before, old, mover = self.match.state, self.scene, self.scene.to_move
        text = self.game.write(before, move)
        self.match.play(move)
        self.scene = self.game.scene_after(before, move, self.match.state)
        self.texts.append(text)
        self.offers.clear()
        updates = self.updates
        left = self.clocks[mover] if self.clocks and mover is not None else None
        clock = left.main if left is not None and left.count == 0 else left
        moved = Moved(
            self.id, updates.epoch, updates.seq + 1, scene_hash(self.scene), text, clock, diff(old, self.scene)
        )
        updates.add(moved.seq, moved)
        ended = self.match.outcome
        return [moved, *(self._end(_result(ended)) if ended else ())]

    def _end(self, result: Result, seat: int | None = None) -> list[Update]:
        self.result = result
        old, self.scene = self.scene, _stopped(self.scene)
        return [self._event("ended", seat, result=result, old=old)]

    def _event(
        self,
        what: str,
        seat: int | None,
        offer: str | None = None,
        result: Result | None = None,
        old: Scene | None = None,
        plies: int | None = None,
    ) -> RoomEvent:
        updates = self.updates
        change = diff(old, self.scene) if old is not None and old != self.scene else None
        update = RoomEvent(
            room=self.id,
            epoch=updates.epoch,
            seq=updates.seq + 1,
            hash=scene_hash(self.scene),
            kind=what,
            seat=seat,
            offer=offer,
            status="over" if result else None,
            result=result,
            plies=plies,
            change=change,
        )
        updates.add(update.seq, update)
        return update


OPPONENT = Player("Scripted opponent", bot=True)


def _result(outcome: Outcome) -> Result:
    return Result(outcome.winner, outcome.reason, outcome.scores)


def _stopped(scene: Scene) -> Scene:
    """Return the scene of a game that is over, in which no seat is to move."""
    return Scene(scene.pieces, scene.tallies, None, scene.marks, scene.note)
