"""Commands of the lobby."""

from __future__ import annotations

import asyncio
import getpass
import sys
from time import time
from typing import get_args, get_type_hints

from msgspec.structs import fields

from parlour.client.address import socket_address
from parlour.client.drawing import render
from parlour.client.pending_seek import PendingSeek
from parlour.client.plain.game_request import GameRequest, find_game, parse_game_request, split_words
from parlour.client.plain.line_client import WIDTH, Command, LineClient
from parlour.client.text.result import short_result
from parlour.client.text.rules import rules_lines
from parlour.client.text.terms import player_label, terms_line
from parlour.client.text.times import PACE_FORMS, format_age, parse_pace
from parlour.client.ui.replay import Replay
from parlour.client.ui.settings import Settings
from parlour.protocol.errors import ErrorCode, Refusal

WAIT_TIMEOUT = 60.0  # seconds, unless the player gives another number


class LobbyCommands:
    """Finding games, and looking things up."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.pending: PendingSeek | None = None
        self.commands = {
            "games": Command("games", "list the games, their options and the computer's levels", self.games),
            "computer": Command("computer GAME [LEVEL] [first|second]", "play against the computer", self.computer),
            "here": Command("here GAME", "play with another person at this keyboard", self.here),
            "computers": Command("computers GAME LEVEL LEVEL", "watch the computer play itself", self.computers),
            "quick": Command("quick GAME [PACE] [rated]", "find an opponent who wants the same game", self.quick),
            "seek": Command("seek GAME [PACE] [rated] [first|second]", "open a table in the lobby", self.seek),
            "invite": Command(
                "invite GAME [PACE] [to NAME]", "challenge a friend, by name or with a code", self.invite
            ),
            "join": Command("join CODE", "join an open table, or accept a challenge", self.join),
            "decline": Command("decline CODE", "decline a challenge", self.decline),
            "wait": Command("wait [SECONDS]", "wait for an opponent, then go to the table", self.wait),
            "cancel": Command("cancel", "stop waiting", self.cancel),
            "tables": Command("tables", "list open tables", self.tables),
            "watch": Command("watch [TABLE]", "list ongoing games, or watch one", self.watch),
            "open": Command("open [TABLE]", "continue one of your games", self.open),
            "mine": Command("mine", "list your ongoing and finished games", self.mine),
            "replay": Command("replay TABLE", "replay a game from the start", self.replay),
            "leaderboard": Command("leaderboard GAME", "show the strongest players", self.leaderboard),
            "player": Command("player NAME", "show a player's profile", self.player),
            "rules": Command("rules GAME", "show the rules, with diagrams", self.rules),
            "preview": Command("preview GAME [KEY=VALUE]", "show the starting position", self.preview),
            "paces": Command("paces", "show how to write a pace", self.paces),
            "register": Command("register NAME", "create an account; asks for a password", self.register),
            "signin": Command("signin NAME", "sign in to an account; asks for the password", self.sign_in),
            "signout": Command("signout", "sign out and continue as a new guest", self.sign_out),
            "settings": Command("settings", "show the settings", self.settings),
            "set": Command("set NAME VALUE", "change a setting", self.set),
            "help": Command("help", "show this list; GAME may be followed by options as KEY=VALUE", self.help),
            "quit": Command("quit", "exit", self.quit),
        }

    def _request(self, text: str, pace: str = "none") -> GameRequest:
        return parse_game_request(self.ui.session.client.games, split_words(text), pace)

    # -- finding a game

    async def computer(self, text: str) -> None:
        request = self._request(text)
        level = request.levels[0] if request.levels else self._default_level(request)
        seat = 1 if request.seat == "second" else 0
        table = await self.ui.session.client.play_computer(request.terms, level, seat)
        await self.ui.open_table(await self.ui.session.view(table))

    def _default_level(self, request: GameRequest) -> str:
        known = [level.key for level in request.card.levels]
        preferred = self.ui.settings.level
        return preferred if preferred in known else known[0]

    async def here(self, text: str) -> None:
        request = self._request(text)
        await self.ui.open_table(await self.ui.session.hotseat(request.terms))

    async def computers(self, text: str) -> None:
        request = self._request(text)
        levels = request.levels or (self._default_level(request),)
        table = await self.ui.session.client.watch_computers(request.terms, levels[0], levels[-1])
        await self.ui.open_table(await self.ui.session.view(table))

    async def quick(self, text: str) -> None:
        request = self._request(text, self.ui.settings.pace)
        self.pending = await self.ui.session.client.queue(request.terms)
        self.ui.say(f"Looking for an opponent: {terms_line(request.terms, request.card)}.", "Type wait to wait.")

    async def seek(self, text: str) -> None:
        request = self._request(text, self.ui.settings.pace)
        self.pending = await self.ui.session.client.seek(request.terms, request.seat)
        self.ui.say(
            f"Your table {self.pending.seek} is open: {terms_line(request.terms, request.card)}.", "Type wait to wait."
        )

    async def invite(self, text: str) -> None:
        request = self._request(text)
        self.pending = await self.ui.session.client.challenge(request.terms, request.to, request.seat)
        sent = f"{request.to} has been challenged" if request.to else f"Tell your friend this code: {self.pending.seek}"
        self.ui.say(f"{sent}. {terms_line(request.terms, request.card)}.", "Type wait to wait.")

    async def join(self, text: str) -> None:
        await self.ui.open_table(await self.ui.session.view(await self.ui.session.client.accept(text)))

    async def decline(self, text: str) -> None:
        await self.ui.session.client.decline(text)
        self.ui.say("Declined.")

    async def wait(self, text: str) -> None:
        if self.pending is None:
            self.ui.say("You are not looking for an opponent. Type quick, seek or invite first.")
            return
        seconds = float(text) if text.replace(".", "", 1).isdecimal() else WAIT_TIMEOUT
        try:
            async with asyncio.timeout(seconds):
                table = await self.pending.table()
        except TimeoutError:
            self.ui.say("No opponent yet. Type wait to keep waiting, or cancel.")
            return
        except Refusal:
            self.pending = None
            raise
        self.pending = None
        await self.ui.open_table(await self.ui.session.view(table))

    async def cancel(self, text: str) -> None:
        pending, self.pending = self.pending, None
        if pending is not None and not pending.done:
            await pending.cancel()
            self.ui.say("You are no longer waiting.")

    async def open(self, text: str) -> None:
        ongoing = list(self.ui.session.client.ongoing_games)
        room = text or (ongoing[0] if ongoing else "")
        if not room:
            self.ui.say("You have no ongoing games.")
            return
        await self.ui.open_table(await self.ui.session.open(room))

    # -- lists

    async def games(self, text: str) -> None:
        for card in self.ui.session.client.games:
            self.ui.say(f"{card.key}: {card.name}. {card.summary}")
            for spec in card.options:
                values = ", ".join(map(str, spec.choices)) or ("on, off" if spec.kind == "switch" else "a number")
                self.ui.say(f"  {spec.key}={spec.default} ({values}) {spec.help}")
            levels = ", ".join(f"{level.key} {level.title}" for level in card.levels)
            self.ui.say(f"  levels: {levels}")

    async def tables(self, text: str) -> None:
        async with self.ui.session.client.lobby() as lobby:
            for seek in lobby.seeks.values():
                card = next((card for card in self.ui.session.client.games if card.key == seek.terms.game), None)
                words = f"{player_label(seek.player)}: {terms_line(seek.terms, card)}"
                self.ui.say(f"  join {seek.seek}  {words}")
            if not lobby.seeks:
                self.ui.say("No open tables. Open one with seek, or play the computer.")

    async def watch(self, text: str) -> None:
        if text:
            await self.ui.open_table(await self.ui.session.open(text))
            return
        async with self.ui.session.client.lobby() as lobby:
            for room, game in lobby.live.items():
                players = " against ".join(player_label(player) for player in game.players)
                self.ui.say(f"  watch {room}  {game.game}: {players}, move {game.ply}")
            if not lobby.live:
                self.ui.say("No games are being played.")

    async def mine(self, text: str) -> None:
        client = self.ui.session.client
        # Right after the welcome the server announces the ongoing games. Its reply to this request comes after them.
        page = await client.records.page(player=client.you.name)
        for room in client.ongoing_games:
            self.ui.say(f"  open {room}  ongoing")
        now = int(time() * 1000)
        for row in page.rows:
            card = next((card for card in client.games if card.key == row.game), None)
            players = " against ".join(player_label(player) for player in row.players)
            result = short_result(row.result, card.seats) if card else ""
            self.ui.say(
                f"  replay {row.room}  {row.game}: {players}, {result}, {row.plies} moves,"
                f" {format_age(now - row.ended)}"
            )
        if not client.ongoing_games and not page.rows:
            self.ui.say("You have not played any games yet.")

    async def replay(self, text: str) -> None:
        await self.ui.open_replay(Replay(await self.ui.session.client.records.record(text)))

    async def leaderboard(self, text: str) -> None:
        card = find_game(self.ui.session.client.games, text)
        found = await self.ui.session.client.leaderboard(card.key)
        for place, row in enumerate(found.rows, found.offset + 1):
            self.ui.say(f"  {place}. {player_label(row.player)}, {row.games} games")
        if not found.rows:
            self.ui.say("No player has a rating for this game yet.")

    async def player(self, text: str) -> None:
        profile = await self.ui.session.client.profile(text)
        self.ui.say(f"{profile.player.name}, {'online' if profile.online else 'offline'}.")
        for row in profile.ratings:
            self.ui.say(f"  {row.game}: {row.rating}, {row.games} games, {row.won} won, {row.lost} lost")

    async def rules(self, text: str) -> None:
        card = find_game(self.ui.session.client.games, text)
        rules = await self.ui.session.client.rules(card.key)
        for line in rules_lines(rules, style=self.ui.style, width=WIDTH):
            self.ui.say(render(line, self.ui.style).rstrip())

    async def preview(self, text: str) -> None:
        shown = await self.ui.session.client.preview(self._request(text).terms)
        self.ui.draw(shown.board, shown.scene)

    async def paces(self, text: str) -> None:
        self.ui.say(PACE_FORMS)

    # -- account

    async def _password(self) -> str:
        if sys.stdin.isatty():
            return await asyncio.to_thread(getpass.getpass)
        return (await self.ui.console.read() or "").strip()

    async def register(self, text: str) -> None:
        await self.ui.session.register(text, await self._password())
        self.ui.say(f"You are now {self.ui.session.client.you.name}, with an account.")

    async def sign_in(self, text: str) -> None:
        await self.ui.session.sign_in(text, await self._password())
        self.ui.say(f"You are now {self.ui.session.client.you.name}.")

    async def sign_out(self, text: str) -> None:
        await self.ui.session.sign_out()
        self.ui.say(f"You are now {self.ui.session.client.you.name}, a guest.")

    # -- settings

    async def settings(self, text: str) -> None:
        for field in fields(Settings):
            self.ui.say(f"  {field.name} = {getattr(self.ui.settings, field.name)}")

    async def set(self, text: str) -> None:
        name, _, value = text.partition(" ")
        kinds = get_type_hints(Settings)
        if name not in kinds:
            raise Refusal(
                ErrorCode.OPTION_UNKNOWN, f"There is no setting “{name}”. The settings are {', '.join(kinds)}."
            )
        self._check_setting(name, value)
        allowed = get_args(kinds[name]) or (("on", "off") if kinds[name] is bool else ())
        if allowed and value not in allowed:
            raise Refusal(ErrorCode.OPTION_INVALID, f"{name} must be one of: {', '.join(allowed)}.")
        self.ui.save_settings(**{name: value == "on" if kinds[name] is bool else value})
        if name == "name":
            self.ui.session.preferred_name = value
        self.ui.say(f"{name} = {getattr(self.ui.settings, name)}")

    def _check_setting(self, name: str, value: str) -> None:
        """Refuse a value that could not be used later."""
        cards = self.ui.session.client.games
        match name:
            case "pace":
                parse_pace(value)
            case "server" if value:
                socket_address(value)
            case "game" if value:
                find_game(cards, value)
            case "level":
                levels = {level.key: None for card in cards for level in card.levels}
                if value not in levels:
                    sentence = f"The computer has no level “{value}”. Its levels are {', '.join(levels)}."
                    raise Refusal(ErrorCode.LEVEL_UNKNOWN, sentence)
            case _:
                pass

    async def help(self, text: str) -> None:
        self.ui.help()

    async def quit(self, text: str) -> None:
        self.ui.quitting = True
