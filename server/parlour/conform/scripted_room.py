"""A game of the scripted server: the match, its numbered updates, and what may be done at the table.

Nothing is sent from here. Whatever changes the game gives back the updates to send, already numbered and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from parlour import games
from parlour.games.api import Outcome
from parlour.games.choices import BUDGET, choices
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.feed import Feed
from parlour.protocol.messages import Choices, Happened, Moved, Play, Room
from parlour.protocol.mirror import Update
from parlour.protocol.scene import Scene, diff, scene_hash
from parlour.protocol.tables import Chair, Player, Result, Terms

# Until this ply the scripted opponent does not end the game, so that there is time for everything to happen.
PEACEFUL_PLIES = 24


class ScriptedRoom:
    """One table. A seat without a player belongs to the scripted opponent."""

    def __init__(self, id: str, terms: Terms, players: Sequence[Player | None], budget: int = BUDGET) -> None:
        """Refuses a game or options that do not exist. `budget`: how many picks fit into one message."""
        self.id = id
        self.terms = terms
        self.game = games.find(terms.game)
        self.match = Match(self.game, self.game.options(terms.options))
        self.players = tuple(players)
        self.scene = self.game.scene(self.match.state)
        self.feed: Feed[Update] = Feed(epoch=1, seq=1)
        self.texts: list[str] = []  # the moves so far
        self.offers: set[tuple[int, str]] = set()
        self.away: set[int] = set()  # seats without a connection
        self.result: Result | None = None
        self._budget = budget

    # -- as it stands

    @property
    def to_move(self) -> int | None:
        return self.scene.to_move

    @property
    def ply(self) -> int:
        return len(self.texts)

    def whole(self, seat: int | None, id: int | None = None) -> Room:
        """The room for who sits there, or watches."""
        return Room(
            id=id,
            room=self.id,
            epoch=self.feed.epoch,
            seq=self.feed.seq,
            hash=scene_hash(self.scene),
            board=self.game.board(self.match.options),
            scene=self.scene,
            terms=self.terms,
            chairs=tuple(Chair(player or OPPONENT, seat not in self.away) for seat, player in enumerate(self.players)),
            status="playing" if self.result is None else "over",
            moves=tuple(self.texts),
            seat=seat,
            offers=tuple(f"{owner}:{what}" for owner, what in sorted(self.offers)),
            result=self.result,
        )

    def choices(self, picks: Sequence[int] = (), id: int | None = None) -> Choices:
        """What the seat to move may pick after these picks; refuses picks that lead nowhere."""
        if not self.game.steps(self.match.state, picks):
            self.game.check(self.match.state, picks)
            raise Refusal(ErrorCode.MOVE_ILLEGAL, "The turn is complete: there is nothing more to pick.")
        for made, pick in enumerate(picks):
            if pick not in self.game.steps(self.match.state, picks[:made]):
                self.game.check(self.match.state, picks)
        step, prompts = choices(self.game, self.match.state, picks, self._budget)
        return Choices(room=self.id, ply=self.ply, step=step, prompts=prompts, id=id, picks=tuple(picks))

    def lose_history(self) -> None:
        """As after a restart: a new epoch, and who has missed anything needs the whole room."""
        self.feed = Feed(self.feed.epoch + 1, self.feed.seq)

    # -- what players do

    def play(self, seat: int, turn: Play) -> list[Update]:
        self.check_turn(seat, turn.ply)
        if turn.move is None and turn.picks is None:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "play: give the turn as move or as picks.")
        state = self.match.state
        picks = self.game.scan(state, turn.move) if turn.move is not None else turn.picks or ()
        return self._move(self.game.check(state, picks))

    def check_turn(self, seat: int, ply: int) -> None:
        """Refuses who may not move now."""
        self.check_on()
        if ply != self.ply:
            raise Refusal(ErrorCode.STALE_PLY, f"{self.ply} moves were made, not {ply}.")
        if seat != self.to_move:
            raise Refusal(ErrorCode.NOT_YOUR_TURN, "It is the other player's turn.")

    def check_on(self) -> None:
        if self.result is not None:
            raise Refusal(ErrorCode.GAME_OVER, "The game is over.")

    def opponent_turn(self, rng: Random) -> list[Update]:
        """Any move of the scripted opponent; none if it does not have the move any more."""
        if self.to_move is None or self.players[self.to_move] is not None:
            return []
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
        return [self._happened("offered", seat, offer=what)]

    def answer(self, seat: int, what: str, yes: bool) -> list[Update]:
        self.check_on()
        own = (seat, what) in self.offers
        if not own and (1 - seat, what) not in self.offers:
            raise Refusal(ErrorCode.NOTHING_OFFERED, f"Nobody has offered a {what}.")
        if yes and own:
            raise Refusal(ErrorCode.NOTHING_OFFERED, "The other player has to accept that.")
        self.offers.clear()
        if yes:
            return self._end(Result(None, "agreed"), seat)
        return [self._happened("withdrawn" if own else "declined", seat, offer=what)]

    def resign(self, seat: int) -> list[Update]:
        self.check_on()
        return self._end(Result(1 - seat, "resigned"), seat)

    def abort(self, seat: int) -> list[Update]:
        self.check_on()
        if self.ply >= 2:
            raise Refusal(ErrorCode.TOO_LATE_TO_ABORT, "Both sides have moved: resign, or offer a draw.")
        return self._end(Result(None, "aborted"), seat)

    def gone(self, seat: int) -> list[Update]:
        """The player there has no connection any more."""
        if self.result is not None or seat in self.away:
            return []
        self.away.add(seat)
        return [self._happened("gone", seat)]

    def back(self, seat: int) -> list[Update]:
        """The player there has a connection again."""
        if seat not in self.away:
            return []
        self.away.remove(seat)
        return [self._happened("back", seat)]

    # -- how it goes into the history

    def _move(self, move: tuple[int, ...]) -> list[Update]:
        before, old = self.match.state, self.scene
        text = self.game.write(before, move)
        self.match.play(move)
        self.scene = self.game.scene_after(before, move, self.match.state)
        self.texts.append(text)
        self.offers.clear()
        feed = self.feed
        moved = Moved(self.id, feed.epoch, feed.seq + 1, scene_hash(self.scene), text, None, diff(old, self.scene))
        feed.add(moved.seq, moved)
        ended = self.match.outcome
        return [moved, *(self._end(_result(ended)) if ended else ())]

    def _end(self, result: Result, seat: int | None = None) -> list[Update]:
        self.result = result
        old, self.scene = self.scene, _stopped(self.scene)
        return [self._happened("ended", seat, result=result, old=old)]

    def _happened(
        self,
        what: str,
        seat: int | None,
        offer: str | None = None,
        result: Result | None = None,
        old: Scene | None = None,
    ) -> Happened:
        feed = self.feed
        change = diff(old, self.scene) if old is not None and old != self.scene else None
        update = Happened(
            room=self.id,
            epoch=feed.epoch,
            seq=feed.seq + 1,
            hash=scene_hash(self.scene),
            what=what,
            seat=seat,
            offer=offer,
            status="over" if result else None,
            result=result,
            change=change,
        )
        feed.add(update.seq, update)
        return update


OPPONENT = Player("Scripted opponent", bot=True)


def _result(outcome: Outcome) -> Result:
    return Result(outcome.winner, outcome.reason, outcome.scores)


def _stopped(scene: Scene) -> Scene:
    """A game that is over gives the move to nobody, however it ended."""
    return Scene(scene.pieces, scene.tallies, None, scene.marks, scene.note)
