"""The pages about tournaments as links and the first paint show them. Pure.

The markup is that of the browser client.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from parlour import games
from parlour.games.sample import sample
from parlour.protocol.messages import StandingRow, Tournament, Tournaments, TournamentSummary
from parlour.protocol.pace import format_pace
from parlour.protocol.types import TournamentSettings
from parlour.server.pages.link_image import LinkPicture, is_drawable

FORMATS = {
    "arena": "Arena",
    "swiss": "Swiss",
    "round_robin": "Round robin",
    "knockout": "Knockout",
    "simul": "Simul",
}
ENTRANTS = {"all": "people and bots", "people": "people only", "bots": "bots only"}
HEADINGS = {"running": "Being played", "open": "Open for entries", "finished": "Finished"}
MINUTE = 60_000


def game_name(settings: TournamentSettings) -> str:
    """Return the display name of the game that is played."""
    key = settings.terms.game
    return games.find(key).info.name if key in games.keys() else key


def facts(settings: TournamentSettings) -> str:
    """Return the most important settings on one line."""
    length = f" for {settings.duration // MINUTE} minutes" if settings.format == "arena" else ""
    return " · ".join(
        (
            f"{FORMATS[settings.format]}{length}",
            game_name(settings),
            format_pace(settings.terms.clock),
            "rated" if settings.terms.rated else "casual",
            ENTRANTS[settings.entrants],
        )
    )


def description(summary: TournamentSummary) -> str:
    """Return the description of a link to a tournament."""
    settings = summary.settings
    pace, players = format_pace(settings.terms.clock), f"{summary.players} players"
    kind = f"{FORMATS[settings.format]} in {game_name(settings)}, {pace}, {players}"
    match summary.status:
        case "open":
            return f"{kind}. Open for entries: join from your browser."
        case "running":
            return f"{kind}. Being played: watch it live."
        case "finished" if summary.winner is not None:
            return f"{kind}. {summary.winner.name} won."
        case _:
            return f"{kind}. It is over."


def picture(summary: TournamentSummary) -> LinkPicture:
    """Return the picture of a link to a tournament. Takes some milliseconds."""
    settings = summary.settings
    name = settings.name if is_drawable(settings.name) else f"A tournament of {game_name(settings)}"
    key = settings.terms.game if settings.terms.game in games.keys() else next(iter(games.keys()))
    return LinkPicture(*sample(games.find(key)), name, description(summary))


def list_content(pages: Mapping[str, Tournaments], path_prefix: str) -> str:
    """Return all tournaments, those being played first."""
    parts = []
    for status, heading in HEADINGS.items():
        rows = pages[status].rows if status in pages else ()
        lines = "".join(_line(row, path_prefix) for row in rows)
        shown = f'<ul class="card rows tournaments">{lines}</ul>' if rows else ""
        if rows or status != "running":
            empty = "" if rows else '<p class="card empty-note">None right now.</p>'
            parts.append(f'<section class="part" aria-label="{heading}"><h2>{heading}</h2>{shown}{empty}</section>')
    head = '<div class="head"><h1>Tournaments</h1></div>'
    return f'<main id="content" class="page reading">{head}{"".join(parts)}</main>'


def _line(row: TournamentSummary, path_prefix: str) -> str:
    return (
        f'<li><a class="tournament-line" href="{escape(path_prefix)}/tournaments/{escape(row.tournament)}">'
        f'<span class="what"><b>{escape(row.settings.name)}</b><small>{escape(facts(row.settings))}</small></span>'
        f'<span class="how"><span>{row.players} players</span></span><span class="when"></span></a></li>'
    )


def content(tournament: Tournament) -> str:
    """Return a tournament with the first page of its standings."""
    summary = tournament.summary
    head = (
        '<header class="tournament-head"><div>'
        f'<h1>{escape(summary.settings.name)}</h1><p class="muted">{escape(facts(summary.settings))}</p>'
        "</div></header>"
    )
    return (
        f'<main id="content" class="page tournament">{head}<div class="columns"><div class="column">'
        f'<section class="card standings" aria-label="Standings"><div class="head"><h2>Standings</h2></div>'
        f"{_standings(tournament.standings)}</section></div></div></main>"
    )


def _standings(rows: Sequence[StandingRow]) -> str:
    if not rows:
        return '<p class="empty-note">No players yet.</p>'
    lines = "".join(
        f'<tr><td class="num">{row.rank}</td><th scope="row">{escape(row.player.name)}</th>'
        f'<td class="amount num points"><b>{row.points / 100:g}</b></td></tr>'
        for row in rows
    )
    titles = '<th scope="col">#</th><th scope="col">Player</th><th scope="col" class="amount">Points</th>'
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"
