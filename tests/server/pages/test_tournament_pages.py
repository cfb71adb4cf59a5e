"""Tournaments in links and in the HTML."""

from __future__ import annotations

from parlour.protocol.messages import StandingRow, Tournament, Tournaments, TournamentSummary
from parlour.protocol.types import Clock, Player, Terms, TournamentSettings
from parlour.server.pages.tournament_pages import content, description, facts, list_content, picture

TERMS = Terms("mapello", clock=Clock("fischer", 300_000, 3_000), rated=True)
ARENA = TournamentSettings(name="<b>Lunch</b>", format="arena", terms=TERMS, duration=1_800_000)


def summary(status: str, **values: object) -> TournamentSummary:
    return TournamentSummary("Kp3v", ARENA, status, 22, **values)  # type: ignore[arg-type]


def test_what_a_link_says() -> None:
    """The format, the game, the clock, the players, and what can be done there."""
    start = "Arena in Mapello, 5 min + 3 s, 22 players."
    assert description(summary("open")) == f"{start} Open for entries: join from your browser."
    assert description(summary("running")) == f"{start} Being played: watch it live."
    assert description(summary("finished", winner=Player("Ada"))) == f"{start} Ada won."
    assert description(summary("cancelled")) == f"{start} It is over."
    assert facts(ARENA) == "Arena for 30 minutes · Mapello · 5 min + 3 s · rated · people and bots"
    assert picture(summary("open")).title == "<b>Lunch</b>"


def test_names_are_text() -> None:
    """Whatever players and organisers call themselves is never markup."""
    row = StandingRow(1, Player("<i>Ada</i>"), 350)
    shown = content(Tournament(n=1, summary=summary("running"), standings=(row,)))
    assert "&lt;b&gt;Lunch&lt;/b&gt;" in shown
    assert "&lt;i&gt;Ada&lt;/i&gt;" in shown
    assert "<b>3.5</b>" in shown
    assert "No players yet." in content(Tournament(n=1, summary=summary("open")))


def test_the_list_leads_to_each_tournament() -> None:
    """Below a path prefix, too; a list without tournaments says so, except that of running ones."""
    shown = list_content({"open": Tournaments(id=0, rows=(summary("open"),))}, "/games")
    assert 'href="/games/tournaments/Kp3v"' in shown
    assert "&lt;b&gt;Lunch" in shown
    assert "Being played" not in shown
    assert "None right now." in shown
