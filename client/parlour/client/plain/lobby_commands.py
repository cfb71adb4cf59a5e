"""What can be typed while you sit at no table."""

from __future__ import annotations

import asyncio
import getpass
import sys
from time import time
from typing import get_args, get_type_hints

from msgspec.structs import fields

from parlour.client.drawing import render
from parlour.client.plain.line_client import WIDTH, Command, LineClient
from parlour.client.plain.wish import Wish, find_game, read_wish, words_of
from parlour.client.visit.replay import Replay
from parlour.client.visit.settings import Settings
from parlour.client.waiting import Waiting
from parlour.client.words.outcome import short
from parlour.client.words.rulebook import rulebook_lines
from parlour.client.words.terms import player_words, terms_line
from parlour.client.words.times import PACE_FORMS, ago, read_pace
from parlour.protocol.errors import ErrorCode, Refusal

WAIT_FOR = 60.0  # seconds, unless another number is said


class LobbyCommands:
    """Ways to a table, and things to look up."""

    def __init__(self, client: LineClient) -> None:
        self.client = client
        self.waiting: Waiting | None = None
        self.commands = {
            "games": Command("games", "the games with their options and the levels of the computer", self.games),
            "computer": Command("computer GAME [LEVEL] [first|second]", "play the computer", self.computer),
            "here": Command("here GAME", "two people at this keyboard", self.here),
            "computers": Command("computers GAME LEVEL LEVEL", "the computer plays itself", self.computers),
            "quick": Command("quick GAME [PACE] [rated]", "the next fitting player", self.quick),
            "seek": Command("seek GAME [PACE] [rated] [first|second]", "an open table", self.seek),
            "invite": Command("invite GAME [PACE] [to NAME]", "a friend, by name or with a code", self.invite),
            "join": Command("join CODE", "sit down at an open table, or accept an invitation", self.join),
            "decline": Command("decline CODE", "say no to an invitation", self.decline),
            "wait": Command("wait [SECONDS]", "wait for an opponent, and go to the table", self.wait),
            "cancel": Command("cancel", "do not wait any longer", self.cancel),
            "tables": Command("tables", "open tables", self.tables),
            "watch": Command("watch [TABLE]", "games that are on, or one of them", self.watch),
            "open": Command("open [TABLE]", "go on with a game of yours", self.open),
            "mine": Command("mine", "your games, those that are on and those that are over", self.mine),
            "replay": Command("replay TABLE", "look at a game from its beginning", self.replay),
            "leaders": Command("leaders GAME", "the strongest players", self.leaders),
            "player": Command("player NAME", "what is known of a player", self.player),
            "rules": Command("rules GAME", "the rules, with boards", self.rules),
            "preview": Command("preview GAME [KEY=VALUE]", "the board as it would be", self.preview),
            "paces": Command("paces", "how a pace is written", self.paces),
            "register": Command("register NAME", "keep a name; the password is asked for", self.register),
            "signin": Command("signin NAME", "be somebody who has an account", self.sign_in),
            "signout": Command("signout", "be a new guest", self.sign_out),
            "settings": Command("settings", "what can be set, and how it is", self.settings),
            "set": Command("set NAME VALUE", "change a setting", self.set),
            "help": Command("help", "this list; games take options as KEY=VALUE", self.help),
            "quit": Command("quit", "leave", self.quit),
        }

    def _wish(self, text: str, pace: str = "none") -> Wish:
        return read_wish(self.client.visit.parlour.games, words_of(text), pace)

    # -- ways to a table

    async def computer(self, text: str) -> None:
        wish = self._wish(text)
        level = wish.levels[0] if wish.levels else self._usual_level(wish)
        seat = 1 if wish.seat == "second" else 0
        table = await self.client.visit.parlour.play_computer(wish.terms, level, seat)
        await self.client.sit_down(await self.client.visit.sit(table))

    def _usual_level(self, wish: Wish) -> str:
        known = [level.key for level in wish.card.levels]
        usual = self.client.settings.level
        return usual if usual in known else known[0]

    async def here(self, text: str) -> None:
        wish = self._wish(text)
        await self.client.sit_down(await self.client.visit.share(wish.terms))

    async def computers(self, text: str) -> None:
        wish = self._wish(text)
        levels = wish.levels or (self._usual_level(wish),)
        table = await self.client.visit.parlour.watch_computers(wish.terms, levels[0], levels[-1])
        await self.client.sit_down(await self.client.visit.sit(table))

    async def quick(self, text: str) -> None:
        wish = self._wish(text, self.client.settings.pace)
        self.waiting = await self.client.visit.parlour.queue(wish.terms)
        self.client.say(f"Looking for somebody who wants the same: {terms_line(wish.terms, wish.card)}.", "Type wait.")

    async def seek(self, text: str) -> None:
        wish = self._wish(text, self.client.settings.pace)
        self.waiting = await self.client.visit.parlour.seek(wish.terms, wish.seat)
        self.client.say(f"Your table {self.waiting.seek} is open: {terms_line(wish.terms, wish.card)}.", "Type wait.")

    async def invite(self, text: str) -> None:
        wish = self._wish(text)
        self.waiting = await self.client.visit.parlour.challenge(wish.terms, wish.to, wish.seat)
        whom = f"{wish.to} is invited" if wish.to else f"Tell your friend this code: {self.waiting.seek}"
        self.client.say(f"{whom}. {terms_line(wish.terms, wish.card)}.", "Type wait.")

    async def join(self, text: str) -> None:
        await self.client.sit_down(await self.client.visit.sit(await self.client.visit.parlour.accept(text)))

    async def decline(self, text: str) -> None:
        await self.client.visit.parlour.decline(text)
        self.client.say("Declined.")

    async def wait(self, text: str) -> None:
        if self.waiting is None:
            self.client.say("There is nothing to wait for. Type quick, seek or invite first.")
            return
        seconds = float(text) if text.replace(".", "", 1).isdecimal() else WAIT_FOR
        try:
            async with asyncio.timeout(seconds):
                table = await self.waiting.table()
        except TimeoutError:
            self.client.say("Nobody has come yet. Type wait to go on waiting, or cancel.")
            return
        except Refusal:
            self.waiting = None
            raise
        self.waiting = None
        await self.client.sit_down(await self.client.visit.sit(table))

    async def cancel(self, text: str) -> None:
        waiting, self.waiting = self.waiting, None
        if waiting is not None and not waiting.over:
            await waiting.cancel()
            self.client.say("You do not wait any longer.")

    async def open(self, text: str) -> None:
        running = list(self.client.visit.parlour.running)
        room = text or (running[0] if running else "")
        if not room:
            self.client.say("None of your games is on.")
            return
        await self.client.sit_down(await self.client.visit.open(room))

    # -- lists

    async def games(self, text: str) -> None:
        for card in self.client.visit.parlour.games:
            self.client.say(f"{card.key}: {card.name}. {card.summary}")
            for spec in card.options:
                values = ", ".join(map(str, spec.choices)) or ("on, off" if spec.kind == "switch" else "a number")
                self.client.say(f"  {spec.key}={spec.default} ({values}) {spec.help}")
            levels = ", ".join(f"{level.key} {level.title}" for level in card.levels)
            self.client.say(f"  levels: {levels}")

    async def tables(self, text: str) -> None:
        async with self.client.visit.parlour.lobby() as lobby:
            for seek in lobby.seeks.values():
                card = next((card for card in self.client.visit.parlour.games if card.key == seek.terms.game), None)
                words = f"{player_words(seek.player)}: {terms_line(seek.terms, card)}"
                self.client.say(f"  join {seek.seek}  {words}")
            if not lobby.seeks:
                self.client.say("No open tables. Make one with seek, or play the computer.")

    async def watch(self, text: str) -> None:
        if text:
            await self.client.sit_down(await self.client.visit.open(text))
            return
        async with self.client.visit.parlour.lobby() as lobby:
            for room, game in lobby.live.items():
                players = " against ".join(player_words(player) for player in game.players)
                self.client.say(f"  watch {room}  {game.game}: {players}, move {game.ply}")
            if not lobby.live:
                self.client.say("Nobody plays at the moment.")

    async def mine(self, text: str) -> None:
        parlour = self.client.visit.parlour
        # The answer comes after the games that are on were told, which is done right after the welcome.
        page = await parlour.records.page(player=parlour.you.name)
        for room in parlour.running:
            self.client.say(f"  open {room}  is on")
        now = int(time() * 1000)
        for row in page.rows:
            card = next((card for card in parlour.games if card.key == row.game), None)
            players = " against ".join(player_words(player) for player in row.players)
            result = short(row.result, card.seats) if card else ""
            self.client.say(
                f"  replay {row.room}  {row.game}: {players}, {result}, {row.plies} moves, {ago(now - row.ended)}"
            )
        if not parlour.running and not page.rows:
            self.client.say("You have played no games yet.")

    async def replay(self, text: str) -> None:
        await self.client.look_back(Replay(await self.client.visit.parlour.records.record(text)))

    async def leaders(self, text: str) -> None:
        card = find_game(self.client.visit.parlour.games, text)
        found = await self.client.visit.parlour.leaders(card.key)
        for place, row in enumerate(found.rows, found.first + 1):
            self.client.say(f"  {place}. {player_words(row.player)}, {row.games} games")
        if not found.rows:
            self.client.say("Nobody has a rating for this game yet.")

    async def player(self, text: str) -> None:
        profile = await self.client.visit.parlour.player(text)
        self.client.say(f"{profile.player.name}, {'here' if profile.online else 'not here'}.")
        for row in profile.ratings:
            self.client.say(f"  {row.game}: {row.rating}, {row.games} games, {row.won} won, {row.lost} lost")

    async def rules(self, text: str) -> None:
        card = find_game(self.client.visit.parlour.games, text)
        rules = await self.client.visit.parlour.rules(card.key)
        for line in rulebook_lines(rules, style=self.client.style, width=WIDTH):
            self.client.say(render(line, self.client.style).rstrip())

    async def preview(self, text: str) -> None:
        shown = await self.client.visit.parlour.preview(self._wish(text).terms)
        self.client.draw(shown.board, shown.scene)

    async def paces(self, text: str) -> None:
        self.client.say(PACE_FORMS)

    # -- who you are

    async def _password(self) -> str:
        if sys.stdin.isatty():
            return await asyncio.to_thread(getpass.getpass)
        return (await self.client.console.read() or "").strip()

    async def register(self, text: str) -> None:
        await self.client.visit.register(text, await self._password())
        self.client.say(f"You are {self.client.visit.parlour.you.name} now, with an account.")

    async def sign_in(self, text: str) -> None:
        await self.client.visit.sign_in(text, await self._password())
        self.client.say(f"You are {self.client.visit.parlour.you.name} now.")

    async def sign_out(self, text: str) -> None:
        await self.client.visit.sign_out()
        self.client.say(f"You are {self.client.visit.parlour.you.name} now, a guest.")

    # -- the client itself

    async def settings(self, text: str) -> None:
        for field in fields(Settings):
            self.client.say(f"  {field.name} = {getattr(self.client.settings, field.name)}")

    async def set(self, text: str) -> None:
        name, _, value = text.partition(" ")
        kinds = get_type_hints(Settings)
        if name not in kinds:
            raise Refusal(ErrorCode.OPTION_UNKNOWN, f"There is no setting “{name}”. There are {', '.join(kinds)}.")
        if name == "pace":
            read_pace(value)
        allowed = get_args(kinds[name]) or (("on", "off") if kinds[name] is bool else ())
        if allowed and value not in allowed:
            raise Refusal(ErrorCode.OPTION_INVALID, f"{name} can be {', '.join(allowed)}.")
        self.client.keep(**{name: value == "on" if kinds[name] is bool else value})
        self.client.say(f"{name} = {getattr(self.client.settings, name)}")

    async def help(self, text: str) -> None:
        self.client.help()

    async def quit(self, text: str) -> None:
        self.client.quits = True
