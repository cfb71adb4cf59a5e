"""`parlour admin`: act as an operator of a server, through its admin API."""

from __future__ import annotations

import argparse
import json
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Any

from parlour.cli import admin_tables
from parlour.cli.admin_client import AdminClient, admin_client
from parlour.cli.commands import add_command
from parlour.protocol.errors import ErrorCode, Refusal

DESCRIPTION = """\
Act as an operator: see the nodes, games and players of a server, and act on them. Every action is written to the audit
log with your name and the reason, and players read the reasons that concern them.

The server has to be started with --admin-token-file FILE. `parlour admin token NAME` prints a line for that file. Your
token is read from the environment variable PARLOUR_ADMIN_TOKEN, or from the first line of --token-file.
"""

EPILOG = """\
examples:
  parlour admin token nora >> operators && chmod 600 operators
  parlour serve --admin-token-file operators
  export PARLOUR_ADMIN_TOKEN=…
  parlour admin overview
  parlour admin find sedge
  parlour admin reports
  parlour admin mute sedge --for 24h --reason "Insults in the chat"
  parlour admin suspend sedge --until 2027-01-31 --reason "Insults again after a warning"
  parlour admin ban-address 192.0.2.0/24 --for 7d --reason "Hundreds of guests who insult others"
  parlour admin cancel-tournament Kp3v9XqT --reason "Its name is an insult"
  parlour admin adjudicate aB3dEf second --reason "The first player used a program"
  parlour admin announce "The server restarts at noon." --reason "Upgrade"
  parlour admin drain north-1a2b3c4d --reason "Upgrade"
"""

UNITS = {"m": 60, "h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}  # seconds
WINNERS = {"first": 0, "second": 1, "draw": None}

Printer = Callable[[Any], Iterator[str]]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "admin",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--server",
        metavar="URL",
        help="address of the admin API (default: PARLOUR_ADMIN_SERVER, or http://127.0.0.1:8766)",
    )
    shared.add_argument("--token-file", metavar="FILE", type=Path, help="file with your token in its first line")
    shared.add_argument("--json", action="store_true", help="print the answer as JSON")
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    def add(name: str, summary: str, run: Callable[[AdminClient, argparse.Namespace], int]) -> argparse.ArgumentParser:
        action = actions.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", parents=[shared]
        )
        action.set_defaults(run=lambda arguments: run(admin_client(arguments.server, arguments.token_file), arguments))
        return action

    _add_lists(add)
    _add_player_actions(add)
    _add_other_actions(add)
    _add_address_actions(add)
    token = actions.add_parser("token", help="print a new line for the server's --admin-token-file")
    token.add_argument("name", metavar="NAME", help="name of the operator, as it appears in the audit log")
    token.set_defaults(run=_print_token)


Add = Callable[[str, str, Callable[[AdminClient, argparse.Namespace], int]], argparse.ArgumentParser]


def _add_lists(add: Add) -> None:
    add("overview", "show the state of the server", _list(admin_tables.overview, "overview"))
    add("nodes", "list the nodes", _list(admin_tables.nodes, "nodes"))
    rooms = add("rooms", "list the games in progress that the lobby shows, or those of a player", _rooms)
    rooms.add_argument("--player", metavar="WHO", help="all games of this player, private ones as well")
    add("tournaments", "list the open and running tournaments", _list(admin_tables.tournaments, "tournaments"))
    players = add("players", "list who is online, in alphabetical order", _players)
    players.add_argument("--after", metavar="NAME", default="", help="begin after this name")
    find = add("find", "show everything about a player", _find)
    find.add_argument("who", metavar="WHO", help="name or id of the player")
    reports = add("reports", "list the reports by players that are not handled yet, newest first", _reports)
    reports.add_argument("--all", action="store_true", help="include those that are handled")
    audit = add("audit", "show the audit log, newest first", _audit)
    audit.add_argument("--before", metavar="ID", default="", help="only entries older than the one with this id")


def _add_player_actions(add: Add) -> None:
    for name, summary in (
        ("warn", "show a player the reason as a warning, now or at the next visit"),
        ("unmute", "let a player chat again"),
        ("ban", "refuse to serve a player for good; running games are cancelled"),
        ("unban", "end a suspension or a ban"),
        ("reset-password", "print a new password for one sign-in; it signs the player out everywhere"),
    ):
        _add_target(add(name, summary, _on_player(name)))
    for name, summary in (
        ("mute", "keep a player from chatting"),
        ("suspend", "refuse to serve a player for a while; running games are cancelled"),
    ):
        action = _add_target(add(name, summary, _on_player(name)))
        _add_end(action, required=True)
    rename = _add_target(add("rename", "give a player another name", _on_player("rename")))
    rename.add_argument("name", metavar="NAME", help="the new name")
    rating = _add_target(add("remove-rating", "remove a player's rating in a game", _on_player("remove-rating")))
    rating.add_argument("game", metavar="GAME", help="key of the game")
    delete = _add_target(
        add("delete", "delete a player for good and erase the name from all games", _on_player("delete"))
    )
    delete.add_argument("--yes", action="store_true", help="do not ask whether you are sure")


def _add_other_actions(add: Add) -> None:
    for name, summary in (
        ("adjudicate", "end a game with a winner, or as a draw"),
        ("abort", "end a game without a result"),
        ("close", "close a room; a running game ends without a result"),
    ):
        action = add(name, summary, _on_room(name))
        action.add_argument("room", metavar="ROOM", help="id of the room")
        if name == "adjudicate":
            action.add_argument("winner", metavar="first|second|draw", choices=tuple(WINNERS), help="who wins")
        _add_reason(action)
    summary = "cancel a tournament, open or running, and its running games"
    tournament = add("cancel-tournament", summary, _cancel_tournament)
    tournament.add_argument("id", metavar="ID", help="id of the tournament, as `parlour admin tournaments` shows it")
    _add_reason(tournament)
    report = add("handle-report", "mark a report as handled", _handle_report)
    report.add_argument("id", metavar="ID", help="id of the report, as `parlour admin reports` shows it")
    report.add_argument("--reason", metavar="TEXT", required=True, help="what was done, for the audit log")
    announce = add("announce", "show a text to all connected players", _announce)
    announce.add_argument("text", metavar="TEXT", help="the text, one line")
    _add_reason(announce)
    for name, summary in (
        ("drain", "send the clients of a node to the other nodes, and accept no more there"),
        ("resume", "let a drained node serve clients again"),
    ):
        action = add(name, summary, _on_node(name))
        action.add_argument("node", metavar="NODE", help="name of the node, as `parlour admin nodes` shows it")
        _add_reason(action)


def _add_address_actions(add: Add) -> None:
    add("addresses", "list the banned addresses and networks", _list(admin_tables.addresses, "addresses"))
    for name, action, summary in (
        ("ban-address", "ban", "refuse to serve players at an address or in a network, for good or for a while"),
        ("unban-address", "unban", "serve players at an address or in a network again"),
    ):
        parser = add(name, summary, _on_address(action))
        parser.add_argument("prefix", metavar="PREFIX", help="192.0.2.7, 192.0.2.0/24 or 2001:db8::/32")
        if action == "ban":
            _add_end(parser, required=False)
        _add_reason(parser)


def _add_end(parser: argparse.ArgumentParser, *, required: bool) -> None:
    end = parser.add_mutually_exclusive_group(required=required)
    end.add_argument("--for", dest="until", metavar="TIME", type=_after, help="how long: 30m, 12h, 7d or 4w")
    end.add_argument("--until", dest="until", metavar="DATE", type=_date, help="until when: 2027-01-31")


def _add_target(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("who", metavar="WHO", help="name or id of the player")
    _add_reason(parser)
    return parser


def _add_reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why, for the audit log and the player")


# -- lists


def _list(printer: Printer, *path: str) -> Callable[[AdminClient, argparse.Namespace], int]:
    return lambda client, arguments: _print(client.get(*path), printer, arguments)


def _rooms(client: AdminClient, arguments: argparse.Namespace) -> int:
    query = {} if arguments.player is None else {"player": arguments.player}
    return _print(client.get("rooms", **query), admin_tables.rooms, arguments)


def _players(client: AdminClient, arguments: argparse.Namespace) -> int:
    return _print(client.get("players", after=arguments.after), admin_tables.players, arguments)


def _find(client: AdminClient, arguments: argparse.Namespace) -> int:
    return _print(client.get("players", arguments.who), admin_tables.player_file, arguments)


def _reports(client: AdminClient, arguments: argparse.Namespace) -> int:
    query = {"handled": "yes"} if arguments.all else {}
    return _print(client.get("reports", **query), admin_tables.reports, arguments)


def _audit(client: AdminClient, arguments: argparse.Namespace) -> int:
    return _print(client.get("audit", before=arguments.before), admin_tables.audit, arguments)


# -- actions


def _on_player(action: str) -> Callable[[AdminClient, argparse.Namespace], int]:
    def run(client: AdminClient, arguments: argparse.Namespace) -> int:
        if action == "delete" and not arguments.yes and not _is_sure(arguments.who):
            print("Nothing was deleted.")
            return 1
        names = [name for name in ("until", "name", "game") if hasattr(arguments, name)]
        fields = {name: getattr(arguments, name) for name in names}
        answer = client.post("players", arguments.who, action, reason=arguments.reason, **fields)
        return _print(answer, _answer, arguments)

    return run


def _on_room(action: str) -> Callable[[AdminClient, argparse.Namespace], int]:
    def run(client: AdminClient, arguments: argparse.Namespace) -> int:
        winner = WINNERS[arguments.winner] if action == "adjudicate" else None
        answer = client.post("rooms", arguments.room, action, reason=arguments.reason, winner=winner)
        return _print(answer, _answer, arguments)

    return run


def _on_node(action: str) -> Callable[[AdminClient, argparse.Namespace], int]:
    def run(client: AdminClient, arguments: argparse.Namespace) -> int:
        return _print(client.post("nodes", arguments.node, action, reason=arguments.reason), _answer, arguments)

    return run


def _cancel_tournament(client: AdminClient, arguments: argparse.Namespace) -> int:
    return _print(client.post("tournaments", arguments.id, "cancel", reason=arguments.reason), _answer, arguments)


def _handle_report(client: AdminClient, arguments: argparse.Namespace) -> int:
    return _print(client.post("reports", arguments.id, "handle", reason=arguments.reason), _answer, arguments)


def _on_address(action: str) -> Callable[[AdminClient, argparse.Namespace], int]:
    def run(client: AdminClient, arguments: argparse.Namespace) -> int:
        until = getattr(arguments, "until", None) or 0
        answer = client.post("addresses", arguments.prefix, action, reason=arguments.reason, until=until)
        return _print(answer, _answer, arguments)

    return run


def _announce(client: AdminClient, arguments: argparse.Namespace) -> int:
    answer = client.post("announce", text=arguments.text, reason=arguments.reason)
    return _print(answer, _answer, arguments)


def _is_sure(who: str) -> bool:
    try:
        return input(f"Delete {who} for good? This cannot be undone. Type yes: ").strip().lower() == "yes"
    except EOFError:
        return False


def _print_token(arguments: argparse.Namespace) -> int:
    if not re.fullmatch(r"[\w.-]{1,32}", arguments.name):
        sentence = "The name of an operator has up to 32 letters, digits, dots, hyphens and underscores."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence)
    print(f"{arguments.name} {secrets.token_urlsafe(32)}")
    return 0


# -- output


def _print(answer: Any, printer: Printer, arguments: argparse.Namespace) -> int:
    lines: Sequence[str] | Iterator[str] = (
        [json.dumps(answer, ensure_ascii=False, indent=2)] if arguments.json else printer(answer)
    )
    for line in lines:
        print(line)
    return 0


def _answer(answer: dict[str, Any]) -> Iterator[str]:
    if "password" in answer:
        yield f"Password for one sign-in: {answer['password']}"
    elif "games" in answer:
        yield f"Deleted. The name was erased from {answer['games']} games."
    else:
        yield "Done."


# -- times


def _after(text: str) -> int:
    """Return the time after this duration, in milliseconds since 1970."""
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhdw])", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text} is not a time such as 30m, 12h, 7d or 4w")
    return round((time() + int(found[1]) * UNITS[found[2]]) * 1000)


def _date(text: str) -> int:
    """Return the time of a date, in milliseconds since 1970; without an offset, it is in UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a date such as 2027-01-31 or 2027-01-31T18:00") from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
