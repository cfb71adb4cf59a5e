"""Who you are: keep your name with a password, be somebody else, or a new guest."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult

from parlour.client.terminal.form import Field, Form
from parlour.client.terminal.page import Page
from parlour.client.words.terms import player_words


class AccountScreen(Page):
    """One form for all of it."""

    keys = "Up/Down choose  type a value  Enter go on  Esc back"
    ways_out = ("escape",)
    CSS = "#form { height: 1fr; padding: 1 2; }"

    def body(self) -> ComposeResult:
        you = self.visit.parlour.you
        yield Form(
            [
                Field("name", "Name", you.name if you.guest else "", help="Letters, digits, spaces, - and _."),
                Field("password", "Password", "", secret=True, help="Eight characters or more."),
                Field("sign_in", "Sign in", acts=True, help="Be somebody who has an account here."),
                Field("register", "Keep this name", acts=True, help="Make an account, with everything played so far."),
                Field(
                    "sign_out", "Sign out", acts=True, help="Be a new guest. A guest who signs out is gone for good."
                ),
            ],
            id="form",
        )

    def on_mount(self) -> None:
        self._show_who()
        form = self.query_one("#form", Form)
        form.focus()
        self.say(form.here.help)

    def _show_who(self) -> None:
        you = self.visit.parlour.you
        self.title_words = f"You are {player_words(you)}{', a guest' if you.guest else ''}"
        self.show_title()

    def on_form_moved(self, event: Form.Moved) -> None:
        self.say(event.field.help)

    def on_form_done(self, event: Form.Done) -> None:
        self.attempt(partial(self._do, event.key))

    async def _do(self, what: str) -> None:
        values = self.query_one("#form", Form).values
        name, password = str(values["name"]).strip(), str(values["password"])
        if what == "sign_out":
            await self.visit.sign_out()
        elif not name or not password:
            self.say("Write a name and a password first.")
            return
        elif what == "register":
            await self.visit.register(name, password)
        else:
            await self.visit.sign_in(name, password)
        if what != "register":
            self.parlour_app.is_somebody_else()
        self._show_who()
        self.say(f"You are {player_words(self.visit.parlour.you)} now.")
