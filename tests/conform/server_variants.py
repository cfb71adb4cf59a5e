"""Broken variants of the small server, each with the rule that it breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from parlour.conform.connection import Connection, Guest
from parlour.conform.script import Close, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode, Refusal
from parlour.protocol.errors import ErrorCode as E
from parlour.protocol.types import Player, Terms
from tests.conform.server_message_variants import MESSAGE_VARIANTS, ServerVariant
from tests.conform.small_room import SmallRoom
from tests.conform.small_server import SmallServer

SERVER_VARIANTS = list(MESSAGE_VARIANTS)


def breaks(rule: str, game: str = "replica") -> Callable[[type[SmallServer]], type[SmallServer]]:
    """Register a server under the words of its class name."""

    def register(server: type[SmallServer]) -> type[SmallServer]:
        name = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in server.__name__)
        SERVER_VARIANTS.append(ServerVariant(name[1:], rule, Script(), server, game))
        return server

    return register


# -- by a method


@breaks("rematch")
class RematchWithTheSameSeats(SmallServer):
    def rematch_players(self, room: SmallRoom) -> Sequence[Player | None]:
        return room.players


@breaks("choose-first", "mapello")
class HostChooses(SmallServer):
    def chooser(self, room: ScriptedRoom, host: int) -> int | None:
        return host if super().chooser(room, host) is not None else None


@breaks("choose-first", "mapello")
class NothingIsChosen(SmallServer):
    def chooser(self, room: ScriptedRoom, host: int) -> int | None:
        return None


@breaks("two-connections")
class OneConnectionForEachPlayer(SmallServer):
    def invite(self, connection: Connection) -> None:
        super().invite(connection)
        assert connection.guest is not None
        for other in self.of(connection.guest):
            if other is not connection:
                other.put(Close(CloseCode.TAKEN_OVER))


@breaks("two-connections")
class UpdatesForTheNewestConnection(SmallServer):
    def in_room(self, room: ScriptedRoom) -> list[Connection]:
        newest = {connection.guest: connection for connection in super().in_room(room)}
        return list(newest.values())


@breaks("presence")
class EveryConnectionCounts(SmallServer):
    def has_left(self, guest: Guest) -> bool:
        return True


@breaks("clock")
class ClocksThatNeverRun(SmallServer):
    def new_room(self, id: str, terms: Terms, players: Sequence[Player | None]) -> ScriptedRoom:
        room = super().new_room(id, terms, players)
        room.clocks = tuple(replace(left, main=left.main * 2) for left in room.clocks)
        return room


@breaks("flag")
class FlagNeverFalls(SmallServer):
    def watch_clock(self, room: SmallRoom) -> None:
        return


@breaks("claim")
class ClaimsAreNeverDue(SmallServer):
    def gone(self, guest: Guest) -> None:
        super().gone(guest)
        for room, _ in self.seats(guest):
            assert isinstance(room, SmallRoom)
            room.claim_after = 1e6


@breaks("claim-refused")
class ClaimsAlwaysWin(SmallServer):
    def change(self, room: ScriptedRoom, seat: int, command: Any) -> Any:
        return room.flag(1 - seat) if isinstance(command, wire.Claim) else super().change(room, seat, command)


@breaks("seek-seat")
class SeeksForAnySeat(SmallServer):
    def seek(self, connection: Connection, guest: Guest, command: wire.Seek) -> None:
        super().seek(connection, guest, replace(command, seat="first"))


@breaks("own-seek")
class PlaysAgainstItself(SmallServer):
    def accept(self, connection: Connection, guest: Guest, accept: wire.Accept) -> None:
        self.answer(connection, guest, accept, wire.Ok(id=accept.id, room="room-1"))


@breaks("seek-ends")
class SeeksForEver(SmallServer):
    def seek(self, connection: Connection, guest: Guest, command: wire.Seek) -> None:
        super().seek(connection, guest, command)
        for id, seek in self.lobby.invitations.items():
            self.lobby.invitations[id] = replace(seek, connection=None)


@breaks("seek-again")
class SeeksAreForgotten(SmallServer):
    def handle(self, connection: Connection, command: wire.Command) -> None:
        super(SmallServer, self).handle(connection, command)


@breaks("challenge-waits")
class ChallengesAreToldOnce(SmallServer):
    def invite(self, connection: Connection) -> None:
        return


@breaks("challenge-code")
class ChallengesNeedAName(SmallServer):
    def accept(self, connection: Connection, guest: Guest, accept: wire.Accept) -> None:
        invitation = self.lobby.invitations.get(accept.seek)
        if invitation is not None and invitation.is_challenge and invitation.to is None:
            raise Refusal(E.INVITE_UNKNOWN, "It is for no player.")
        super().accept(connection, guest, accept)


@breaks("challenge-other")
class ChallengesForEveryPlayer(SmallServer):
    def accept(self, connection: Connection, guest: Guest, accept: wire.Accept) -> None:
        super(SmallServer, self).accept(connection, guest, accept)


@breaks("challenge-declined")
class DeclinedChallengesStayOpen(SmallServer):
    def cancel(self, guest: Guest, seek: str) -> None:
        invitation = self.lobby.invitations.get(seek)
        super().cancel(guest, seek)
        if invitation is not None:
            self.lobby.invitations[seek] = invitation


@breaks("create")
class ComputerNeverMoves(SmallServer):
    def create(self, connection: Connection, guest: Guest, command: wire.Create) -> None:
        idle = Guest("Computer", "")
        idle.player = Player("Computer", bot=True)
        room_id = f"room-{len(self.rooms) + 1}"
        self.answer(connection, guest, command, wire.Ok(id=command.id, room=room_id))
        self.pair(command.terms, [idle if level else guest for level in command.levels], ["", ""], room_id)


@breaks("create")
class ComputerTakesTheSeat(SmallServer):
    def create(self, connection: Connection, guest: Guest, command: wire.Create) -> None:
        super().create(connection, guest, replace(command, levels=command.levels[::-1]))


@breaks("level-unknown")
class AnyLevelWillDo(SmallServer):
    def create(self, connection: Connection, guest: Guest, command: wire.Create) -> None:
        super().create(connection, guest, replace(command, levels=(None, "1")))


@breaks("register")
class RegisterEndsTheOldToken(SmallServer):
    def register(self, connection: Connection, guest: Guest, command: wire.Register) -> None:
        super().register(connection, guest, command)
        del self.guests[connection.token]


@breaks("register")
class RegisterChangesNothing(SmallServer):
    def register(self, connection: Connection, guest: Guest, command: wire.Register) -> None:
        before = guest.player
        super().register(connection, guest, command)
        guest.player = before


@breaks("name-taken")
class NamesForAll(SmallServer):
    def register(self, connection: Connection, guest: Guest, command: wire.Register) -> None:
        self.passwords.pop(command.name, None)
        super().register(connection, guest, command)


@breaks("sign-in")
class SignInAsANewGuest(SmallServer):
    def new_token(self, guest: Guest) -> str:
        return super().new_token(Guest("Another", "") if self.own_tokens else guest)


@breaks("sign-in-refused")
class AnyPasswordWillDo(SmallServer):
    def sign_in(self, connection: Connection, command: wire.SignIn) -> None:
        super().sign_in(connection, replace(command, password=self.passwords[command.name]))


@breaks("sign-out")
class SignOutChangesNothing(SmallServer):
    def end_tokens(self, guest: Guest, only: str | None) -> None:
        return


@breaks("sign-out")
class SignOutKeepsTheToken(SmallServer):
    def end_tokens(self, guest: Guest, only: str | None) -> None:
        before = dict(self.guests)
        super().end_tokens(guest, only)
        self.guests = before


@breaks("sign-out")
class SignOutIsAlwaysEverywhere(SmallServer):
    def end_tokens(self, guest: Guest, only: str | None) -> None:
        super().end_tokens(guest, None)


@breaks("sign-out-everywhere")
class SignOutIsNeverEverywhere(SmallServer):
    def end_tokens(self, guest: Guest, only: str | None) -> None:
        super().end_tokens(guest, only or next(token for token, each in self.guests.items() if each is guest))


@breaks("create-bot")
class BotsForGuests(SmallServer):
    def create_bot(self, connection: Connection, guest: Guest, command: wire.CreateBot) -> None:
        self.passwords.setdefault(guest.player.name, "")
        super().create_bot(connection, guest, command)


@breaks("read-record")
class ReadsAnyRecord(SmallServer):
    def read_record(self, command: wire.ReadRecord) -> wire.Record:
        return self.record(command.id, command.text.partition(":")[0])


@breaks("rated")
class LosersGain(SmallServer):
    def rate(self, winner: int | None) -> tuple[int, ...]:
        return super().rate(winner)[::-1]


@breaks("no-hello")
class WaitsForeverForHello(SmallServer):
    def opened(self, connection: Connection) -> None:
        return


@breaks("no-hello")
class ClosesWithoutHelloAsUsual(SmallServer):
    def expect_hello(self, connection: Connection) -> None:
        if connection.guest is None:
            connection.put(Close(1000))


@breaks("much-too-large")
class TakesAnySize(SmallServer):
    largest_frame = None


@breaks("flood")
class ClosesFloodsAsUsual(SmallServer):
    def flooded(self, connection: Connection) -> None:
        if not connection.lost:
            connection.put(Close(1011))


@breaks("restart-player")
class LosesTokens(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        self.guests.clear()


@breaks("restart-player")
class LosesSeats(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        for room in self.rooms.values():
            room.players = tuple(Player("Lost") for _ in room.players)


@breaks("restart-turn")
class LosesTheLastTurn(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        for room in self.rooms.values():
            if room.result is None:
                room.take_back(room.ply - 1)


@breaks("restart-turn")
class LosesGames(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        for room in self.rooms.values():
            room.take_back(0)


@breaks("restart-repeat")
class LosesReplies(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        for guest in self.guests.values():
            guest.replies = type(guest.replies)()


@breaks("restart-result")
class LosesResults(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        for room in self.rooms.values():
            room.result = None


@breaks("restart-result")
class NeverComesBack(SmallServer):
    async def restart(self) -> None:
        await super().restart()
        self.refuse_first_address()
