"""The strongest players, game by game, and what is known of each."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from parlour.client.terminal.game_page import GamePage
from parlour.client.words.terms import player_words
from parlour.protocol.messages import Profile


class LeadersScreen(GamePage):
    """To choose one, and see more."""

    subject = "Leaderboard"
    keys = "Left/Right game  Up/Down player  Enter more  g games  q back"
    CSS = """
    #leaders { height: 1fr; margin: 0 1; }
    #player { height: auto; margin: 0 1; }
    """

    def body(self) -> ComposeResult:
        yield OptionList(id="leaders")
        yield Static("", id="player", markup=False)

    def on_mount(self) -> None:
        self.query_one("#leaders", OptionList).focus()

    async def load(self) -> None:
        self.query_one("#player", Static).update("")
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
        if event.key == "g":
            leaders = self.query_one("#leaders", OptionList)
            if leaders.highlighted is not None:
                self.parlour_app.games(str(leaders.get_option_at_index(leaders.highlighted).id))


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
