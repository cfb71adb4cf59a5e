"""The menu of another player: block, mute or report."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult

from parlour.terminal.full_screen.form import Field, Form
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.report_reasons import REASONS, find_reason
from parlour.terminal.ui.options import Choice


class PlayerScreen(Page):
    """A form with the name of the player, and buttons."""

    title_text = "Block, mute or report a player"
    keys = "Up/Down choose  type a value  Enter continue  Esc back"
    exit_keys = ("escape",)
    CSS = "#form { height: 1fr; padding: 1 2; }"

    def __init__(self, name: str = "", room: str | None = None) -> None:
        """`room`: the game that a report is about."""
        super().__init__()
        self._name_given = name
        self._room = room

    def body(self) -> ComposeResult:
        reasons = tuple(Choice(key, words) for key, words in REASONS.items())
        yield Form(
            [
                Field("name", "Player", self._name_given, help="The name of the player."),
                Field("mute", "Mute", is_button=True, help="Hide what the player writes in the chat."),
                Field("unmute", "Unmute", is_button=True, help="Show it again."),
                Field("block", "Block", is_button=True, help="Never be paired, invited or written to by the player."),
                Field("unblock", "Unblock", is_button=True, help="End that."),
                Field("reason", "Reason", next(iter(REASONS)), reasons, help="What a report is about."),
                Field("text", "What happened", "", help="For the operator, in one line. You can leave it out."),
                Field("report", "Report", is_button=True, help="Tell the operator about the player."),
            ],
            id="form",
        )

    def on_mount(self) -> None:
        form = self.query_one("#form", Form)
        form.focus()
        if self._name_given:
            form.go("mute")
        self.say(form.current.help)

    def on_form_moved(self, event: Form.Moved) -> None:
        self.say(event.field.help)

    def on_form_pressed(self, event: Form.Pressed) -> None:
        self.attempt(partial(self._submit, event.key))

    async def _submit(self, action: str) -> None:
        values = self.query_one("#form", Form).values
        name = str(values["name"]).strip()
        if not name:
            self.say("Enter the name of the player first.")
            return
        moderation = self.client.moderation
        match action:
            case "mute" | "unmute":
                await moderation.mute(name, on=action == "mute")
                self.say(f"You have {action}d {name}.")
            case "block" | "unblock":
                await moderation.block(name, on=action == "block")
                self.say(f"You have {action}ed {name}.")
            case _:
                reason = find_reason(str(values["reason"])) or "other"
                await moderation.report(name, reason, str(values["text"]).strip(), self._room)
                self.say(f"You have reported {name}. Thank you.")
