"""A short conversation that shows everything a client must be able to do, including a reconnect."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from parlour import games
from parlour.games.choices import choices
from parlour.games.match import Match
from parlour.games.perft import random_move
from parlour.protocol.codec import MAX_MESSAGE_SIZE
from parlour.protocol.messages import Choices, Create, Cursor, Hello, Join, Moved, Ok, Play, Room, Welcome
from parlour.protocol.scene import Scene, diff, scene_hash
from parlour.protocol.types import Player, SeatedPlayer, Terms
from publish.sample_games import EPOCH
from publish.sample_people import NOW, ROOM
from publish.samples import SESSION, TOKEN, game_card

CLIENT = "example 1.0"
GAME = "mapello"

LOST = "— the connection is lost before the answer arrives; the client opens another one —"


class Line(Struct, frozen=True):
    """A message, or a remark between two messages."""

    sender: str  # "client", "server", or "" for a remark
    message: Struct | None = None
    remark: str = ""


class _Table:
    """The game, as the server sees it."""

    def __init__(self) -> None:
        self.game = games.find(GAME)
        self.match = Match(self.game, self.game.options({}))
        self.scene: Scene = self.game.scene(self.match.state)
        self.texts: list[str] = []

    def picks(self) -> tuple[int, ...]:
        return tuple(random_move(self.game, self.match.state, Random(1)))

    def play(self) -> Moved:
        before, move = self.match.state, self.picks()
        self.texts.append(self.game.write(before, move))
        self.match.play(move)
        old, self.scene = self.scene, self.game.scene_after(before, move, self.match.state)
        return Moved(ROOM, EPOCH, self.seq, scene_hash(self.scene), self.texts[-1], None, diff(old, self.scene))

    @property
    def seq(self) -> int:
        return 1 + len(self.texts)  # the first update created the room

    def choices(self) -> Choices:
        step, prompts = choices(self.game, self.match.state)
        return Choices(room=ROOM, ply=len(self.texts), step=step, prompts=prompts)

    def room(self, id: int, you: Player) -> Room:
        return Room(
            room=ROOM,
            epoch=EPOCH,
            seq=self.seq,
            hash=scene_hash(self.scene),
            board=self.game.board(self.match.options),
            scene=self.scene,
            terms=Terms(GAME, dict(self.match.options)),
            players=(
                SeatedPlayer(you, online=True),
                SeatedPlayer(Player("Computer 1", bot=True), online=True),
            ),
            status="playing",
            moves=tuple(self.texts),
            id=id,
            seat=0,
        )


def conversation() -> Iterator[Line]:
    """Yield the lines in order."""
    table = _Table()
    ada = Player("Ada")
    create, join, first, second = range(1, 5)
    welcome = Welcome(
        you=ada, token=TOKEN, session=SESSION, time=NOW, games=(game_card(GAME),), max_message_size=MAX_MESSAGE_SIZE
    )

    yield Line("client", Hello(CLIENT, name="Ada"))
    yield Line("server", welcome)
    yield Line("client", Create(id=create, terms=Terms(GAME), levels=(None, "1")))
    yield Line("server", Ok(id=create, room=ROOM))
    yield Line("client", Join(id=join, room=ROOM))
    yield Line("server", table.room(join, ada))
    yield Line("server", table.choices())

    yield Line("client", Play(id=first, room=ROOM, ply=0, picks=table.picks()))
    moved = table.play()
    yield Line("server", Ok(id=first, seq=moved.seq, epoch=EPOCH))
    yield Line("server", moved)
    yield Line("server", table.play())
    yield Line("server", table.choices())

    play = Play(id=second, room=ROOM, ply=2, picks=table.picks())
    cursor = Cursor(ROOM, EPOCH, table.seq)
    yield Line("client", play)
    yield Line("", remark=LOST)
    yield Line("client", Hello(CLIENT, TOKEN, (cursor,), session=SESSION))
    yield Line("server", welcome, remark="welcome, as above")
    moved = table.play()
    yield Line("server", moved)
    yield Line("client", play, remark="sent again, with the same id")
    ok = Ok(id=second, seq=moved.seq, epoch=EPOCH)
    yield Line("server", ok, remark="the move had already been played; it is not played twice")
    yield Line("server", table.play())
    yield Line("server", table.choices())
