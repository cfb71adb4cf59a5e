"""What somebody likes; kept at once."""

from __future__ import annotations

from textual.app import ComposeResult

from parlour.client.drawing import Style
from parlour.client.terminal.form import Field, Form
from parlour.client.terminal.page import Page
from parlour.client.visit.fields import Choice
from parlour.client.words.times import PACES, pace, read_pace

YES_NO = (Choice(True, "yes"), Choice(False, "no"))
CHARACTERS = (Choice("auto", "as the terminal says"), Choice("unicode", "Unicode"), Choice("ascii", "ASCII only"))


class SettingsScreen(Page):
    """Changes are kept as they are made."""

    title_words = "Settings"
    keys = "Up/Down choose  Left/Right change  q back"
    ways_out = ("q", "escape")
    CSS = "#form { height: 1fr; padding: 1 2; }"

    def body(self) -> ComposeResult:
        settings = self.parlour_app.settings
        paces = tuple(Choice(each, pace(read_pace(each))) for each in dict.fromkeys((*PACES, settings.pace)))
        yield Form(
            [
                Field("pace", "Quick match", settings.pace, paces, "The pace of a quick match."),
                Field("bell", "Bell", settings.bell, YES_NO, "Ring once when it is your turn."),
                Field("confirm", "Ask before", settings.confirm, YES_NO, "Press Enter once more to play a turn."),
                Field("own_side_below", "Turn the board", settings.own_side_below, YES_NO, "Your side at the bottom."),
                Field("characters", "Characters", settings.characters, CHARACTERS, "What boards are drawn with."),
                Field("show_board", "Line mode board", settings.show_board, YES_NO, "Draw it after each move there."),
            ],
            id="form",
        )

    def on_mount(self) -> None:
        form = self.query_one("#form", Form)
        form.focus()
        self.say(form.here.help)

    def on_form_moved(self, event: Form.Moved) -> None:
        self.say(event.field.help)

    def on_form_changed(self, event: Form.Changed) -> None:
        app = self.parlour_app
        app.keep(**{event.field.key: event.field.value})
        app.drawing = chosen_style(app.settings.characters, app.found)
        self.say(event.field.help)


def chosen_style(characters: str, found: Style) -> Style:
    """The style of the terminal, with the characters that somebody wants."""
    return found if characters == "auto" else Style(characters == "unicode", found.colours)
