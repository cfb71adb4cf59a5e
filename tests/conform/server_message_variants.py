"""Servers that break a rule by what they send, each with the rule."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from parlour.conform.script import Script
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode as E
from parlour.protocol.types import Player, Result, Terms
from tests.conform.server_alterations import (
    After,
    Altered,
    AlwaysWhole,
    Ignored,
    OneSession,
    Speechless,
    Strict,
    SyncTellsAgain,
    comes_back,
    different_player,
    ended,
    forgets,
    hangs_up,
    happened,
    ignores_sessions,
    left_out,
    never_remembers,
    picks_only,
    recoded,
    refusal,
    sends_choices_to_all,
    shouts_in_json,
    tells_spectators,
    without_id,
    wrong_for_spectators,
)  # fmt: skip
from tests.conform.small_server import SmallServer


class ServerVariant(NamedTuple):
    """A server that breaks a rule."""

    name: str
    rule: str
    script: Script = Script()
    server: type[SmallServer] = SmallServer
    game: str = "replica"


MESSAGE_VARIANTS = [
    ServerVariant(
        "sends-presence-of-no-form", "readable", Altered(wire.Ok, lambda _, ok: (ok, {"t": "presence", "room": 5}))
    ),
    ServerVariant("answers-twice", "one-answer", Altered(wire.Ok, lambda _, ok: (ok, ok) if ok.seek else ok)),
    ServerVariant("skips-a-number", "numbers", left_out("declined")),
    ServerVariant("wrong-hash-for-spectators", "hashes", Altered(wire.Room, wrong_for_spectators)),
    ServerVariant("chooses-no-subprotocol", "subprotocol", server=Speechless),
    ServerVariant("lists-no-games", "welcome", Altered(wire.Welcome, lambda _, welcome: replace(welcome, games=()))),
    ServerVariant("renames-at-each-hello", "token", Altered(wire.Welcome, different_player)),
    ServerVariant("one-session-for-all", "session", server=OneSession),
    ServerVariant("unknown-token-is-malformed", "token-unknown", recoded(E.TOKEN_UNKNOWN, E.REQUEST_MALFORMED)),
    ServerVariant("refuses-early-commands-without-id", "hello-first", without_id(E.HELLO_FIRST)),
    ServerVariant("hangs-up-on-second-hello", "hello-once", hangs_up("You have already")),
    ServerVariant("counts-pings", "ping", Altered(wire.Pong, lambda _, pong: replace(pong, n=pong.n + 1))),
    ServerVariant("refuses-unknown-without-id", "message-unknown", without_id(E.MESSAGE_UNKNOWN)),
    ServerVariant("refuses-unknown-fields", "fields-unknown", server=Strict),
    ServerVariant("hangs-up-on-bad-frames", "frame-malformed", hangs_up("This is not")),
    ServerVariant("refuses-fields-without-id", "field-malformed", without_id(E.REQUEST_MALFORMED)),
    ServerVariant("large-is-malformed", "too-large", recoded(E.REQUEST_TOO_LARGE, E.REQUEST_MALFORMED)),
    ServerVariant("writes-moves-differently-in-json", "both-subprotocols", Altered(wire.Moved, shouts_in_json)),
    ServerVariant("unknown-game-is-malformed", "game-unknown", recoded(E.GAME_UNKNOWN, E.REQUEST_MALFORMED)),
    ServerVariant("invalid-option-is-unknown", "option-refused", recoded(E.OPTION_INVALID, E.OPTION_UNKNOWN)),
    ServerVariant("no-seek-in-queue", "queue", Altered(wire.Ok, lambda _, ok: replace(ok, seek=None))),
    ServerVariant("pairs-once", "paired-again", Altered(wire.Paired, lambda _, paired: paired if paired.seek else ())),
    ServerVariant("room-without-players", "join", Altered(wire.Room, lambda _, room: replace(room, players=()))),
    ServerVariant("unknown-room-is-not-joined", "room-unknown", recoded(E.ROOM_UNKNOWN, E.NOT_IN_ROOM)),
    ServerVariant("stranger-is-no-player", "not-in-room", recoded(E.NOT_IN_ROOM, E.NOT_A_PLAYER)),
    ServerVariant("choices-for-spectators", "watch", Altered(wire.Room, tells_spectators)),
    ServerVariant("spectator-out-of-turn", "not-a-player", recoded(E.NOT_A_PLAYER, E.NOT_YOUR_TURN)),
    ServerVariant(
        "choices-without-prompts", "choices", Altered(wire.Choices, lambda _, choices: replace(choices, prompts=()))
    ),
    ServerVariant("ignores-declined-choices", "declined", Altered(wire.Welcome, sends_choices_to_all)),
    ServerVariant(
        "explores-without-picks", "explore", Altered(wire.Choices, lambda _, choices: replace(choices, picks=()))
    ),
    ServerVariant("ok-without-seq", "play", Altered(wire.Ok, lambda _, ok: replace(ok, seq=None))),
    ServerVariant(
        "takes-picks-only",
        "play-text",
        Ignored(wire.Play, picks_only, lambda play: refusal(E.REQUEST_MALFORMED, play.id)),
    ),
    ServerVariant("never-remembers", "repeat", Altered(wire.Welcome, never_remembers)),
    ServerVariant("reused-id-is-malformed", "id-reused", recoded(E.ID_REUSED, E.REQUEST_MALFORMED)),
    ServerVariant("ignores-sessions", "sessions-apart", Altered(wire.Welcome, ignores_sessions)),
    ServerVariant("ok-without-epoch", "ok-epoch", Altered(wire.Ok, lambda _, ok: replace(ok, epoch=None))),
    ServerVariant("stale-is-illegal", "stale-ply", recoded(E.STALE_PLY, E.MOVE_ILLEGAL)),
    ServerVariant("out-of-turn-is-illegal", "not-your-turn", recoded(E.NOT_YOUR_TURN, E.MOVE_ILLEGAL)),
    ServerVariant("illegal-is-malformed", "move-illegal", recoded(E.MOVE_ILLEGAL, E.MOVE_MALFORMED)),
    ServerVariant("malformed-is-illegal", "move-malformed", recoded(E.MOVE_MALFORMED, E.MOVE_ILLEGAL)),
    ServerVariant("sync-leaves-one-out", "sync-missed", After(lambda message: isinstance(message, wire.Sync))),
    ServerVariant("sync-repeats-one", "sync-current", SyncTellsAgain()),
    ServerVariant(
        "sync-is-never-whole",
        "sync-whole",
        Ignored(wire.Sync, lambda sync: sync.epoch == 0, lambda sync: wire.Ok(id=sync.id)),
    ),
    ServerVariant("pong-without-cursors", "pong-cursors", Altered(wire.Pong, lambda _, pong: replace(pong, rooms=()))),
    ServerVariant("resume-leaves-one-out", "resume-missed", After(comes_back)),
    ServerVariant("resume-is-always-whole", "resume-current", server=AlwaysWhole),
    ServerVariant("forgets-replies-at-hello", "resume-unanswered", Altered(wire.Welcome, forgets)),
    ServerVariant("shouts", "say", Altered(wire.Said, lambda _, said: replace(said, text=said.text.upper()))),
    ServerVariant("cannot-be-left", "leave", Ignored(wire.Leave, lambda _: True, lambda leave: wire.Ok(id=leave.id))),
    ServerVariant("offers-a-rematch-for-a-draw", "offer", happened("offered", offer="rematch")),
    ServerVariant("no-offer-is-refused-offer", "nothing-offered", recoded(E.NOTHING_OFFERED, E.OFFER_REFUSED)),
    ServerVariant(
        "aborted-game-is-won",
        "abort",
        ended(lambda result: Result(0, "aborted") if result.reason == "aborted" else result),
    ),
    ServerVariant("late-abort-is-over", "too-late-to-abort", recoded(E.TOO_LATE_TO_ABORT, E.GAME_OVER)),
    ServerVariant(
        "resigned-game-is-drawn",
        "resign",
        ended(lambda result: Result(None, "resigned") if result.reason == "resigned" else result),
    ),
    ServerVariant(
        "game-never-ends",
        "whole-game",
        ended(lambda result: result if result.reason in ("aborted", "resigned") else None),
    ),
    ServerVariant("over-is-out-of-turn", "game-over", recoded(E.GAME_OVER, E.NOT_YOUR_TURN)),
    # -- by their messages
    ServerVariant("forgets-takebacks", "takeback", happened("taken_back", plies=0)),
    ServerVariant("early-takeback-is-nothing-offered", "offer-refused", recoded(E.OFFER_REFUSED, E.NOTHING_OFFERED)),
    ServerVariant("withdrawn-is-declined", "withdrawn", happened("withdrawn", kind="declined")),
    ServerVariant(
        "agreed-game-is-won", "draw", ended(lambda result: Result(0, "agreed") if result.reason == "agreed" else result)
    ),
    ServerVariant(
        "agreed-game-is-repetition",
        "draw",
        ended(lambda result: Result(None, "repetition") if result.reason == "agreed" else result),
    ),
    ServerVariant("rematch-without-room", "rematch", happened("rematch", next=None)),
    ServerVariant(
        "choice-of-the-other-is-not-refused", "choose-first", recoded(E.OFFER_REFUSED, E.NOT_YOUR_TURN), game="mapello"
    ),
    ServerVariant("never-tells-the-start", "choose-first", left_out("started"), game="mapello"),
    ServerVariant(
        "not-started-is-out-of-turn", "not-started", recoded(E.GAME_NOT_STARTED, E.NOT_YOUR_TURN), game="mapello"
    ),
    ServerVariant("never-tells-of-lost-players", "presence", left_out("disconnected")),
    ServerVariant("never-tells-of-players-back", "presence", left_out("reconnected")),
    ServerVariant("shows-no-presence", "presence", Altered(wire.Presence, lambda _, presence: ())),
    ServerVariant("moves-without-clock", "clock", Altered(wire.Moved, lambda _, moved: replace(moved, clock=None))),
    ServerVariant("rooms-without-clocks", "clock", Altered(wire.Room, lambda _, room: replace(room, clocks=()))),
    ServerVariant("invalid-clock-is-option", "clock-invalid", recoded(E.CLOCK_INVALID, E.OPTION_INVALID)),
    ServerVariant(
        "flag-wins",
        "flag",
        ended(lambda result: replace(result, winner=1 - (result.winner or 0)) if result.reason == "flag" else result),
    ),
    ServerVariant(
        "flag-is-abandoned",
        "flag",
        ended(lambda result: replace(result, reason="abandoned") if result.reason == "flag" else result),
    ),
    ServerVariant("early-claim-is-nothing-offered", "claim-refused", recoded(E.CANNOT_CLAIM, E.NOTHING_OFFERED)),
    ServerVariant(
        "presence-without-claim", "claim", Altered(wire.Presence, lambda _, presence: replace(presence, claim_in=None))
    ),
    ServerVariant(
        "claim-loses",
        "claim",
        ended(
            lambda result: replace(result, winner=1 - (result.winner or 0)) if result.reason == "abandoned" else result
        ),
    ),
    ServerVariant("no-lobby", "lobby", Altered(wire.Lobby, lambda _, lobby: ())),
    ServerVariant("lobby-without-seeks", "lobby", Altered(wire.Lobby, lambda _, lobby: replace(lobby, seeks=()))),
    ServerVariant(
        "lobby-counts-by-two",
        "lobby-numbers",
        Altered(wire.LobbyChanged, lambda _, changed: replace(changed, n=2 * changed.n)),
    ),
    ServerVariant(
        "lobby-never-counts", "lobby-numbers", Altered(wire.LobbyChanged, lambda _, changed: replace(changed, n=1))
    ),
    ServerVariant(
        "lobby-without-games", "lobby-live", Altered(wire.LobbyChanged, lambda _, changed: replace(changed, live=()))
    ),
    ServerVariant(
        "lobby-keeps-games",
        "lobby-live",
        Altered(wire.LobbyChanged, lambda _, changed: replace(changed, live_removed=())),
    ),
    ServerVariant(
        "lobby-cannot-be-left",
        "lobby-off",
        Ignored(wire.WatchLobby, lambda watch: not watch.on, lambda watch: wire.Ok(id=watch.id)),
    ),
    ServerVariant("accepted-without-room", "seek", Altered(wire.Ok, lambda _, ok: replace(ok, room=None))),
    ServerVariant("pairs-into-one-seat", "seek", Altered(wire.Paired, lambda _, paired: replace(paired, seat=0))),
    ServerVariant("pairs-without-seek", "seek", Altered(wire.Paired, lambda _, paired: replace(paired, seek=None))),
    ServerVariant("own-seek-is-gone", "own-seek", recoded(E.OWN_SEEK, E.SEEK_GONE)),
    ServerVariant("gone-is-unknown-room", "seek-gone", recoded(E.SEEK_GONE, E.ROOM_UNKNOWN)),
    ServerVariant(
        "cancel-does-nothing", "cancel", Ignored(wire.Cancel, lambda _: True, lambda cancel: wire.Ok(id=cancel.id))
    ),
    ServerVariant(
        "cancel-is-not-told",
        "cancel",
        Altered(wire.LobbyChanged, lambda _, changed: replace(changed, seeks_removed=())),
    ),
    ServerVariant(
        "queue-cannot-be-left",
        "queue-cancel",
        Ignored(wire.Cancel, lambda _: True, lambda cancel: wire.Ok(id=cancel.id)),
    ),
    ServerVariant("challenge-is-not-told", "challenge", Altered(wire.Challenged, lambda _, challenged: ())),
    ServerVariant(
        "challenge-with-other-terms",
        "challenge",
        Altered(wire.Challenged, lambda _, challenged: replace(challenged, terms=Terms("isaac"))),
    ),
    ServerVariant(
        "declined-is-withdrawn",
        "challenge-declined",
        Altered(wire.ChallengeClosed, lambda _, closed: replace(closed, declined=False)),
    ),
    ServerVariant(
        "withdrawn-is-declined-challenge",
        "challenge-withdrawn",
        Altered(wire.ChallengeClosed, lambda _, closed: replace(closed, declined=True)),
    ),
    ServerVariant(
        "withdrawn-challenge-is-not-told", "challenge-withdrawn", Altered(wire.ChallengeClosed, lambda _, closed: ())
    ),
    ServerVariant("unknown-player-is-malformed", "player-unknown", recoded(E.PLAYER_UNKNOWN, E.NAME_REFUSED)),
    ServerVariant("unknown-level-is-option", "level-unknown", recoded(E.LEVEL_UNKNOWN, E.OPTION_INVALID)),
    ServerVariant("taken-name-is-refused-name", "name-taken", recoded(E.NAME_TAKEN, E.NAME_REFUSED)),
    ServerVariant("wrong-password-is-unknown-player", "sign-in-refused", recoded(E.SIGN_IN_REFUSED, E.PLAYER_UNKNOWN)),
    ServerVariant(
        "bots-are-people",
        "create-bot",
        Altered(wire.Welcome, lambda _, welcome: replace(welcome, you=replace(welcome.you, bot=False))),
    ),
    ServerVariant("record-without-moves", "record", Altered(wire.Record, lambda _, record: replace(record, moves=()))),
    ServerVariant(
        "record-without-result", "record", Altered(wire.Record, lambda _, record: replace(record, result=None))
    ),
    ServerVariant("broken-record-is-unknown", "read-record", recoded(E.RECORD_BROKEN, E.RECORD_UNKNOWN)),
    ServerVariant("unknown-record-is-unknown-room", "record-unknown", recoded(E.RECORD_UNKNOWN, E.ROOM_UNKNOWN)),
    ServerVariant("lists-no-games-played", "games", Altered(wire.Games, lambda _, games: replace(games, rows=()))),
    ServerVariant(
        "lists-games-twice", "games", Altered(wire.Games, lambda _, games: replace(games, rows=games.rows * 2))
    ),
    ServerVariant(
        "profile-of-another",
        "profile",
        Altered(wire.Profile, lambda _, profile: replace(profile, player=Player("Another"))),
    ),
    ServerVariant("never-rates", "rated", Altered(wire.Rated, lambda _, rated: ())),
    ServerVariant("rates-one-player", "rated", Altered(wire.Rated, lambda _, rated: replace(rated, ratings=(1500,)))),
]
