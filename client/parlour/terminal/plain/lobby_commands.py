"""Commands of the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import time

from msgspec.structs import replace

from parlour.client.pending_seek import PendingSeek
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import OnlinePlayer
from parlour.terminal.plain import outputs
from parlour.terminal.plain.game_request import GameRequest, find_game, parse_game_request, split_words
from parlour.terminal.plain.line_client import Command, LineClient
from parlour.terminal.plain.player_commands import PlayerCommands
from parlour.terminal.plain.setting_commands import SettingCommands
from parlour.terminal.plain.tournament_commands import TournamentCommands
from parlour.terminal.text.plural import plural
from parlour.terminal.text.result import short_result
from parlour.terminal.text.terms import level_label, player_label, terms_phrase
from parlour.terminal.text.times import PACE_FORMS, format_age
from parlour.terminal.ui.lesson_view import LessonView
from parlour.terminal.ui.replay import Replay

MAX_ONLINE = 200  # players that are listed
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
            "watch": Command("watch [TABLE|featured]", "list ongoing games, or watch one", self.watch),
            "online": Command("online", "list the players who are online", self.online),
            "open": Command("open [TABLE]", "continue one of your games", self.open),
            "mine": Command("mine", "list your ongoing and finished games", self.mine),
            "replay": Command("replay TABLE", "replay a game from the start", self.replay),
            "leaderboard": Command("leaderboard GAME", "show the strongest players", self.leaderboard),
            "player": Command("player NAME", "show a player's profile", self.player),
            **TournamentCommands(ui).commands,
            **PlayerCommands(ui).commands,
            "learn": Command("learn GAME", "learn a game: puzzles on its board, then a first game", self.learn),
            "rules": Command("rules GAME", "show the rules, with diagrams", self.rules),
            "preview": Command("preview GAME [KEY=VALUE]", "show the starting position", self.preview),
            "paces": Command("paces", "show how to write a pace", self.paces),
            "register": Command("register NAME", "create an account; asks for a password", self.register),
            "signin": Command("signin NAME", "sign in to an account; asks for the password", self.sign_in),
            "signout": Command("signout", "sign out and continue as a new guest", self.sign_out),
            **SettingCommands(ui).commands,
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
        self._show_waiting(request, f"Looking for an opponent: {terms_phrase(request.terms, request.card)}.")

    async def seek(self, text: str) -> None:
        request = self._request(text, self.ui.settings.pace)
        self.pending = await self.ui.session.client.seek(request.terms, request.seat)
        words = f"Your table {self.pending.seek} is open: {terms_phrase(request.terms, request.card)}."
        self._show_waiting(request, words)

    async def invite(self, text: str) -> None:
        request = self._request(text)
        self.pending = await self.ui.session.client.challenge(request.terms, request.to, request.seat)
        sent = f"{request.to} has been challenged" if request.to else f"Tell your friend this code: {self.pending.seek}"
        self._show_waiting(request, f"{sent}. {terms_phrase(request.terms, request.card)}.")

    def _show_waiting(self, request: GameRequest, words: str) -> None:
        assert self.pending is not None
        waiting = outputs.Waiting(seek=self.pending.seek, terms=request.terms, to=request.to)
        self.ui.show(waiting, words, "Type wait to wait.")

    async def join(self, text: str) -> None:
        await self.ui.open_table(await self.ui.session.view(await self.ui.session.client.accept(text)))

    async def decline(self, text: str) -> None:
        await self.ui.session.client.decline(text)
        self.ui.say("Declined.")

    async def wait(self, text: str) -> None:
        if self.pending is None:
            sentence = "You are not looking for an opponent. Type quick, seek or invite first."
            raise Refusal(ErrorCode.SEEK_GONE, sentence)
        seconds = float(text) if text.replace(".", "", 1).isdecimal() else WAIT_TIMEOUT
        try:
            async with asyncio.timeout(seconds):
                table = await self.pending.table()
        except TimeoutError:
            raise Refusal(ErrorCode.TRY_AGAIN, "No opponent yet. Type wait to keep waiting, or cancel.") from None
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
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "You have no ongoing games.")
        await self.ui.open_table(await self.ui.session.open(room))

    # -- lists

    async def games(self, text: str) -> None:
        lines = []
        for card in self.ui.session.client.games:
            lines.append(f"{card.key}: {card.name}. {card.summary}")
            for spec in card.options:
                values = ", ".join(map(str, spec.choices)) or ("on, off" if spec.kind == "switch" else "a number")
                lines.append(f"  {spec.key}={spec.default} ({values}) {spec.help}")
            lines.append("  levels:")
            lines += [f"    {level_label(level)}{f': {level.summary}' * bool(level.summary)}" for level in card.levels]
        self.ui.show(outputs.GameList(self.ui.session.client.games), *lines)

    async def tables(self, text: str) -> None:
        async with self.ui.session.client.lobby() as lobby:
            seeks = tuple(lobby.seeks.values())
        lines = []
        for seek in seeks:
            card = next((card for card in self.ui.session.client.games if card.key == seek.terms.game), None)
            lines.append(f"  join {seek.seek}  {player_label(seek.player)}: {terms_phrase(seek.terms, card)}")
        self.ui.show(
            outputs.TableList(seeks), *(lines or ["No open tables. Open one with seek, or play the computer."])
        )

    async def watch(self, text: str) -> None:
        if text and text != "featured":
            await self.ui.open_table(await self.ui.session.open(text))
            return
        async with self.ui.session.client.lobby() as lobby:
            live, featured = dict(lobby.live), lobby.featured
        if text and not featured:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "No games are being played.")
        if text:
            await self.ui.open_table(await self.ui.session.open(featured))
            return
        lines = []
        for room, game in live.items():
            players = " against ".join(player_label(player) for player in game.players)
            mark = ", featured" if room == featured else ""
            lines.append(f"  watch {room}  {game.game}: {players}, move {game.ply}{mark}")
        games = tuple(replace(game, board=None, scene=None) for game in live.values())
        self.ui.show(outputs.LiveGames(games, featured), *(lines or ["No games are being played."]))

    async def online(self, text: str) -> None:
        """List the players who are online, as far as the list goes."""
        rows: list[OnlinePlayer] = []
        page = await self.ui.session.client.online_players()
        rows += page.rows
        while page.more and len(rows) < MAX_ONLINE:
            page = await self.ui.session.client.online_players(page.more)
            rows += page.rows
        lines = [f"  {_online_line(row, self.ui.session.client.you.name)}" for row in rows]
        if page.more:
            lines.append("  … and more")
        elif not rows:  # right after the welcome, the player is not listed yet
            lines.append("You are the only one online.")
        self.ui.show(outputs.OnlineList(tuple(rows)), *lines)

    async def mine(self, text: str) -> None:
        client = self.ui.session.client
        # Right after the welcome the server announces the ongoing games. Its reply to this request comes after them.
        page = await client.records.page(player=client.you.name)
        lines = [f"  open {room}  ongoing" for room in client.ongoing_games]
        now = int(time() * 1000)
        for row in page.rows:
            card = next((card for card in client.games if card.key == row.game), None)
            players = " against ".join(player_label(player) for player in row.players)
            result = short_result(row.result, card.seats) if card else ""
            lines.append(
                f"  replay {row.room}  {row.game}: {players}, {result}, {plural(row.plies, 'move')},"
                f" {format_age(now - row.ended)}"
            )
        games = outputs.OwnGames(tuple(client.ongoing_games), page.rows)
        self.ui.show(games, *(lines or ["You have not played any games yet."]))

    async def replay(self, text: str) -> None:
        await self.ui.open_replay(Replay(await self.ui.session.client.records.record(text)))

    async def leaderboard(self, text: str) -> None:
        card = find_game(self.ui.session.client.games, text)
        found = await self.ui.session.client.leaderboard(card.key)
        lines = [
            f"  {place}. {player_label(row.player)}, {plural(row.games, 'game')}"
            for place, row in enumerate(found.rows, found.offset + 1)
        ]
        leaders = outputs.Leaders(card.key, found.rows)
        self.ui.show(leaders, *(lines or ["No player has a rating for this game yet."]))

    async def player(self, text: str) -> None:
        profile = await self.ui.session.client.profile(text)
        lines = [f"{profile.player.name}, {'online' if profile.online else 'offline'}."]
        lines += [
            f"  {row.game}: {row.rating}, {plural(row.games, 'game')}, {row.won} won, {row.lost} lost"
            for row in profile.ratings
        ]
        self.ui.show(outputs.PlayerProfile(profile), *lines)

    async def rules(self, text: str) -> None:
        card = find_game(self.ui.session.client.games, text)
        self.ui.show_rules(await self.ui.session.client.rules(card.key))

    async def learn(self, text: str) -> None:
        card = find_game(self.ui.session.client.games, text)
        await self.ui.open_lesson(await LessonView.open(self.ui.session.client, card.key))

    async def preview(self, text: str) -> None:
        shown = await self.ui.session.client.preview(self._request(text).terms)
        self.ui.draw(shown.board, shown.scene)
        self.ui.show(outputs.BoardPreview(shown.board, shown.scene))

    async def paces(self, text: str) -> None:
        self.ui.say(PACE_FORMS)

    # -- account

    async def _password(self) -> str:
        return (await self.ui.console.read_secret("Password: ")).strip()

    async def register(self, text: str) -> None:
        await self.ui.session.register(text, await self._password())
        self.ui.say(f"You are now {self.ui.session.client.you.name}, with an account.")

    async def sign_in(self, text: str) -> None:
        password = await self._password()
        async with self._changing_client():
            await self.ui.session.sign_in(text, password)
        self.ui.say(f"You are now {self.ui.session.client.you.name}.")

    async def sign_out(self, text: str) -> None:
        async with self._changing_client():
            await self.ui.session.sign_out()
        self.ui.say(f"You are now {self.ui.session.client.you.name}, a guest.")

    @asynccontextmanager
    async def _changing_client(self) -> AsyncIterator[None]:
        """Follow the new client afterwards, and say nothing about the end of the old one."""
        await self.ui.unfollow_client()
        self.pending = None
        try:
            yield
        finally:
            self.ui.follow_client()

    # -- settings

    async def help(self, text: str) -> None:
        self.ui.help()

    async def quit(self, text: str) -> None:
        self.ui.is_quitting = True


def _online_line(row: OnlinePlayer, you: str) -> str:
    """Return `Ada (you): replica 1588; watch m4Tq8Z`."""
    ratings = ", ".join(f"{game} {rating}" for game, rating in row.ratings.items())
    parts = [part for part in (ratings, *(f"watch {room}" for room in row.playing)) if part]
    name = f"{player_label(row.player)}{' (you)' if row.player.name == you else ''}"
    return f"{name}: {'; '.join(parts)}" if parts else name
