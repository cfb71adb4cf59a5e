"""The account: sign in, register or sign out."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult

from parlour.terminal.full_screen.form import Field, Form
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.question_screen import QuestionScreen
from parlour.terminal.text.terms import player_label


class AccountScreen(Page):
    """A form with a name, a password and buttons."""

    keys = "Up/Down choose  type a value  Enter continue  Esc back"
    exit_keys = ("escape",)
    CSS = "#form { height: 1fr; padding: 1 2; }"

    def body(self) -> ComposeResult:
        you = self.client.you
        yield Form(
            [
                Field("name", "Name", you.name if you.guest else "", help="Letters, digits, spaces, - and _."),
                Field("password", "Password", "", secret=True, help="Eight characters or more."),
                Field("sign_in", "Sign in", is_button=True, help="Switch to an account that you have here."),
                Field(
                    "register",
                    "Register",
                    is_button=True,
                    help="Create an account, which keeps the games you have played.",
                ),
                Field(
                    "sign_out",
                    "Sign out",
                    is_button=True,
                    help="Continue as a new guest. A guest who signs out cannot come back.",
                ),
            ],
            id="form",
        )

    def on_mount(self) -> None:
        self._show_name()
        form = self.query_one("#form", Form)
        form.focus()
        self.say(form.current.help)

    def _show_name(self) -> None:
        you = self.client.you
        self.title_text = f"You are {player_label(you)}{', a guest' if you.guest else ''}"
        self.show_title()

    def on_form_moved(self, event: Form.Moved) -> None:
        self.say(event.field.help)

    def on_form_pressed(self, event: Form.Pressed) -> None:
        submit = partial(self.attempt, partial(self._submit, event.key))
        if not self.is_on_top:
            return  # the key was pressed before the question appeared
        if event.key == "sign_out" and self.client.you.guest:
            self.app.push_screen(QuestionScreen("Sign out", "Sign out?", guest_lost(self.client.you.name), submit))
        else:
            submit()

    async def _submit(self, action: str) -> None:
        values = self.query_one("#form", Form).values
        name, password = str(values["name"]).strip(), str(values["password"])
        if action == "sign_out":
            await self.session.sign_out()
        elif not name or not password:
            self.say("Enter a name and a password first.")
            return
        elif action == "register":
            await self.session.register(name, password)
        else:
            await self.session.sign_in(name, password)
        if action != "register":
            self.parlour_app.identity_changed()
        self._show_name()
        self.say(f"You are now {player_label(self.client.you)}.")


def guest_lost(name: str) -> str:
    """Return the consequences for a guest who signs out."""
    return f"{name} is a guest and cannot come back. Games that are not over go on without you. Register to keep them."
