"""Commands about tournaments, in the lobby."""

from __future__ import annotations

from functools import partial
from time import time
from typing import Literal

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Tournament, TournamentSummary
from parlour.protocol.types import GameCard
from parlour.terminal.plain import outputs
from parlour.terminal.plain.line_client import Command, LineClient
from parlour.terminal.text.tournament import (
    GAP,
    pairing_lines,
    progress,
    settings_line,
    standing_lines,
    summary_line,
)

Status = Literal["open", "running", "finished"]
STATUSES: tuple[Status, ...] = ("open", "running", "finished")


class TournamentCommands:
    """Finding tournaments, looking at them, and taking part. A notice says when a game begins."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.commands = {
            "tournaments": Command(f"tournaments [{'|'.join(STATUSES)}]", "list tournaments", self.tournaments),
            "tournament": Command("tournament ID [ROUND]", "show the standings, or a round", self.tournament),
            "enter": Command("enter ID [CODE] [team=NAME]", "take part in a tournament", self.enter),
            "pause": Command("pause ID", "stop being paired in a tournament", partial(self.pause, on=True)),
            "unpause": Command("unpause ID", "be paired again", partial(self.pause, on=False)),
            "withdraw": Command("withdraw ID", "leave a tournament; your results remain", self.withdraw),
        }

    def _card(self, summary: TournamentSummary) -> GameCard | None:
        game = summary.settings.terms.game
        return next((card for card in self.ui.session.client.games if card.key == game), None)

    async def tournaments(self, text: str) -> None:
        chosen = [status for status in STATUSES if status == text]
        if text and not chosen:
            raise Refusal(ErrorCode.OPTION_INVALID, f"Choose one of: {', '.join(STATUSES)}.")
        rows: list[TournamentSummary] = []
        for status in chosen or STATUSES:
            rows += (await self.ui.session.client.tournaments.page(status)).rows
        now = _now()
        described = [(row.tournament, summary_line(row, self._card(row), now).replace(GAP, ", ")) for row in rows]
        lines = [f"  tournament {id}  {words}" for id, words in described]
        self.ui.show(outputs.TournamentList(tuple(rows)), *(lines or ["There are no tournaments."]))

    async def tournament(self, text: str) -> None:
        id, _, number = text.partition(" ")
        tournaments = self.ui.session.client.tournaments
        if number:
            if not number.isdecimal():
                raise Refusal(
                    ErrorCode.REQUEST_MALFORMED, "Give the number of a round, or 0 for the games of an arena."
                )
            page = await tournaments.round(id, int(number[:6]))
            lines = pairing_lines(page.games, page.byes)
            self.ui.show(
                outputs.TournamentPairings(id, page.round, page.games, page.byes), *(lines or ["There are no games."])
            )
            return
        news = await tournaments.follow(id)
        whole = await anext(news)
        await tournaments.unfollow(id)
        assert isinstance(whole, Tournament)
        summary, you = whole.summary, self.ui.session.client.you.name
        self.ui.show(
            outputs.TournamentShown(whole),
            f"{summary.settings.name}: {progress(summary, _now(), whole)}.",
            settings_line(summary.settings, self._card(summary)).replace(GAP, ", "),
            *standing_lines(whole, whole.standings, you),
            *pairing_lines(whole.games, whole.byes),
        )

    async def enter(self, text: str) -> None:
        id, *words = text.split()
        teams = [word.removeprefix("team=") for word in words if word.startswith("team=")]
        code = " ".join(word for word in words if not word.startswith("team="))
        await self.ui.session.client.join_tournament(id, code=code, team=teams[0] if teams else None)
        self.ui.say("You take part. A notice tells you when a game begins.")

    async def pause(self, text: str, *, on: bool) -> None:
        await self.ui.session.client.tournaments.pause(text, on=on)
        self.ui.say("You are not paired until you type unpause." if on else "You are paired again.")

    async def withdraw(self, text: str) -> None:
        await self.ui.session.client.tournaments.withdraw(text)
        self.ui.say("You have withdrawn. Your results remain.")


def _now() -> int:
    return round(time() * 1000)
