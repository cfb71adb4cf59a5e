"""The strongest players of each game, and their profiles."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from parlour.protocol.messages import Profile
from parlour.terminal.full_screen.choice_list import ChoiceList
from parlour.terminal.full_screen.game_page import GamePage
from parlour.terminal.text.plural import plural
from parlour.terminal.text.terms import player_label


class LeaderboardScreen(GamePage):
    """A ranked list; Enter shows a player's profile."""

    subject = "Leaderboard"
    keys = "Left/Right game  Up/Down player  Enter profile  g games  q back"
    CSS = """
    #leaderboard { height: 1fr; margin: 0 1; }
    #player { height: auto; margin: 0 1; }
    """

    def body(self) -> ComposeResult:
        yield ChoiceList(id="leaderboard")
        yield Static("", id="player", markup=False)

    def on_mount(self) -> None:
        self.query_one("#leaderboard", OptionList).focus()

    async def load(self) -> None:
        self.query_one("#player", Static).update("")
        found = await self.client.leaderboard(self.game)
        rows = self.query_one("#leaderboard", OptionList)
        rows.clear_options()
        for place, row in enumerate(found.rows, found.offset + 1):
            words = f"{place:>4}  {player_label(row.player):32} {plural(row.games, 'game'):>11}"
            rows.add_option(Option(self.style_.legible(words), id=row.player.name))
        if found.rows:
            rows.highlighted = 0
            self.say("")
        else:
            self.say("No player has a rating for this game yet. Play a rated game to get one.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.attempt(partial(self._profile, event.option_id))

    async def _profile(self, name: str) -> None:
        profile = await self.client.profile(name)
        lines = profile_lines(profile)
        self.query_one("#player", Static).update(self.style_.legible("\n".join(lines).replace("\n", " | ")))

    def on_key(self, event: events.Key) -> None:
        if event.key == "g":
            rows = self.query_one("#leaderboard", OptionList)
            if rows.highlighted is not None:
                self.parlour_app.show_games(str(rows.get_option_at_index(rows.highlighted).id))


def profile_lines(profile: Profile) -> list[str]:
    """Return a profile in words."""
    owner = f", a bot of {profile.owner}" if profile.owner else ""
    lines = [f"{profile.player.name}{owner}, {'online' if profile.online else 'offline'}"]
    for row in profile.ratings:
        place = f", place {row.place}" if row.place else ""
        lines.append(
            f"{row.game}: {row.rating} ± {2 * row.deviation}, {plural(row.games, 'game')},"
            f" {row.won} won, {row.lost} lost, {row.drawn} drawn{place}"
        )
    return lines
