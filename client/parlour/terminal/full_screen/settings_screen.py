"""The settings, saved as they change."""

from __future__ import annotations

from textual.app import ComposeResult

from parlour.protocol.pace import format_pace
from parlour.terminal.full_screen.form import Field, Form
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.times import PACES, parse_pace
from parlour.terminal.ui.options import Choice

YES_NO = (Choice(True, "yes"), Choice(False, "no"))
THEMES = (
    Choice("auto", "as the terminal says"),
    Choice("dark", "dark"),
    Choice("light", "light"),
    Choice("contrast", "high contrast"),
)
CHARACTERS = (Choice("auto", "as the terminal allows"), Choice("unicode", "Unicode"), Choice("ascii", "ASCII only"))


class SettingsScreen(Page):
    """A form with the settings."""

    title_text = "Settings"
    keys = "Up/Down choose  Left/Right change  q back"
    exit_keys = ("q", "escape")
    CSS = "#form { height: 1fr; padding: 1 2; }"

    def body(self) -> ComposeResult:
        settings = self.parlour_app.settings
        paces = tuple(Choice(each, format_pace(parse_pace(each))) for each in dict.fromkeys((*PACES, settings.pace)))
        yield Form(
            [
                Field("pace", "Quick match", settings.pace, paces, "The pace of a quick match."),
                Field("bell", "Bell", settings.bell, YES_NO, "Ring once when it is your turn."),
                Field("confirm", "Confirm moves", settings.confirm, YES_NO, "Press Enter once more to play a move."),
                Field("own_side_below", "Rotate board", settings.own_side_below, YES_NO, "Your side at the bottom."),
                Field("theme", "Colours", settings.theme, THEMES, "Set NO_COLOR=1 in the environment for no colours."),
                Field(
                    "characters",
                    "Characters",
                    settings.characters,
                    CHARACTERS,
                    "The characters that boards are drawn with.",
                ),
                Field(
                    "show_board",
                    "Plain mode board",
                    settings.show_board,
                    YES_NO,
                    "Draw the board after each move in plain mode.",
                ),
            ],
            id="form",
        )

    def on_mount(self) -> None:
        form = self.query_one("#form", Form)
        form.focus()
        self.say(form.current.help)

    def on_form_moved(self, event: Form.Moved) -> None:
        self.say(event.field.help)

    def on_form_changed(self, event: Form.Changed) -> None:
        app = self.parlour_app
        app.save_settings(**{event.field.key: event.field.value})
        app.apply_settings()
        self.say(event.field.help)
