"""Tournaments in words: settings, standings, pairings, and a player's next step. Times are in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from parlour.protocol.messages import (
    RoundResult,
    StandingRow,
    Tournament,
    TournamentGame,
    TournamentSummary,
    YourTournament,
)
from parlour.protocol.types import GameCard, Player, TournamentSettings
from parlour.terminal.text.plural import plural
from parlour.terminal.text.terms import player_label, terms_line
from parlour.terminal.text.times import format_countdown

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
FORMATS = {
    "arena": "Arena",
    "swiss": "Swiss",
    "round_robin": "Round robin",
    "knockout": "Knockout",
    "simul": "Simul",
}
ONE_COLUMN = {"arena": ["Last games"], "simul": ["Results"]}  # for all results of a player
LATE = ("arena", "swiss")  # formats that players may enter after the start
FIXED_COLUMNS = 3  # of the standings: rank, player, points
CUT = "..."  # in place of older results
GAP = "  "  # between columns
ENTRANTS = {"all": "people and bots", "people": "people only", "bots": "bots only"}


def format_points(hundredths: int) -> str:
    """Return points as players write them: `3½` for 350."""
    whole, rest = divmod(hundredths, 100)
    if rest == 50:
        return f"{whole or ''}½"
    return f"{whole}{f'.{rest:02}'.rstrip('0') if rest else ''}"


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th`."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def settings_line(settings: TournamentSettings, card: GameCard | None) -> str:
    """Return `Arena, 30 min  Mapello  5 min + 3 s  rated  people and bots`."""
    length = f", {settings.duration // MINUTE} min" if settings.format == "arena" and settings.duration else ""
    parts = [f"{FORMATS[settings.format]}{length}", terms_line(settings.terms, card), ENTRANTS[settings.entrants]]
    if settings.ratings is not None:
        parts.append(f"rating {settings.ratings[0]} to {settings.ratings[1]}")
    if settings.every:
        parts.append(f"every {interval(settings.every)}")
    return "  ".join(parts)


def interval(time: int) -> str:
    """Return the time between two starts: `day`, `6 hours`, `90 minutes`."""
    for unit, name in ((7 * DAY, "week"), (DAY, "day"), (HOUR, "hour")):
        if time % unit == 0:
            return name if time == unit else plural(time // unit, name)
    return plural(time // MINUTE, "minute")


def progress(summary: TournamentSummary, now: int, tournament: Tournament | None = None) -> str:
    """Return the progress of a tournament: `starts in 4:20`, `round 2 of 5`, `Ann won`."""
    match summary.status:
        case "open":
            missing = summary.settings.min_players - summary.players
            if summary.start:
                return f"starts in {until(summary.start, now)}"
            return f"waits for {missing} more" if missing > 0 else "starts now"
        case "running" if tournament is not None and tournament.next_round is not None:
            return f"round {tournament.round + 1} in {until(tournament.next_round, now)}"
        case "running" if tournament is not None and tournament.round:
            return f"round {tournament.round}{f' of {tournament.rounds}' if tournament.rounds else ''}"
        case "running":
            if not summary.end:
                return "being played"
            return f"ends in {until(summary.end, now)}" if summary.end > now else "time is up, last games"
        case "finished":
            return "finished" if summary.winner is None else f"{summary.winner.name} won"
        case _:
            return summary.status


def until(moment: int, now: int) -> str:
    """Return the time until a moment: `4:20`, `3 h 5 min`, `2 d 4 h`."""
    left = max(0, moment - now)
    if left < HOUR:
        return format_countdown(left)
    hours, days = left // HOUR, left // (24 * HOUR)
    return f"{days} d {hours % 24} h" if days else f"{hours} h {left % HOUR // MINUTE} min"


def summary_line(summary: TournamentSummary, card: GameCard | None, now: int) -> str:
    """Return a tournament on one line."""
    code = ", by code" if summary.needs_code else ""
    return (
        f"{summary.settings.name}: {settings_line(summary.settings, card)}"
        f"  {plural(summary.players, 'player')}{code}, {progress(summary, now)}"
    )


def next_step(own: YourTournament, summary: TournamentSummary) -> str:
    """Return the player's next step as a sentence."""
    is_host = summary.settings.format == "simul" and own.row is not None and own.row.player.name == summary.organiser
    place = "" if own.row is None or is_host else f" You are {ordinal(own.row.rank)} of {summary.players}."
    match own.state:
        case "playing" if (running := _running(own)) > 1:
            return f"You play {running} games at once."
        case "playing":
            return f"You play {player_label(own.opponent)} now."
        case "entered":
            return "You take part. Wait for the start."
        case "waiting" if own.opponent is not None:
            return f"Your next opponent is {player_label(own.opponent)}.{place}"
        case "waiting" if summary.settings.format == "arena":
            return f"You are about to be paired.{place}"
        case "waiting" if summary.settings.format == "simul":
            return f"Your game is over.{place}"
        case "waiting":
            return f"Wait for the next round.{place}"
        case "paused":
            return "You are not paired until you resume."
        case "withdrawn":
            return "You have withdrawn. Your results remain."
        case "eliminated":
            return f"You are out.{place}"
        case _:
            return f"The tournament is over.{place}"


def takes_entries(summary: TournamentSummary) -> bool:
    """Whether a player can enter, or come back after withdrawing."""
    if summary.status == "running":
        return summary.settings.late_entry and summary.settings.format in LATE
    return summary.status == "open"


def withdrawal(summary: TournamentSummary) -> str:
    """Return the consequences for a player who withdraws."""
    if summary.status == "open":
        return "You would not take part. You can join again until it begins."
    again = "You can join again while it lasts." if takes_entries(summary) else "You cannot join again."
    return f"Your results remain, and a running game goes on. The rest of its match is lost. {again}"


def _running(own: YourTournament) -> int:
    """Return how many games the player plays now: the organiser of a simul plays several."""
    return 0 if own.row is None else sum(each.result == "playing" for each in own.row.results)


def standing_lines(
    tournament: Tournament, rows: Sequence[StandingRow], you: str = "", width: int | None = None
) -> list[str]:
    """Return a table of the standings. `you`: the player whose row is marked.

    `width`: how many characters there is room for. The last tie-breaks are left out first, then the oldest rounds.
    """
    if not rows:
        return ["No players yet."]
    kind = tournament.summary.settings.format
    is_arena = kind == "arena"
    rounds = max((len(row.results) for row in rows), default=0)
    heads = ONE_COLUMN[kind] if kind in ONE_COLUMN else [f"R{number}" for number in range(1, rounds + 1)]
    table = [["", "Player", "Points", *heads, *tournament.tie_breaks]]
    for row in rows:
        if kind in ONE_COLUMN:
            cells = [" ".join(_cell(each, arena=is_arena) for each in row.results)]
        else:
            cells = _cells(row, rounds)
        mark = "*" if row.player.name == you else ""
        # The performance is not known before the first game.
        is_unknown = is_arena and row.performance is None
        breaks = ["" if is_unknown else format_points(value) for value in row.tie_breaks]
        table.append([f"{mark}{row.rank}", _player(row), format_points(row.points), *cells, *breaks])
    columns = max(map(len, table))
    table = [[*cells, *[""] * (columns - len(cells))] for cells in table]
    return list(_aligned(table if width is None else _fitted(table, width, len(tournament.tie_breaks))))


def _fitted(table: Sequence[Sequence[str]], width: int, tie_breaks: int) -> Sequence[Sequence[str]]:
    """Return a table without the columns for which there is no room: the last tie-breaks, then the oldest rounds."""
    while (excess := _width(table) - width) > 0 and len(table[0]) > FIXED_COLUMNS:
        left_out = len(table[0]) - 1 if tie_breaks else FIXED_COLUMNS
        tie_breaks -= tie_breaks > 0
        room = max(len(cells[left_out]) for cells in table) - excess
        if left_out == FIXED_COLUMNS == len(table[0]) - 1 and room > len(table[0][left_out]):
            return [[*cells[:left_out], _last_words(cells[left_out], room)] for cells in table]
        table = [[*cells[:left_out], *cells[left_out + 1 :]] for cells in table]
    return table


def _last_words(words: str, room: int) -> str:
    """Return as many of the last words as there is room for."""
    if len(words) <= room:
        return words
    kept = words[-room + len(CUT) :]
    return f"{CUT}{kept[kept.find(' ') :]}"


def _width(table: Sequence[Sequence[str]]) -> int:
    """Return how many characters the rows of a table take."""
    columns = [max(map(len, column)) for column in zip(*table, strict=True)]
    return sum(columns) + len(GAP) * (len(columns) - 1)


def _player(row: StandingRow) -> str:
    remarks = ", ".join(each for each in (row.team, "" if row.state == "active" else row.state) if each)
    return f"{player_label(row.player)} ({remarks})" if remarks else player_label(row.player)


def _cells(row: StandingRow, rounds: int) -> list[str]:
    known = [_cell(result, arena=False) for result in row.results]
    return known + [""] * (rounds - len(known))


def _cell(result: RoundResult, *, arena: bool) -> str:
    """Return `1w4`: the points, who began (w for the player, b for the opponent), and the opponent's rank."""
    points = format_points(result.points)
    match result.result:
        case "playing":
            return "..."
        case "absent":
            return "-"
        case "bye":
            return f"{points}bye"
        case _ if arena:
            return points
        case _:
            first = "" if result.seat is None else "wb"[result.seat]
            return f"{points}{'f' if result.forfeit else ''}{first}{result.opponent}"


def _aligned(table: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        # Names to the left, numbers to the right.
        cells = [
            f"{cell:{width}}" if n == 1 else f"{cell:>{width}}"
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield GAP.join(cells).rstrip()


def pairing_lines(games: Iterable[TournamentGame], byes: Iterable[Player] = (), *, has_rooms: bool = True) -> list[str]:
    """Return the pairings of a round, each on a line. `has_rooms`: with what has to be typed to go there."""
    lines = []
    for game in games:
        first, second = (
            f"{player_label(player)} ({rank})" for player, rank in zip(game.players, game.ranks, strict=True)
        )
        if game.over or any(game.points):
            score = f"{format_points(game.points[0])}:{format_points(game.points[1])}"
        else:
            score = "playing" if game.room else ""
        room = f"  {game.room}" if game.room is not None and has_rooms else ""
        lines.append(
            f"{game.number:>4}  {first} - {second}  {score}{' not played' if game.forfeit else ''}{room}".rstrip()
        )
    lines += [f"      {player_label(player)}  no opponent in this round" for player in byes]
    return lines
