"""Formats the replies of the admin API for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

Row = dict[str, Any]


def table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table; a sentence if it is empty."""
    if not rows:
        yield "There is nothing to show."
        return
    cells = [list(headings), *([_printable(str(cell)) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def nodes(rows: Sequence[Row]) -> Iterator[str]:
    headings = ("NODE", "CONNECTIONS", "ROOMS", "WAITING", "STARTED", "VERSION", "STATE")
    yield from table(
        headings,
        [
            (
                row["name"], row["connections"], row["rooms"], row["waiting"], moment(row["started"]), row["version"],
                "draining" if row["draining"] else "serving",
            )
            for row in rows
        ],
    )  # fmt: skip


def overview(found: Row) -> Iterator[str]:
    for name in ("store", "archive"):
        part = found[name]
        state = "works" if part["up"] else f"DOWN: {part['problem']}"
        yield f"{name + ':':<13}{state} ({part['errors']} errors)"
    for name in ("connections", "rooms", "waiting", "jobs", "reports"):
        yield f"{name + ':':<13}{found[name]}"
    yield from ("", *nodes(found["nodes"]))
    if found["outages"]:
        yield ""
        outages = [(moment(each["since"]), moment(each["until"]), each["node"] or "all") for each in found["outages"]]
        yield from table(("OUTAGE FROM", "TO", "NODE"), outages)


def rooms(rows: Sequence[Row]) -> Iterator[str]:
    yield from table(
        ("ROOM", "GAME", "FIRST", "SECOND", "MOVES", "RATED", "STATUS"),
        [
            (
                row["room"], row["game"], *(player["name"] for player in row["players"]), row["ply"],
                "yes" if row.get("rated") else "no", row.get("status", "playing"),
            )
            for row in rows
        ],
    )  # fmt: skip


def tournaments(rows: Sequence[Row]) -> Iterator[str]:
    yield from table(
        ("TOURNAMENT", "NAME", "GAME", "FORMAT", "PLAYERS", "ORGANISER", "START", "STATUS"),
        [
            (
                row["tournament"], row["settings"]["name"], row["settings"]["terms"]["game"], row["settings"]["format"],
                row["players"], row.get("organiser", "-"), moment(row["start"]) if "start" in row else "-",
                row["status"],
            )
            for row in rows
        ],
    )  # fmt: skip


def players(rows: Sequence[Row]) -> Iterator[str]:
    yield from table(("NAME", "KIND", "ID", "STATE"), [(*_identity(row), state(row)) for row in rows])


def player_file(found: Row) -> Iterator[str]:
    player = found["player"]
    yield from (f"{player['name']} ({player['kind']}), id {player['id']}", state(player).capitalize())
    where = "online" if found["online"] else "offline"
    yield f"created {moment(found['created'])}, {where}, signed in on {found['devices']} devices"
    if found["owner"]:
        yield f"owner: {found['owner']['name']}"
    if found["bots"]:
        yield f"bots: {', '.join(bot['name'] for bot in found['bots'])}"
    for rating in found["ratings"]:
        yield f"rating in {rating['game']}: {rating['rating']} ± {rating['deviation']}, {rating['games']} games"
    if found["rooms"]:
        yield from ("", *rooms(found["rooms"]))
    if found["history"]:
        yield from ("", *audit(found["history"]))


def reports(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        yield "There is nothing to show."
    for row in rows:
        room = f", game {row['room']}" if row["room"] else ""
        yield f"{row['id']}  {moment(row['at'])}  {row['reason']}: {row['player']['name']}{room}"
        yield f"  reported by {row['author']['name']}{': ' if row['text'] else ''}{_printable(row['text'])}"
        yield from (f"  said: {_printable(line)}" for line in row["chat"])
        if handled := row["handled"]:
            yield f"  handled by {handled['operator']}, {moment(handled['at'])}: {_printable(handled['note'])}"


def addresses(rows: Sequence[Row]) -> Iterator[str]:
    until = [moment(row["until"]) if row["until"] else "for good" for row in rows]
    bans = [(row["network"], end, row["reason"]) for row, end in zip(rows, until, strict=True)]
    yield from table(("ADDRESSES", "BANNED UNTIL", "REASON"), bans)


def audit(rows: Sequence[Row]) -> Iterator[str]:
    yield from table(
        ("TIME", "OPERATOR", "ACTION", "TARGET", "DETAIL", "REASON"),
        [
            (
                moment(row["at"]), row["operator"], row["action"], row.get("target", ""), row.get("detail", ""),
                row.get("reason", ""),
            )
            for row in rows
        ],
    )  # fmt: skip


def state(player: Row) -> str:
    """Return an operator's decisions about a player."""
    found = []
    for name in ("suspended", "muted"):
        if restriction := player[name]:
            until = f"until {moment(restriction['until'])}" if restriction["until"] else "for good"
            found.append(f"{name} {until}: {restriction['reason']}")
    return "; ".join(found) or "in good standing"


def moment(time: int) -> str:
    """Return a time in milliseconds since 1970 as text."""
    return f"{datetime.fromtimestamp(time / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _identity(row: Row) -> tuple[str, str, str]:
    return row["name"], row["kind"], row["id"]


def _printable(text: str) -> str:
    """Return text of players without control characters for the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
