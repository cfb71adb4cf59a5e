"""The strongest players, game by game, and what is known of each."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from parlour.client.terminal.page import Page
from parlour.client.words.terms import player_words
from parlour.protocol.messages import Profile


class LeadersScreen(Page):
    """One game at a time; left and right change it."""

    keys = "Left/Right game  Up/Down player  Enter more  g games  q back"
    CSS = """
    #leaders { height: 1fr; margin: 0 1; }
    #player { height: auto; margin: 0 1; }
    """

    def __init__(self, game: str = "") -> None:
        super().__init__()
        self.game = game

    def body(self) -> ComposeResult:
        yield OptionList(id="leaders")
        yield Static("", id="player", markup=False)

    def on_mount(self) -> None:
        keys = [card.key for card in self.visit.parlour.games]
        self.game = self.game if self.game in keys else keys[0]
        self.query_one("#leaders", OptionList).focus()
        self._load()

    def _load(self) -> None:
        card = next(card for card in self.visit.parlour.games if card.key == self.game)
        self.title_words = f"Leaderboard: {card.name}"
        self.show_title()
        self.query_one("#player", Static).update("")
        self.attempt(self._show, group="leaders")

    async def _show(self) -> None:
        found = await self.visit.parlour.leaders(self.game)
        leaders = self.query_one("#leaders", OptionList)
        leaders.clear_options()
        for place, row in enumerate(found.rows, found.first + 1):
            words = f"{place:>4}  {player_words(row.player):32} {row.games:>5} games"
            leaders.add_option(Option(self.style_.legible(words), id=row.player.name))
        if found.rows:
            leaders.highlighted = 0
            self.say("")
        else:
            self.say("Nobody has a rating for this game yet. Rated games against people change that.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.attempt(partial(self._profile, event.option_id))

    async def _profile(self, name: str) -> None:
        profile = await self.visit.parlour.player(name)
        lines = profile_lines(profile)
        self.query_one("#player", Static).update(self.style_.legible("\n".join(lines).replace("\n", " | ")))

    def on_key(self, event: events.Key) -> None:
        keys = [card.key for card in self.visit.parlour.games]
        step = {"left": -1, "right": 1}.get(event.key, 0)
        if step:
            event.stop()
            self.game = keys[(keys.index(self.game) + step) % len(keys)]
            self._load()
        elif event.key == "g":
            leaders = self.query_one("#leaders", OptionList)
            if leaders.highlighted is not None:
                self.parlour_app.games(str(leaders.get_option_at_index(leaders.highlighted).id))
        elif event.key in ("q", "escape"):
            event.stop()
            self.dismiss()


def profile_lines(profile: Profile) -> list[str]:
    """A player in words."""
    owner = f", a bot of {profile.owner}" if profile.owner else ""
    lines = [f"{profile.player.name}{owner}, {'here' if profile.online else 'not here'}"]
    for row in profile.ratings:
        place = f", place {row.place}" if row.place else ""
        lines.append(
            f"{row.game}: {row.rating} ± {2 * row.deviation}, {row.games} games,"
            f" {row.won} won, {row.lost} lost, {row.drawn} drawn{place}"
        )
    return lines
