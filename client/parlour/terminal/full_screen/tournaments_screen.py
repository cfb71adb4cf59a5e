"""The tournaments of the server: those being played, those that take entries, and the last ones."""

from __future__ import annotations

from time import time

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from parlour.protocol.messages import TournamentSummary
from parlour.terminal.full_screen.choice_list import ChoiceList, choice
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.tournament import summary_line

HEADINGS = {"running": "Being played", "open": "Open for entries", "finished": "Finished"}


class TournamentsScreen(Page):
    """A list of tournaments; Enter opens one."""

    title_text = "Tournaments"
    keys = "Up/Down choose  Enter open  u update  q back"
    exit_keys = ("q", "escape")
    CSS = "#tournaments { height: 1fr; margin: 0 1; }"

    def body(self) -> ComposeResult:
        yield ChoiceList(id="tournaments")

    def on_mount(self) -> None:
        self.query_one("#tournaments", OptionList).focus()

    def on_screen_resume(self) -> None:
        self.attempt(self._load, group="load")

    async def _load(self) -> None:
        pages = {
            "running": await self.client.tournaments.page("running"),
            "open": await self.client.tournaments.page("open"),
            "finished": await self.client.tournaments.page("finished"),
        }
        listed = self.query_one("#tournaments", OptionList)
        selected = None if listed.highlighted_option is None else listed.highlighted_option.id
        options: list[Option] = []
        for status, page in pages.items():
            if page.rows:
                options.append(Option(HEADINGS[status], disabled=True))
                options += [choice(self._words(row), row.tournament) for row in page.rows]
        listed.clear_options()
        listed.add_options(options)
        choices = [number for number, option in enumerate(options) if not option.disabled]
        at = next((number for number in choices if options[number].id == selected), next(iter(choices), None))
        listed.highlighted = at
        self.say("Enter opens a tournament." if choices else "There are no tournaments.")

    def _words(self, row: TournamentSummary) -> str:
        card = next((card for card in self.client.games if card.key == row.settings.terms.game), None)
        return self.style_.legible(summary_line(row, card, round(time() * 1000)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.parlour_app.show_tournament(event.option_id)

    def on_key(self, event: events.Key) -> None:
        if event.key == "u":
            self.attempt(self._load, group="load")
