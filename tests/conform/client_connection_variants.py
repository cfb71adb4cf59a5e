"""Clients that break a rule about connections, timing or refusals, each with the rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.conform.profiles import Profile
from tests.conform.small_client import Map, SmallClient


class ClientVariant(NamedTuple):
    """A client that breaks a rule of its profile."""

    name: str
    rule: str
    profile: Profile
    client: type[SmallClient]


CLIENT_VARIANTS: list[ClientVariant] = []

PLAYER, SPECTATOR, LOBBY, BOT = Profile


def breaks(rule: str, profile: Profile = PLAYER) -> Callable[[type[SmallClient]], type[SmallClient]]:
    """Register a client under the words of its class name."""

    def register(client: type[SmallClient]) -> type[SmallClient]:
        name = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in client.__name__)
        CLIENT_VARIANTS.append(ClientVariant(f"{profile}{name}", rule, profile, client))
        return client

    return register


def with_constants(name: str, rule: str, profile: Profile = PLAYER, **constants: Any) -> None:
    """Register a client with other constants."""
    breaks(rule, profile)(type(name, (SmallClient,), constants))


# -- constants

with_constants("OffersNothing", "subprotocol", subprotocols=())
with_constants("NeverPings", "pings", ping_interval=1e9)
with_constants("PingsTooRarely", "pings", ping_interval=20.0)
with_constants("NeverPings", "pings", SPECTATOR, ping_interval=1e9)
with_constants("NeverPings", "pings", LOBBY, ping_interval=1e9)
with_constants("NeverPings", "pings", BOT, ping_interval=1e9)
with_constants("NeverNoticesSilence", "notices-silence", silence_limit=1e9)
with_constants("NoticesSilenceLate", "notices-silence", silence_limit=60.0)
with_constants("NeverNoticesSilence", "notices-silence", SPECTATOR, silence_limit=1e9)
with_constants("NeverNoticesSilence", "notices-silence", LOBBY, silence_limit=1e9)
with_constants("NeverProbes", "leaves-silence", probe_delay=1e9, command_timeout=1e9)
with_constants("WaitsForeverForAnAnswer", "leaves-unanswered", command_timeout=1e9)
with_constants("ComesBackAfterTakeOver", "taken-over", final_codes=(4004,))
with_constants("ComesBackAfterSignOut", "signed-out", final_codes=(4003,))
with_constants("ComesBackAfterTakeOver", "taken-over", SPECTATOR, final_codes=(4004,))
with_constants("ComesBackAfterSignOut", "signed-out", LOBBY, final_codes=(4003,))
with_constants("GivesUpAfterRestart", "reconnects-restart", final_codes=(1012, 4003, 4004))
with_constants("GivesUpWhenTooSlow", "reconnects-closed", final_codes=(4001, 4003, 4004))
with_constants("GivesUpWhenSuspended", "reconnects-closed", LOBBY, final_codes=(4003, 4004, 4005))
with_constants("GivesUpAfterUnknownCodes", "reconnects-closed", SPECTATOR, final_codes=(1011, 4003, 4004))
with_constants("RetriesAtOnce", "retries-later", retry_delay=0.0)
with_constants("DoesNotRetry", "tries-again", retried=("too_fast",))
with_constants("RetriesStaleTurns", "chooses-again", retried=("try_again", "too_fast", "stale_ply"))
with_constants("ComesBackAfterSuspension", "hello-refused", retried=("try_again", "suspended"))
with_constants("ComesBackAfterSuspension", "hello-refused", BOT, retried=("try_again", "suspended"))
with_constants("GivesUpAfterTryAgain", "hello-later", retried=("too_fast",))

# -- connections


@breaks("hello-first")
class SaysHelloTwice(SmallClient):
    def greeting(self) -> list[Map]:
        return [self.hello(), self.hello()]


@breaks("waits-for-welcome")
class DoesNotWait(SmallClient):
    def greeting(self) -> list[Map]:
        return [self.hello(), *self.pending.values()]


@breaks("well-formed")
class SendsNonsense(SmallClient):
    def ping(self) -> None:
        self.outbox.append({"t": "ping", "n": "seven"})

    def on_paired(self, message: Map) -> None:
        self.ping()
        super().on_paired(message)


@breaks("fresh-ids")
class UsesIdsTwice(SmallClient):
    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        self.next_id = 3
        super().choose(ply, picks, more)


@breaks("fresh-ids", BOT)
class CountsFromOneAgain(SmallClient):
    def on_room(self, message: Map) -> None:
        self.next_id = 1
        super().on_room(message)


@breaks("no-flood")
class FloodsPings(SmallClient):
    def on_paired(self, message: Map) -> None:
        for _ in range(200):
            self.ping()
        super().on_paired(message)


@breaks("legal")
class MakesUpMoves(SmallClient):
    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        super().choose(ply, [9999] if not more else picks, more)


@breaks("plays")
class NeverExits(SmallClient):
    def result(self, message: Map) -> None:
        return


@breaks("plays")
class ResignsItself(SmallClient):
    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        self.exit_code = 9


@breaks("watches", SPECTATOR)
class PlaysAlong(SmallClient):
    def apply(self, message: Map) -> None:
        super().apply(message)
        self.choose(self.seq, [0], False)

    def refused(self, code: str, command: str) -> None:
        return


@breaks("watches", SPECTATOR)
class LooksElsewhere(SmallClient):
    def begin(self) -> None:
        self.room = "room-2"
        super().begin()


@breaks("meets", LOBBY)
class WaitsToBeFound(SmallClient):
    def accept_next(self) -> None:
        return


@breaks("takes-challenge", BOT)
class IgnoresChallenges(SmallClient):
    def on_challenged(self, message: Map) -> None:
        return


@breaks("takes-challenge", BOT)
class BecomesAGuest(SmallClient):
    def hello(self) -> Map:
        return super().hello() | ({"token": None} if self.session is None else {})


@breaks("explores")
class ExploresNothing(SmallClient):
    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        super().choose(ply, picks, False)


@breaks("explores", BOT)
class GivesUpWhereChoicesAreCut(SmallClient):
    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        self.exit_code = 6 if more else self.exit_code
        super().choose(ply, picks, more)


@breaks("reconnects-early")
class NeedsOneWelcome(SmallClient):
    def delay(self) -> float:
        return super().delay() if self.welcomed else 1e9


@breaks("reconnects-later")
class PlaysOnOneConnection(SmallClient):
    def delay(self) -> float:
        return 1e9 if self.room else super().delay()


@breaks("reconnects-later", SPECTATOR)
class WatchesOnOneConnection(PlaysOnOneConnection):
    pass


@breaks("reconnects-later", LOBBY)
class WaitsOnOneConnection(SmallClient):
    def delay(self) -> float:
        return 1e9


@breaks("backs-off")
class ReconnectsWithoutWaiting(SmallClient):
    def delay(self) -> float:
        return 0.0


@breaks("backs-off")
class AlwaysWaitsTheSame(SmallClient):
    def delay(self) -> float:
        return 0.5


@breaks("backs-off", SPECTATOR)
class WaitsForMinutes(SmallClient):
    def delay(self) -> float:
        return super().delay() * 4.0**self.failures


@breaks("backs-off", LOBBY)
class NeverWaitsLong(SmallClient):
    def delay(self) -> float:
        return min(super().delay(), 1.0)


@breaks("fails-over")
class KnowsOneAddress(SmallClient):
    def learn(self, nodes: list[str]) -> None:
        return


@breaks("fails-over", SPECTATOR)
class StaysAtOneAddress(SmallClient):
    def next_address(self) -> str:
        return self.addresses[0]


@breaks("follows-closing")
class IgnoresClosing(SmallClient):
    def on_closing(self, message: Map) -> None:
        return


@breaks("follows-closing", LOBBY)
class ForgetsTheNodesOfClosing(IgnoresClosing):
    pass


@breaks("resumes")
class ForgetsItsToken(SmallClient):
    def hello(self) -> Map:
        return super().hello() | {"token": None, "session": None}


@breaks("continues-session")
class ForgetsItsSession(SmallClient):
    def hello(self) -> Map:
        return super().hello() | {"session": None}


@breaks("stands")
class HasNoCursors(SmallClient):
    def cursors(self) -> list[list[Any]]:
        return []


@breaks("stands")
class AlwaysStandsAtZero(SmallClient):
    def cursors(self) -> list[list[Any]]:
        return [[self.room, 0, 0]] if self.scene else []


@breaks("stands", SPECTATOR)
class StandsTooFar(SmallClient):
    def cursors(self) -> list[list[Any]]:
        return [[self.room, self.epoch, self.seq + 3]] if self.scene else []


@breaks("queues-again")
class LeavesTheQueue(SmallClient):
    def to_send_again(self) -> list[Map]:
        self.kept.clear()
        return super().to_send_again()


@breaks("queues-again")
class QueuesWithAnotherId(SmallClient):
    def to_send_again(self) -> list[Map]:
        for command in self.kept.values():
            self.send({**command, "id": self.next_id})
        again = [] if self.kept else super().to_send_again()
        self.kept.clear()
        return again


@breaks("resends")
class ForgetsUnansweredCommands(SmallClient):
    def to_send_again(self) -> list[Map]:
        again = super().to_send_again()
        return again if self.room is None else []


@breaks("resends")
class Renumbers(SmallClient):
    def to_send_again(self) -> list[Map]:
        for id in list(self.pending):
            command = self.pending.pop(id)
            self.next_id += 1
            self.pending[self.next_id - 1] = command | {"id": self.next_id - 1}
        return super().to_send_again()


@breaks("takes-room")
class IgnoresRoomsOfOtherEpochs(SmallClient):
    def on_room(self, message: Map) -> None:
        if self.scene is None or message["epoch"] == self.epoch or self.is_syncing():
            super().on_room(message)


@breaks("takes-room", SPECTATOR)
class KeepsTheOldEpoch(SmallClient):
    def numbers(self, room: Map) -> int:
        return self.epoch or int(room["epoch"])


# -- refusals


@breaks("token-unknown")
class DiesOfAnUnknownToken(SmallClient):
    def hello_refused(self, code: str) -> None:
        self.exit_code = 4


@breaks("token-unknown")
class InsistsOnItsToken(SmallClient):
    def hello_refused(self, code: str) -> None:
        self.outbox.append(self.hello())


@breaks("token-unknown")
class KeepsItsSession(SmallClient):
    def hello_refused(self, code: str) -> None:
        self.token = None
        self.outbox.append(self.hello())


@breaks("hello-later")
class RepeatsHelloAtOnce(SmallClient):
    def hello_refused(self, code: str) -> None:
        if code == "try_again":
            self.outbox.append(self.hello())
        else:
            self.exit_code = 4


@breaks("hello-refused", SPECTATOR)
class RepeatsHelloForEver(SmallClient):
    def hello_refused(self, code: str) -> None:
        self.ended = True


@breaks("retry-after")
class OverlooksRetryAfter(SmallClient):
    def retry_after(self, message: Map) -> float:
        return self.retry_delay


@breaks("tries-again")
class RetriesWithAnotherId(SmallClient):
    def on_refused(self, message: Map) -> None:
        command = self.pending.pop(message.get("id", -1), None)
        if command is not None and message["code"] in self.retried:
            self.send(command | {"id": self.next_id})
        else:
            super().on_refused(message)


@breaks("chooses-again")
class GivesUpWhenStale(SmallClient):
    def refused(self, code: str, command: str) -> None:
        self.exit_code = 5


@breaks("other-connection")
class PlaysAlone(SmallClient):
    def refused(self, code: str, command: str) -> None:
        self.exit_code = 5 if code == "stale_ply" else None
