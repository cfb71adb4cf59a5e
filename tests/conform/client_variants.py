"""Broken variants of the small client, each with the rule that it breaks."""

from __future__ import annotations

from typing import Any

from tests.conform.client_connection_variants import (
    BOT,
    CLIENT_VARIANTS,
    LOBBY,
    PLAYER,
    SPECTATOR,
    ClientVariant,
    breaks,
)
from tests.conform.small_client import Map, SmallClient

__all__ = ["CLIENT_VARIANTS", "ClientVariant"]

# -- updates


@breaks("ignores-repeats")
class AsksAboutRepeats(SmallClient):
    def is_known(self, new: tuple[int, int]) -> bool:
        if new <= (self.epoch, self.seq):
            self.sync()
        return super().is_known(new)


@breaks("ignores-repeats", SPECTATOR)
class AppliesRepeats(SmallClient):
    def is_known(self, new: tuple[int, int]) -> bool:
        return False


@breaks("ignores-old-epochs")
class ComparesSeqAlone(SmallClient):
    def is_known(self, new: tuple[int, int]) -> bool:
        return new[1] <= self.seq


@breaks("asks-for-missed")
class OverlooksGaps(SmallClient):
    def gap(self, message: Map) -> None:
        self.apply(message)


@breaks("asks-for-missed", SPECTATOR)
class AsksForTheWholeRoom(SmallClient):
    def gap(self, message: Map) -> None:
        self.sync(whole=True)


@breaks("syncs-once")
class FloodsSync(SmallClient):
    def is_syncing(self) -> bool:
        return False


@breaks("syncs-once", SPECTATOR)
class FloodsSyncWatching(FloodsSync):
    pass


@breaks("compares-pong")
class IgnoresPong(SmallClient):
    def on_pong(self, message: Map) -> None:
        return


@breaks("compares-pong", SPECTATOR)
class IgnoresPongWatching(IgnoresPong):
    pass


@breaks("checks-epoch")
class AppliesNewerEpochsBlindly(SmallClient):
    def newer_epoch(self, message: Map) -> None:
        self.epoch = message["epoch"]
        self.apply(message)


@breaks("checks-epoch", SPECTATOR)
class AsksNewerEpochsFromItsCursor(SmallClient):
    def newer_epoch(self, message: Map) -> None:
        self.sync()


class _Trusting(SmallClient):
    trusts: tuple[str, ...] = ()

    def fits(self, message: Map, kind: str) -> bool:
        return kind in self.trusts or super().fits(message, kind)


for _trusts, _rule, _profile in (
    ("moved", "asks-for-whole", PLAYER),
    ("moved", "checks-hash", PLAYER),
    ("event", "checks-event", PLAYER),
    ("room", "checks-room", PLAYER),
    ("moved", "checks-hash", SPECTATOR),
    ("event", "checks-event", SPECTATOR),
    ("event", "checks-event", BOT),
):
    breaks(_rule, _profile)(type(f"Trusts{_trusts.title()}For{_rule.title()}", (_Trusting,), {"trusts": (_trusts,)}))


@breaks("items-unknown")
class CountsTheItemsOfMoved(SmallClient):
    def take(self, message: Any) -> None:
        assert not isinstance(message, list) or len(message) == 8
        super().take(message)


@breaks("fields-unknown")
class KnowsAllFields(SmallClient):
    def take(self, message: Any) -> None:
        assert isinstance(message, list) or "weather" not in message
        super().take(message)


@breaks("messages-unknown")
class KnowsAllMessages(SmallClient):
    def take(self, message: Any) -> None:
        assert isinstance(message, list) or hasattr(self, f"on_{message['t']}") or message["t"] != "weather"
        super().take(message)


@breaks("talk")
class CannotListen(SmallClient):
    def on_said(self, message: Map) -> None:
        raise ValueError(message["text"])


@breaks("talk", SPECTATOR)
class CannotBeRated(SmallClient):
    def on_rated(self, message: Map) -> None:
        raise ValueError(message["ratings"])


@breaks("events-unknown")
class KnowsAllEvents(SmallClient):
    def on_event(self, message: Map) -> None:
        assert message["kind"] != "weather"
        super().on_event(message)


@breaks("events-unknown")
class SkipsUnknownEvents(SmallClient):
    def on_event(self, message: Map) -> None:
        if message["kind"] != "weather":
            super().on_event(message)


@breaks("events-unknown", SPECTATOR)
class CountsUnknownEventsOnly(SmallClient):
    def apply(self, message: Map) -> None:
        super().apply({**message, "change": None} if message.get("kind") == "weather" else message)


@breaks("takeback")
class IgnoresTakebacks(SmallClient):
    def on_event(self, message: Map) -> None:
        if message["kind"] != "taken_back":
            super().on_event(message)


@breaks("takeback")
class PlaysEachPlyOnce(SmallClient):
    played = -1

    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        if ply > self.played:
            self.played = ply if not more else self.played
            super().choose(ply, picks, more)


@breaks("takeback-watched", SPECTATOR)
class IgnoresTheChangeOfTakebacks(SmallClient):
    def apply(self, message: Map) -> None:
        super().apply({**message, "change": None} if message.get("kind") == "taken_back" else message)


@breaks("clocks")
class ExpectsNumbersOnClocks(SmallClient):
    def on_0(self, message: Map) -> None:
        assert message["clock"] is None or message["clock"] >= 0
        super().on_0(message)


@breaks("flag")
class PlaysOnAfterTheFlag(SmallClient):
    def result(self, message: Map) -> None:
        if (message.get("result") or {}).get("reason") != "flag":
            super().result(message)


# -- the lobby and challenges


@breaks("lobby-gap", LOBBY)
class OverlooksGapsOfTheLobby(SmallClient):
    def skips(self, n: int) -> bool:
        return False


@breaks("lobby-again", LOBBY)
class WatchesTheLobbyOnce(SmallClient):
    def on_welcome(self, message: Map) -> None:
        again = self.lobby_n >= 0
        super().on_welcome(message)
        if again:
            self.outbox = [each for each in self.outbox if each["t"] != "watch_lobby"]


@breaks("lobby-game", LOBBY)
class AcceptsAnyGame(SmallClient):
    def wants(self, seek: Map) -> bool:
        return True


@breaks("seek-gone", LOBBY)
class GivesUpWithTheFirstSeek(SmallClient):
    def refused(self, code: str, command: str) -> None:
        self.exit_code = 5


@breaks("seek-gone", LOBBY)
class InsistsOnTheFirstSeek(SmallClient):
    def refused(self, code: str, command: str) -> None:
        return


@breaks("accept-again", LOBBY)
class ForgetsItsAccept(SmallClient):
    def to_send_again(self) -> list[Map]:
        return [each for each in super().to_send_again() if each["t"] != "accept"]


@breaks("accept-again", LOBBY)
class AcceptsWithAnotherId(SmallClient):
    def to_send_again(self) -> list[Map]:
        again = super().to_send_again()
        for command in again:
            command["id"] += 100
        self.pending = {command["id"]: command for command in again}
        return again


@breaks("challenge-closed", BOT)
class GivesUpWithTheFirstChallenge(GivesUpWithTheFirstSeek):
    pass


@breaks("challenge-closed", BOT)
class AcceptsOneChallengeOnly(InsistsOnTheFirstSeek):
    pass


@breaks("challenge-again", BOT)
class ForgetsItsAcceptedChallenge(ForgetsItsAccept):
    pass


@breaks("asks-for-whole", SPECTATOR)
class NeverChecksAnything(SmallClient):
    def fits(self, message: Map, kind: str) -> bool:
        return True
