"""A tournament: standings, pairings, and the player's own part in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import time

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from parlour.protocol.messages import Tournament, TournamentChanged, TournamentSaid, YourTournament
from parlour.terminal.full_screen.line_editor import LineEditor
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.question_screen import QuestionScreen
from parlour.terminal.text.tournament import (
    next_step,
    pairing_lines,
    progress,
    settings_line,
    standing_lines,
    takes_entries,
    withdrawal,
)

REFRESH_INTERVAL = 1.0  # seconds, for the countdown
TAKES_PART = ("entered", "waiting", "playing", "paused")
MARGINS = 4  # columns beside the standings, with the scroll bar
PAUSING = ("arena", "swiss")  # formats in which a player may pause


class TournamentScreen(Page):
    """Follows a tournament while it is shown. The player's next game opens by itself."""

    title_text = "Tournament"
    keys = "Up/Down read  q back"
    exit_keys = ("q", "escape")
    CSS = """
    #facts { height: auto; margin: 0 1; }
    #scroll { height: 1fr; margin: 1 0 0 0; }
    #rows { margin: 0 1; width: 1fr; }
    """

    def __init__(self, tournament: str) -> None:
        super().__init__()
        self.tournament_id = tournament
        self.tournament: Tournament | None = None
        self.own: YourTournament | None = None

    def body(self) -> ComposeResult:
        yield Static("", id="facts", markup=False)
        with VerticalScroll(id="scroll"):
            yield Static("", id="rows", markup=False)

    def on_mount(self) -> None:
        self.query_one("#scroll").focus()
        self.attempt(self._follow, group="follow")
        self.set_interval(REFRESH_INTERVAL, self._show_facts)

    def on_resize(self) -> None:
        self.show_tournament()

    def on_unmount(self) -> None:
        self.parlour_app.unfollow(self.tournament_id)

    async def _follow(self) -> None:
        async for news in await self.client.tournaments.follow(self.tournament_id):
            match news:
                case Tournament():
                    self.tournament = news
                case TournamentChanged() if self.tournament is not None:
                    self.tournament = changed(self.tournament, news)
                case YourTournament():
                    self._own_changed(news)
                case TournamentSaid():
                    self.say(f"{news.name}: {news.text}")
                case _:
                    pass
            self.show_tournament()

    def _own_changed(self, own: YourTournament) -> None:
        self.own = own
        if self.tournament is not None:
            self.say(next_step(own, self.tournament.summary))

    async def _open(self, room: str) -> None:
        self.parlour_app.show_table(await self.session.open(room))

    # -- what is shown

    def show_tournament(self) -> None:
        tournament = self.tournament
        if tournament is None or not self.is_open:
            return
        self.title_text = tournament.summary.settings.name
        self.show_title()
        self._show_facts()
        games = pairing_lines(tournament.games, tournament.byes, has_rooms=False)
        width = self.size.width - MARGINS
        lines = standing_lines(tournament, tournament.standings, self.client.you.name, width)
        self._show_lines("#rows", *lines, *(["", "Games", *games] if games else []))
        self.show_keys([*self.key_hints(), "Up/Down read", "q back"])

    def key_hints(self) -> Iterator[str]:
        """Yield the keys that do something now, the most important first."""
        tournament = self.tournament
        if tournament is None:
            return
        summary, state = tournament.summary, self._state
        may_pause = summary.settings.format in PAUSING
        if state not in TAKES_PART and takes_entries(summary):
            yield "j join"
        if self._own_room is not None:
            yield "t your game"
        elif tournament.featured is not None:
            yield "t top table"
        if state in TAKES_PART and may_pause:
            yield "p resume" if state == "paused" else "p pause"
        if state in TAKES_PART:
            yield "w withdraw"
        yield "c chat"

    @property
    def _state(self) -> str:
        """The player's part, or nothing for a spectator."""
        return "" if self.own is None else self.own.state

    @property
    def _own_room(self) -> str | None:
        """The room of the player's running game."""
        return self.own.room if self.own is not None and self.own.state == "playing" else None

    def _show_facts(self) -> None:
        tournament = self.tournament
        if tournament is None or not self.is_open:
            return
        settings = tournament.summary.settings
        card = next((card for card in self.client.games if card.key == settings.terms.game), None)
        now = round(time() * 1000)
        self._show_lines("#facts", settings_line(settings, card), progress(tournament.summary, now, tournament))

    def _show_lines(self, selector: str, *lines: str) -> None:
        self.query_one(selector, Static).update("\n".join(map(self.style_.legible, lines)))

    # -- keys

    def on_key(self, event: events.Key) -> None:
        if not self.handles_line(event) and self.do(event.character or ""):
            event.stop()

    def do(self, key: str) -> bool:
        """Do what a key means. Return False if it means nothing here."""
        if self.tournament is None:
            return False
        summary, tournaments = self.tournament.summary, self.client.tournaments
        match key:
            case "j" if summary.needs_code:
                self.ask_line(LineEditor("Code", "the code of the organiser"), self._join)
            case "j":
                self._join("")
            case "p":
                paused = self._state == "paused"
                self.attempt_once(partial(tournaments.pause, self.tournament_id, on=not paused), "Sending.")
            case "w" if self._state in TAKES_PART:
                consequences = withdrawal(summary)
                self.app.push_screen(
                    QuestionScreen(summary.settings.name, "Withdraw from it?", consequences, self._withdraw)
                )
            case "w":
                self.say("You do not take part.")
            case "c":
                self.ask_line(LineEditor("Chat", "a message to all who follow"), self._chat)
            case "t":
                self.attempt_once(self._watch, "Opening the table.")
            case _:
                return False
        return True

    def _join(self, code: str) -> None:
        teams = () if self.tournament is None else self.tournament.summary.settings.teams
        if teams:
            self.ask_line(LineEditor("Team", ", ".join(teams)), partial(self._start_entering, code))
        else:
            self._start_entering(code)

    def _start_entering(self, code: str, team: str = "") -> None:
        self.attempt_once(partial(self._enter, code, team or None), "Joining.")

    async def _enter(self, code: str, team: str | None) -> None:
        await self.client.join_tournament(self.tournament_id, code=code, team=team)
        self.say("You take part. Your game opens here by itself.")

    def _withdraw(self) -> None:
        self.attempt(partial(self.client.tournaments.withdraw, self.tournament_id))

    def _chat(self, text: str) -> None:
        if text:
            self.attempt(partial(self.client.tournaments.say, self.tournament_id, text))

    async def _watch(self) -> None:
        """Open the player's own game, or else the one at the top table."""
        room = self._own_room or (None if self.tournament is None else self.tournament.featured)
        if room is None:
            self.say("No games are being played.")
        else:
            await self._open(room)


def changed(before: Tournament, change: TournamentChanged) -> Tournament:
    """Return a tournament after a change. An older one, which arrived late, changes nothing."""
    if change.n < before.n:
        return before
    return Tournament(
        n=change.n,
        summary=before.summary if change.summary is None else change.summary,
        round=before.round if change.round is None else change.round,
        rounds=before.rounds if change.rounds is None else change.rounds,
        next_round=change.next_round,
        standings=before.standings if change.standings is None else change.standings,
        games=before.games if change.games is None else change.games,
        byes=before.byes if change.byes is None else change.byes,
        teams=before.teams if change.teams is None else change.teams,
        tie_breaks=before.tie_breaks,
        featured=change.featured,
    )
