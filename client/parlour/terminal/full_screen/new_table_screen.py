"""A new table: a form built from the server's description of the game."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from parlour.protocol.errors import Refusal
from parlour.protocol.pace import format_pace
from parlour.protocol.types import GameCard, OptionSpec, OptionValue, Terms
from parlour.terminal.drawing import draw, largest_scale
from parlour.terminal.full_screen.form import Field, Form
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.text.terms import level_label, terms_line
from parlour.terminal.text.times import PACES, parse_pace
from parlour.terminal.ui.options import Choice, choices, parse_option

AGAINST = (
    Choice("anyone", "a random opponent"),
    Choice("open", "anyone, at an open table"),
    Choice("friend", "a friend, by name or code"),
    Choice("computer", "the computer"),
    Choice("here", "a person at this screen"),
    Choice("computers", "computer against computer"),
)
CUSTOM = "custom"
FORM_WIDTH = 50
FRAME = 4  # lines: title, two of help, keys


class NewTableScreen(Page):
    """The form, and beside it a preview of the board if there is room."""

    title_text = "New table"
    keys = "Up/Down field  Left/Right change  Ctrl+S start  Esc back"
    exit_keys = ("escape",)
    CSS = """
    #new { height: 1fr; }
    #form { width: 50; height: 1fr; padding: 1 0; }
    #preview { width: auto; height: 1fr; }
    NewTableScreen > #sentence { max-height: 6; }
    """

    def __init__(self, terms: Terms | None = None, against: str = "", invited: str = "") -> None:
        super().__init__()
        self._terms = terms
        self._against = against
        self._invited = invited
        self._pace_chosen = False
        self._layouts: dict[str, str] = {}  # custom layouts, by option

    def body(self) -> ComposeResult:
        with Horizontal(id="new"):
            yield Form(self._fields(self._first_values()), id="form")
            yield Lines(id="preview")

    @property
    def form(self) -> Form:
        return self.query_one("#form", Form)

    def _first_values(self) -> dict[str, OptionValue]:
        settings, terms = self.parlour_app.settings, self._terms
        keys = [card.key for card in self.client.games]
        game = terms.game if terms is not None else settings.game if settings.game in keys else keys[0]
        against = self._against or ("computer" if self.session.is_offline else "anyone")
        values: dict[str, OptionValue] = {
            "game": game,
            "against": against,
            "pace": settings.pace,
            "invited": self._invited,
        }
        if terms is not None:
            values |= {f"option:{key}": value for key, value in terms.options.items() if key != "seed"}
        return values

    def _card(self, key: OptionValue) -> GameCard:
        return next(card for card in self.client.games if card.key == key)

    def _fields(self, values: dict[str, OptionValue]) -> list[Field]:
        card = self._card(values["game"])
        against = values["against"]
        games = tuple(Choice(each.key, each.name) for each in self.client.games)
        fields = [
            Field("game", "Game", card.key, games, card.summary),
            Field("against", "Against", against, self._opponents(), "Your opponent."),
        ]
        if against == "friend":
            words = "The name of a player who is online; empty: you get a code to pass on."
            fields.append(Field("invited", "Name", values.get("invited", ""), help=words))
        elif against == "here":
            words = "What the second player is called; empty: a name is made up."
            fields.append(Field("second_name", "Second player", values.get("second_name", ""), help=words))
        for spec in card.options:
            field = self._option_field(spec, values)
            fields.append(field)
            if field.value == CUSTOM:
                fields.append(
                    Field(f"edit:{spec.key}", "Edit the board", is_button=True, help="With the keyboard or the mouse.")
                )
        if against in ("computer", "computers"):
            fields += self._level_fields(card, against, values)
        if against in ("open", "friend", "computer"):
            seats: tuple[Choice, ...] = (
                Choice("any", "either"),
                Choice("first", card.seats[0].name),
                Choice("second", card.seats[1].name),
            )
            seats = seats[1:] if against == "computer" else seats
            seat = values.get("seat", seats[0].value)
            seat = seat if seat in [choice.value for choice in seats] else seats[0].value
            fields.append(Field("seat", "Your side", seat, seats, f"{card.seats[0].name} moves first."))
        paces = tuple(Choice(each, format_pace(parse_pace(each))) for each in PACES)
        clock = values.get("pace", "10+5")
        if not self._pace_chosen:
            clock = "none" if against in ("here", "computer", "computers") else self.parlour_app.settings.pace
        if clock not in PACES:
            paces = (*paces, Choice(clock, format_pace(parse_pace(str(clock)))))
        fields.append(Field("pace", "Pace", clock, paces, "The time control. “Other pace” takes every other kind."))
        fields.append(Field("other_pace", "Other pace", values.get("other_pace", ""), help=(
            "30 a move, 3 days, 10+3x30 (byoyomi), 10+15/300 (Canadian), 5 delay 3, 5 back 3")))  # fmt: skip
        if against in ("anyone", "open", "friend"):
            rated = (Choice(False, "no"), Choice(True, "yes"))
            fields.append(
                Field("rated", "Rated", values.get("rated", False), rated, "Whether the game changes your rating.")
            )
        fields.append(Field("start", "Start", is_button=True, help="Or press Ctrl+S in any field."))
        return fields

    def _opponents(self) -> tuple[Choice, ...]:
        """Offline, those who need no one else come first."""
        alone = ("computer", "here", "computers")
        return tuple(sorted(AGAINST, key=lambda each: self.session.is_offline and each.value not in alone))

    def _option_field(self, spec: OptionSpec, values: dict[str, OptionValue]) -> Field:
        key = f"option:{spec.key}"
        listed = choices(spec)
        if spec.kind == "layout":
            listed = (*listed, Choice(CUSTOM, "custom"))
            value = values.get(key, spec.default)
            if value not in [choice.value for choice in listed]:
                self._layouts[spec.key], value = str(value), CUSTOM
            return Field(key, spec.title, value, listed, spec.help)
        if spec.kind == "number":
            # The server chooses where the field is empty.
            return Field(key, spec.title, values.get(key, ""), help=spec.help, digits=True)
        return Field(key, spec.title, values.get(key, spec.default), listed, spec.help)

    def _level_fields(self, card: GameCard, against: OptionValue, values: dict[str, OptionValue]) -> list[Field]:
        levels = tuple(Choice(level.key, level_label(level)) for level in card.levels)
        known = [level.key for level in card.levels]
        summaries = {level.key: level.summary or "How strong the computer is." for level in card.levels}
        wanted = values.get("level", self.parlour_app.settings.level)
        level = wanted if wanted in known else known[0]
        if against == "computer":
            return [Field("level", "Level", level, levels, summaries[str(level)])]
        other = values.get("level2", level)
        other = other if other in known else level
        return [
            Field("level", card.seats[0].name, level, levels, summaries[str(level)]),
            Field("level2", card.seats[1].name, other, levels, summaries[str(other)]),
        ]

    def on_mount(self) -> None:
        self.set_focus(self.form)  # now, so that the next key finds it
        self.say(self.form.current.help)
        self._preview()

    # -- changes

    def on_form_moved(self, event: Form.Moved) -> None:
        self.say(event.field.help)

    def on_form_changed(self, event: Form.Changed) -> None:
        if event.field.key == "pace":
            self._pace_chosen = True
        if event.field.key in ("game", "against", "level", "level2") or event.field.value == CUSTOM:
            self.form.set_fields(self._fields(self.form.values))
        self.say(self.form.current.help)
        if event.field.key.startswith("option:") or event.field.key == "game":
            self._preview()

    def _preview(self) -> None:
        self.attempt(self._show_preview, group="preview")

    async def _show_preview(self) -> None:
        try:
            found = await self.client.preview(Terms(str(self.form.values["game"]), self._options()))
        except ConnectionError:
            return  # shown in the title
        except Refusal:
            self.query_one("#preview", Lines).show([])  # rather than a board that is not the chosen one
            raise
        preview = self.query_one("#preview", Lines)
        scale = largest_scale(found.board, self.size.width - FORM_WIDTH, self.size.height - FRAME)
        preview.display = scale is not None
        preview.show(draw(found.board, found.scene, style=self.style_, scale=scale or 0))

    def on_resize(self) -> None:
        self._preview()

    def _options(self) -> dict[str, OptionValue]:
        card = self._card(self.form.values["game"])
        options: dict[str, OptionValue] = {}
        for spec in card.options:
            value = self.form.values.get(f"option:{spec.key}", "")
            if spec.kind == "number":
                if value != "":
                    options[spec.key] = parse_option(spec, str(value))
            elif value == CUSTOM:
                if spec.key in self._layouts:
                    options[spec.key] = self._layouts[spec.key]
            elif value != spec.default:
                options[spec.key] = value
        return options

    # -- keys

    def on_key(self, event: events.Key) -> None:
        if event.key == "ctrl+s":
            event.stop()
            self._start_once()
        elif event.key == "question_mark" and (self.form.current.choices or self.form.current.is_button):
            event.stop()
            self.app.push_screen(HelpScreen())

    def on_form_pressed(self, event: Form.Pressed) -> None:
        kind, _, key = event.key.partition(":")
        if kind == "edit":
            self._edit_layout(key)
        else:
            self._start_once()

    def _start_once(self) -> None:
        self.attempt_once(self._start, "Starting the game.")

    async def _start(self) -> None:
        app, client, values = self.parlour_app, self.client, self.form.values
        card = self._card(values["game"])
        missing = [
            spec.key
            for spec in card.options
            if values.get(f"option:{spec.key}") == CUSTOM and spec.key not in self._layouts
        ]
        if missing:
            self._edit_layout(missing[0])
            return
        typed_pace = str(values["other_pace"]).strip() or str(values["pace"])
        terms = Terms(card.key, self._options(), parse_pace(typed_pace), bool(values.get("rated", False)))
        app.save_settings(
            game=card.key, pace=typed_pace if values["against"] in ("anyone", "open") else app.settings.pace
        )
        seat = str(values.get("seat", "any"))
        words = terms_line(terms, card)
        match values["against"]:
            case "anyone":
                app.show_waiting(await client.queue(terms), f"Looking for an opponent: {words}.", terms)
            case "open":
                pending = await client.seek(terms, seat)  # type: ignore[arg-type]
                waiting = f"Your table is open: {words}. The game starts when another player joins."
                app.show_waiting(pending, waiting, terms)
            case "friend":
                invited = str(values["invited"]).strip()
                pending = await client.challenge(terms, invited or None, seat=seat)  # type: ignore[arg-type]
                if invited:
                    waiting = f"You invited {invited}: {words}. The game starts when {invited} accepts."
                else:
                    waiting = f"Tell your friend this code: {pending.seek}\n\n{words}. The game starts once it is used."
                app.show_waiting(pending, waiting, terms)
            case "computer":
                level = str(values["level"])
                app.save_settings(level=level)
                table = await client.play_computer(terms, level, 1 if seat == "second" else 0)
                app.show_table(await self.session.view(table))
            case "here":
                await self.session.name_second_player(str(values["second_name"]).strip())
                app.show_table(await self.session.hotseat(terms))
            case _:
                table = await client.watch_computers(terms, str(values["level"]), str(values["level2"]))
                app.show_table(await self.session.view(table))

    def _edit_layout(self, key: str) -> None:
        def save(text: str) -> None:
            self._layouts[key] = text
            self._preview()

        card = self._card(self.form.values["game"])
        option = next(option for option in card.options if option.key == key)
        current: dict[str, OptionValue] = {key: self._layouts[key]} if key in self._layouts else {}
        self.parlour_app.edit_layout(Terms(card.key, current), option, save)
