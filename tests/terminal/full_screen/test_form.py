"""A form: selecting fields, changing values, typing and buttons."""

from __future__ import annotations

from textual.app import App, ComposeResult

from parlour.terminal.full_screen.form import Field, Form
from parlour.terminal.ui.options import Choice

SIZES = (Choice(8, "small"), Choice(12, "large"))


class FormApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.posted: list[str] = []

    def compose(self) -> ComposeResult:
        yield Form(
            [
                Field("size", "Size", 8, SIZES),
                Field("name", "Name"),
                Field("seed", "Seed", digits=True),
                Field("go", "Go", is_button=True),
            ],
            id="form",
        )

    def on_mount(self) -> None:
        self.query_one(Form).focus()

    def on_form_changed(self, event: Form.Changed) -> None:
        self.posted.append(f"changed {event.field.key}")

    def on_form_moved(self, event: Form.Moved) -> None:
        self.posted.append(f"moved {event.field.key}")

    def on_form_pressed(self, event: Form.Pressed) -> None:
        self.posted.append(f"pressed {event.key}")


async def test_choices_text_and_buttons() -> None:
    """Arrows change a choice and move, characters go into text fields, Enter presses the button."""
    app = FormApp()
    async with app.run_test() as pilot:
        form = app.query_one(Form)
        await pilot.press(
            "right", "right", "left", "down", "A", "n", "x", "backspace", "tab", "a", "7", "down", "enter"
        )
        await pilot.pause()

        assert form.values == {"size": 12, "name": "An", "seed": "7"}
        assert app.posted[:4] == ["changed size"] * 3 + ["moved name"]
        assert app.posted[-2:] == ["moved go", "pressed go"]
        assert "< large >" in form.text
        assert "[ Go ]" in form.text


async def test_new_fields_keep_the_selection() -> None:
    """The same field stays selected if it still exists; otherwise the first one is."""
    app = FormApp()
    async with app.run_test():
        form = app.query_one(Form)
        form.go("seed")
        form.set_fields([Field("game", "Game"), Field("seed", "Seed")])
        assert form.current.key == "seed"
        form.set_fields([Field("game", "Game")])
        assert form.current.key == "game"


def test_a_secret_is_not_shown() -> None:
    """A password field shows stars."""
    assert Field("password", "Password", "abc", secret=True).shown == "***"
