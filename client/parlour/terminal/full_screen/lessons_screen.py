"""The games that can be learnt."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.widgets import OptionList

from parlour.protocol.types import GameCard
from parlour.terminal.full_screen.choice_list import ChoiceList, choice
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.plural import plural


class LessonsScreen(Page):
    """A list of the games that have a lesson."""

    title_text = "Learn a game"
    keys = "Up/Down choose  Enter start  q back"
    exit_keys = ("q", "escape")
    CSS = "#lessons { height: 1fr; margin: 0 1; }"

    def body(self) -> ComposeResult:
        yield ChoiceList(*(choice(self._words(card), card.key) for card in self._cards), id="lessons")

    @property
    def _cards(self) -> list[GameCard]:
        return [card for card in self.client.games if card.lesson_minutes]

    def _words(self, card: GameCard) -> str:
        minutes = plural(card.lesson_minutes, "minute")
        return f"{card.name}, {minutes}\n{self.style_.legible(card.summary)}\n"

    def on_mount(self) -> None:
        lessons = self.query_one("#lessons", OptionList)
        lessons.highlighted = 0
        self.set_focus(lessons)

    def on_screen_resume(self) -> None:
        self.say("Which game would you like to learn?")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.attempt_once(partial(self.parlour_app.open_lesson, event.option_id), "Opening the lesson.")
