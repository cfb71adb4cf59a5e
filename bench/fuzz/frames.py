"""Frames that are derived from the protocol: valid messages of every type, and all sorts of damage to them."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

from msgspec import Struct, field, inspect

from parlour import games
from parlour.protocol.codec import Codec
from parlour.protocol.messages import (
    ChangePassword,
    Choices,
    ClientMessage,
    Create,
    CreateTournament,
    Lobby,
    LobbyChanged,
    Moved,
    Ok,
    Paired,
    Play,
    Record,
    Register,
    Room,
    ServerMessage,
    SignIn,
    SignOut,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Clock, Step, Terms, TournamentFormat, TournamentSettings
from tests.e2e.nonsense import ODD_NUMBERS, ODD_TEXTS, Nonsense

MESSAGE_TYPES: tuple[inspect.StructType, ...] = inspect.multi_type_info(ClientMessage.__args__)  # type: ignore[assignment]
LIKELY = 0.8  # how often a field has a value that makes sense
RARE = (SignOut, Register, SignIn, ChangePassword)  # the first ends the connection, the others hash a password
KEPT = 200  # values of each kind that are remembered
CLOCKS = ("none", "move", "fischer", "bronstein", "delay", "byoyomi", "canadian", "days")
OPTIONS = ("seed", "size", "layout", "komi", "first")
LONGEST = 300  # characters of a text without a limit


class Known(Struct):
    """What clients have learned from the server, so that their messages concern something that exists."""

    rooms: list[str] = field(default_factory=list)
    seeks: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    tournaments: list[str] = field(default_factory=list)

    def learn(self, message: ServerMessage, rng: Random) -> None:
        """Remember what a message names. Older values are overwritten."""
        match message:
            case Welcome():
                _keep(self.tokens, message.token, rng)
                _keep(self.names, message.you.name, rng)
            case Ok():
                _keep(self.rooms, message.room, rng)
                _keep(self.seeks, message.seek, rng)
                _keep(self.tournaments, message.tournament, rng)
            case Paired():
                _keep(self.rooms, message.room, rng)
            case Record() if message.text:
                _keep(self.records, message.text, rng)
            case Lobby() | LobbyChanged():
                for seek in message.seeks or ():
                    _keep(self.seeks, seek.seek, rng)
            case _:
                pass


class Turn(Struct, frozen=True):
    """A turn that a player may play now."""

    room: str
    ply: int
    picks: tuple[int, ...]


class FuzzedFrames(Nonsense):
    """Generates frames for one connection."""

    def __init__(self, rng: Random, codec: Codec, known: Known) -> None:
        super().__init__(rng, codec, known.rooms)
        self.known = known
        self.turn: Turn | None = None
        self._id = rng.randrange(2**40)
        self._kinds += [self.senseless] * len(self._kinds) + [self.oversized]  # every other frame is valid

    def heard(self, message: ServerMessage) -> None:
        """Learn from a message of the server."""
        self.known.learn(message, self.rng)
        if isinstance(message, Choices):
            self.turn = Turn(message.room, message.ply, _walk(message.step, self.rng))
        elif isinstance(message, Room | Moved) and self.turn is not None and self.turn.room == message.room:
            self.turn = None

    def message(self) -> ClientMessage:
        """Return a message of any type, which has the right form and may make sense."""
        if self.turn is not None and self.rng.random() < 0.3:
            turn, self.turn = self.turn, None
            return Play(id=self.id(), room=turn.room, ply=turn.ply, picks=turn.picks)
        if self.rng.random() < 0.03:
            return self.game_with_bot()
        info = self.rng.choice(MESSAGE_TYPES)
        if info.cls in RARE and self.rng.random() < 0.95:
            info = self.rng.choice(MESSAGE_TYPES)
        message: ClientMessage = self._struct(info)
        return message

    def damaged(self, text: str) -> str:
        """Return a text as it is, or with a part of it removed or repeated."""
        at, size = self.rng.randrange(len(text)), self.rng.randrange(20)
        match self.rng.randrange(3):
            case 0:
                return text[:at] + text[at + size :]
            case 1:
                return text[:at] + text[at : at + size] + text[at:]
            case _:
                return text

    @property
    def last_id(self) -> int:
        """The last new command id."""
        return self._id

    def game_with_bot(self) -> Create:
        """Return the command that creates a game in which the player moves first."""
        return Create(id=self.id(), terms=Terms(self.rng.choice(games.keys())), levels=(None, "1"))

    def tournament(self) -> CreateTournament:
        """Return the command that creates a tournament, which begins when three players have entered."""
        kind = self.rng.choice(get_args(TournamentFormat))
        settings = TournamentSettings(
            name="Cup", format=kind, terms=Terms(self.rng.choice(games.keys()), clock=Clock("fischer", 60_000)),
            duration=60_000 if kind == "arena" else 0, min_players=3,
        )  # fmt: skip
        return CreateTournament(id=self.id(), settings=settings, levels=("1",))

    def account(self) -> Register:
        """Return the command that makes an account of a guest."""
        return Register(id=self.id(), name=f"Fuzz {self.rng.randrange(10**9)}", password="wooden bishop")

    def value_of(self, name: str, info: inspect.Type) -> Any:
        """Return a value for a parameter, which may make sense."""
        return self._field(name, info)

    # -- values

    def _struct(self, info: inspect.StructType) -> Any:
        required = [each for each in info.fields if each.required or self.rng.random() < 0.7]
        return info.cls(**{each.name: self._field(each.name, each.type) for each in required})

    def _field(self, name: str, info: inspect.Type) -> Any:
        if name == "id":
            return self.id()
        if self.rng.random() < LIKELY and not isinstance(info, inspect.LiteralType):
            likely = self._likely(name, info)
            if likely is not None:
                return likely
        return self._value(info)

    def _likely(self, name: str, info: inspect.Type) -> Any:
        """Return a value that makes sense for a field of this name and type; None if there is none."""
        rng, known = self.rng, self.known
        match name:
            case "room":
                return rng.choice(known.rooms) if known.rooms else None
            case "seek":
                return rng.choice(known.seeks) if known.seeks else None
            case "tournament":
                return rng.choice(known.tournaments) if known.tournaments else None
            case "token":
                return rng.choice(known.tokens) if known.tokens and rng.random() < 0.3 else None
            case "name" | "to" | "player" | "opponent":
                return rng.choice(known.names) if known.names and rng.random() < 0.5 else None
            case "text" if known.records and isinstance(info, inspect.StrType):
                return self.damaged(rng.choice(known.records))[: info.max_length]
            case "game":
                return rng.choice(games.keys())
            case "kind":
                return rng.choice((*CLOCKS, "draw", "takeback", "rematch"))
            case "ply" | "epoch" | "seq" | "offset" | "count":
                return rng.randrange(6)
            case "main" | "step" if isinstance(info, inspect.IntType):
                return rng.choice((0, 1_000, 60_000, 86_400_000))
            case "levels" if isinstance(info, inspect.TupleType):
                return rng.choice(((None, "1"), ("1", None), ("1", "2"), (None, "8"), (None, None)))
            case "position" | "move":
                return None if rng.random() < 0.7 else rng.choice(("8/8 w", "a1", "a1-b2", "start", "X"))
            case "options":
                return {} if rng.random() < 0.5 else None
            case _:
                return None

    def _value(self, info: inspect.Type) -> Any:
        """Return a value of a type, often at one end of its range."""
        rng = self.rng
        match info:
            case inspect.StrType():
                longest = LONGEST if info.max_length is None else info.max_length
                text = rng.choice(ODD_TEXTS) or "x"
                return (text * (1 + longest // len(text)))[:longest] if rng.random() < 0.1 else text[:longest]
            case inspect.IntType():
                low = -(2**53) if info.ge is None else info.ge
                high = info.le if info.le is not None else 2**53 if info.lt is None else info.lt - 1
                return rng.choice((low, low + 1, high, high - 1, rng.randint(low, high)))
            case inspect.BoolType():
                return rng.random() < 0.5
            case inspect.LiteralType():
                return rng.choice(info.values)
            case inspect.UnionType():
                return self._value(rng.choice(info.types))
            case inspect.VarTupleType():
                most = 6 if info.max_length is None else info.max_length
                if rng.random() < 0.9:
                    most = min(6, most)
                return tuple(self._value(info.item_type) for _ in range(rng.randint(info.min_length or 0, most)))
            case inspect.TupleType():
                return tuple(self._value(each) for each in info.item_types)
            case inspect.DictType():
                keys = [rng.choice((*OPTIONS, rng.choice(ODD_TEXTS))) for _ in range(rng.randint(0, 3))]
                return {key: self._value(info.value_type) for key in keys}
            case inspect.StructType():
                return self._struct(info)
            case inspect.NoneType():
                return None
            case _:
                return rng.choice(ODD_NUMBERS)


def _keep(values: list[str], value: str | None, rng: Random) -> None:
    if value is None:
        return
    if len(values) < KEPT:
        values.append(value)
    else:
        values[rng.randrange(KEPT)] = value


def _walk(step: Step | None, rng: Random) -> tuple[int, ...]:
    """Return the picks of any turn that begins with this step."""
    picks: list[int] = []
    while step is not None and step.picks:
        pick = rng.choice(step.picks)
        picks.append(pick if isinstance(pick, int) else pick.place)
        step = None if isinstance(pick, int) else pick.then
    return tuple(picks)
