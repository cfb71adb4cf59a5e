"""How strong players are, and what else everybody may know of them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import AskLeaders, AskPlayer, Leader, Leaders, Profile, Standings
from parlour.protocol.tables import Player
from parlour.server.rating import Rating
from parlour.server.store.players import Card
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

PAGE = 20  # lines of a leaderboard
POINTS = 300  # of a history, at most


class Profiles:
    """Answers questions about players."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.handlers: dict[type[Any], Callable[[Visitor, Any], Coroutine[Any, Any, None]]] = {
            AskPlayer: self._ask_player,
            AskLeaders: self._ask_leaders,
        }

    async def _ask_player(self, visitor: Visitor, command: AskPlayer) -> None:
        id = await self._store.players.named(command.name)
        card = None if id is None else (await self._store.players.cards([id]))[0]
        if card is None:
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"Nobody is called {command.name}.")
        related = await self._store.players.bots(card.id)
        cards = await self._store.players.cards([*related, *([] if card.owner is None else [card.owner])])
        names = [None if each is None else each.name for each in cards]
        visitor.send(
            Profile(
                id=command.id,
                player=_player(card),
                since=card.since,
                online=await self._store.players.is_online(card.id),
                ratings=await self._ratings(card.id),
                owner=None if card.owner is None else names[-1],
                bots=tuple(sorted(name for name in names[: len(related)] if name is not None)),
                playing=await self._playing(card.id),
            )
        )

    async def _ask_leaders(self, visitor: Visitor, command: AskLeaders) -> None:
        games.find(command.game)
        now = self._store.time.now()
        lines = await self._store.ratings.leaders(command.game, min(command.first, 2**31), PAGE, now)
        cards = await self._store.players.cards([line.player for line in lines])
        rows = [
            Leader(_player(card, line.rating, now), line.rating.games)
            for line, card in zip(lines, cards, strict=True)
            if card is not None
        ]
        visitor.send(Leaders(id=command.id, game=command.game, first=command.first, rows=tuple(rows)))

    async def _ratings(self, player: str) -> tuple[Standings, ...]:
        now = self._store.time.now()
        ratings = await self._store.ratings.all(player)
        return tuple([await self._standings(player, game, rating.on(now), now) for game, rating in ratings.items()])

    async def _standings(self, player: str, game: str, rating: Rating, now: int) -> Standings:
        return Standings(
            game=game,
            rating=round(rating.rating),
            deviation=round(rating.deviation),
            games=rating.games,
            won=rating.won,
            lost=rating.lost,
            drawn=rating.drawn,
            place=await self._store.ratings.place(player, game, now),
            history=thinned(await self._store.ratings.history(player, game), POINTS),
        )

    async def _playing(self, player: str) -> tuple[str, ...]:
        """The games of a player that are listed for everybody."""
        return tuple(sorted(await self._store.live.told(await self._store.playing.rooms(player))))


def thinned(points: Sequence[tuple[int, int]], most: int) -> tuple[tuple[int, int], ...]:
    """So many of the points at most, among them the first and the last, the others at about even distances."""
    if len(points) <= most:
        return tuple(points)
    return tuple(points[number * (len(points) - 1) // (most - 1)] for number in range(most))


def _player(card: Card, rating: Rating | None = None, now: int = 0) -> Player:
    number, sure = (None, True) if rating is None else rating.shown(now)
    return Player(card.name, number, sure, card.kind == "bot", card.kind == "guest")
