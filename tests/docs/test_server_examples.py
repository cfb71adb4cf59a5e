"""What the reference shows of a server's messages is what a real server sends."""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from time import time
from typing import Any

import msgspec
from msgspec import Struct

from parlour.cli import main
from parlour.protocol.codec import JSON, SERVER_TAGS
from parlour.protocol.messages import name_of
from publish.model import SERVER_KINDS
from publish.sample_games import sample_game
from publish.sample_people import ROOM
from tests.docs.json_client import Client, client
from tests.e2e.processes import ServerProcess
from tests.server.mail_server import MailServer, run_mail_server
from tests.waiting import until
from tests.web.conftest import GENEROUS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
REFERENCE = PAGE.partition("\n## Reference\n")[2]
ADMIN_ADDRESS = re.compile(r"operators connect to (http://[^\s\"]+)")
GAME = "mitsudomoe"
PASSWORD = "correct horse battery staple"
TERMS = {"game": GAME, "options": {"passive": True}, "clock": {"kind": "fischer", "main": 300_000, "step": 3_000}}
RATED = {**TERMS, "rated": True}
PLAIN = {"game": GAME}
LINE = [moved.move for moved in sample_game(GAME, 48, ROOM).moves]
# What a real server only sends with more games or players than this test has.
RARE = {
    ("LiveGame", "spectators"), ("Tournaments", "more"), ("Games", "more"), ("Players", "more"),
    ("GameRating", "drawn"), ("GameRating", "place"), ("LeaderboardEntry", "player"), ("LeaderboardEntry", "games"),
}  # fmt: skip


def examples() -> Iterator[Any]:
    """Yield every message from a server that the reference shows as JSON."""
    for block in re.findall(r"^```json\n(.*?)^```", REFERENCE, re.MULTILINE | re.DOTALL):
        message = json.loads(block)
        if isinstance(message, list) or message["t"] in SERVER_TAGS:
            yield message


def used(value: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the fields that are used in a message and in its parts, each with the type of its value."""
    if isinstance(value, Struct):
        for field in msgspec.structs.fields(type(value)):
            here = getattr(value, field.name)
            if field.required or here != field.default:
                yield type(value).__name__, field.name, type(here).__name__
            yield from used(here)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from used(each)


class Scenario:
    """Players who make a server send every kind of message."""

    def __init__(self, server: ServerProcess, mail: MailServer, tokens: Path) -> None:
        self.frames: list[str] = []
        self.server = server
        self.mail = mail
        self.tokens = tokens

    async def run(self) -> None:
        async with AsyncExitStack() as stack:
            enter = stack.enter_async_context
            ada = await enter(client(self.server, self.frames, name="Ada"))
            berta = await enter(client(self.server, self.frames, name="Berta"))
            guest = await enter(client(self.server, self.frames))
            for player in (ada, berta):
                name = player.welcome["you"]["name"]
                await player.ask({"t": "register", "name": name, "password": PASSWORD})
            await self.accounts(ada)
            await ada.ask({"t": "watch_lobby"})
            await ada.until("lobby")
            room = await self.rated_game(ada, berta, guest)
            await self.looked_up(ada, room)
            await self.tournament(ada, berta, guest)
            await self.left_alone(ada)
            await self.operator(ada)
            await self.server.stop()
            await ada.until("closing")

    async def accounts(self, ada: Client) -> None:
        await ada.ask({"t": "create_recovery_codes", "password": PASSWORD})
        await ada.ask({"t": "set_email", "address": "ada@example.org", "password": PASSWORD})
        code = (await self.mail.link()).rpartition("=")[2]
        await ada.ask({"t": "confirm_email", "code": code})
        await ada.ask({"t": "get_email"})
        await ada.ask({"t": "export_account"})
        await ada.ask({"t": "create_bot", "name": "Robot"})
        endpoint = "https://push.example.net/send/cGFybG91cg"
        keys = {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        }
        subscription = {"endpoint": endpoint, **keys}
        await ada.ask({"t": "set_notifications", "subscription": subscription, "kinds": ["challenge", "your_turn"]})
        await ada.ask({"t": "get_notifications", "endpoint": endpoint})
        await ada.ask({"t": "set_notifications", "subscription": subscription})
        await ada.ask({"t": "get_block_list"})

    async def rated_game(self, ada: Client, berta: Client, guest: Client) -> str:
        """Play a rated game, with all that can happen in it; return its room."""
        invite = {"t": "challenge", "to": "Berta", "terms": RATED, "seat": "first"}
        await ada.ask(invite)
        declined = await berta.until("challenged")
        await berta.ask({"t": "cancel", "seek": declined["seek"]})
        await ada.until("challenge_closed")
        await guest.ask({"t": "seek", "terms": PLAIN})
        own = await ada.ask({"t": "seek", "terms": RATED, "seat": "first", "ratings": [1400, 1800]})
        await ada.until("lobby_changed")
        await berta.ask({"t": "accept", "seek": own["seek"]})
        room = str((await ada.until("paired"))["room"])
        for player in (ada, berta):
            await player.ask({"t": "join", "room": room})
        await berta.ask({"t": "leave", "room": room})
        await ada.ask({"t": "explore", "room": room, "ply": 0, "picks": [25]})
        await ada.ask({"t": "play", "room": room, "ply": 1, "move": LINE[0]})
        assert (await ada.ask({"t": "play", "room": room, "ply": 0, "move": LINE[0]}))["t"] == "ok"
        refused = await ada.ask({"t": "play", "room": room, "ply": 1, "move": LINE[0]})
        assert refused["t"] == "refused"
        await berta.until("your_game")
        await berta.ask({"t": "join", "room": room})
        assert (await berta.ask({"t": "play", "room": room, "ply": 1, "move": LINE[1]}))["t"] == "ok"
        await ada.ask({"t": "describe", "room": room, "ply": 2})
        await ada.ask({"t": "offer", "room": room, "kind": "draw"})
        await ada.until("event", kind="offered")
        await guest.ask({"t": "join", "room": room})
        await ada.until("presence", spectators=1)
        await ada.ask({"t": "say", "room": room, "text": "Good luck!"})
        await ada.until("said")
        await ada.send({"t": "ping", "n": 7})
        await ada.until("pong")
        await ada.ask({"t": "seek", "terms": RATED, "seat": "first", "ratings": [1400, 1800]})
        while "live" not in await ada.until("lobby_changed"):
            pass
        await ada.ask({"t": "watch_lobby", "on": False})
        await ada.ask({"t": "watch_lobby"})
        await ada.until("lobby")
        await ada.ask({"t": "get_record", "room": room})
        await ada.ask({"t": "get_profile", "name": "Ada"})
        async with client(self.server, self.frames, token=berta.welcome["token"]) as again:
            await again.until("paired")
        await self.listed(ada, {"t": "list_players"}, "playing")
        for ply, player in enumerate((ada, berta) * 3):
            if ply > 1:
                assert (await player.ask({"t": "play", "room": room, "ply": ply, "move": LINE[ply]}))["t"] == "ok"
        await berta.ask({"t": "resign", "room": room})
        await ada.until("rated")
        await ada.until("lobby_changed", live_removed=[room])
        return room

    async def looked_up(self, ada: Client, room: str) -> None:
        """Ask for everything about games and players."""
        await self.listed(ada, {"t": "list_games", "player": "Ada"}, "room")
        step = (await ada.ask({"t": "get_lesson", "game": GAME}))["steps"][0]
        lesson = {"game": GAME, "step": step["key"]}
        position = {"terms": PLAIN, "moves": [LINE[0]]}
        variation = {"ply": 0, "moves": [LINE[0]]}
        for command in (
            {"t": "explore_lesson", **lesson, "picks": step["hint_picks"][:1]},
            {"t": "try_move", **lesson, "move": step["hint_move"]},
            {"t": "get_rules", "game": GAME},
            {"t": "preview", "terms": PLAIN},
            {"t": "study", "terms": PLAIN},
            {"t": "study", **position, "picks": [26]},
            {"t": "edit_position", "terms": PLAIN, "item": 0, "places": [12]},
            {"t": "edit_position", "terms": {"game": "mapello"}, "number": 1, "value": 3},
            {"t": "edit_position", "terms": {"game": "isaac"}, "number": 0, "value": 1},
            {"t": "assess_position", **position},
            {"t": "assess", "room": room, "ply": 2},
            {"t": "save_variations", "room": room, "variations": [variation]},
            {"t": "get_analysis", "room": room},
            {"t": "get_record", "room": room},
            {"t": "get_profile", "name": "Ada"},
            {"t": "get_leaderboard", "game": GAME},
            {"t": "block", "name": "Berta"},
            {"t": "mute", "name": "Berta"},
            {"t": "get_block_list"},
            {"t": "get_profile", "name": "Berta"},
            {"t": "block", "name": "Berta", "on": False},
            {"t": "mute", "name": "Berta", "on": False},
        ):
            answer = await ada.ask(command)
            assert answer["t"] != "refused", (command, answer)

    async def listed(self, ada: Client, command: dict[str, Any], field: str) -> None:
        """Ask until a row of the answer has this field."""

        async def has_it() -> bool:
            return any(field in row for row in (await ada.ask(command))["rows"])

        await until(has_it)

    async def tournament(self, ada: Client, berta: Client, guest: Client) -> None:
        """Play a Swiss tournament of three players."""
        settings: dict[str, Any] = {"name": "Autumn Swiss", "format": "swiss", "terms": TERMS, "rounds": 1, "games": 2}
        settings |= {"pause": 1_000, "min_players": 3, "max_players": 16, "late_entry": False, "entrants": "people"}
        arena = {"name": "Lunch arena", "format": "arena", "terms": TERMS, "start": ada.welcome["time"] + 3_600_000}
        arena |= {
            "every": 86_400_000,
            "duration": 2_700_000,
            "berserk": True,
            "ratings": [800, 2400],
            "teams": ["Owls", "Foxes"],
        }
        assert (await ada.ask({"t": "create_tournament", "settings": arena}))["t"] == "ok"
        await ada.ask({"t": "list_tournaments", "status": "open"})
        created = await ada.ask({"t": "create_tournament", "settings": settings, "code": "autumn"})
        cup = created["tournament"]
        of_it = {"tournament": cup}
        await ada.ask({"t": "follow_tournament", **of_it})
        for player in (ada, berta, guest):
            assert (await player.ask({"t": "join_tournament", **of_it, "code": "autumn"}))["t"] == "ok"
        await ada.ask({"t": "say_tournament", **of_it, "text": "Good luck!"})
        await ada.until("tournament_said")
        playing = await ada.until("your_tournament", state="playing")
        assert (await guest.ask({"t": "pause_tournament", **of_it}))["t"] == "ok"
        await ada.ask({"t": "follow_tournament", **of_it})
        await ada.ask({"t": "get_standings", **of_it})
        await ada.ask({"t": "join", "room": playing["room"]})
        await ada.ask({"t": "resign", "room": playing["room"]})
        second = playing
        while second["room"] == playing["room"]:
            second = await ada.until("your_tournament", state="playing")
        await ada.ask({"t": "join", "room": second["room"]})
        await ada.ask({"t": "follow_tournament", **of_it})
        await ada.ask({"t": "resign", "room": second["room"]})
        await ada.until("your_tournament", state="finished")
        await ada.ask({"t": "follow_tournament", **of_it})
        await ada.ask({"t": "get_standings", **of_it})
        await ada.ask({"t": "get_round", **of_it, "round": 1})
        await ada.ask({"t": "get_tournament_log", **of_it})
        await self.recurring_tournament(berta)

    async def recurring_tournament(self, berta: Client) -> None:
        """Let one begin with too few players, so that the next one opens."""
        start = int(time() * 1000) + 3_000
        weekly = {"name": "Weekly", "format": "swiss", "terms": TERMS, "start": start, "every": 604_800_000}
        created = await berta.ask({"t": "create_tournament", "settings": weekly})
        assert (await berta.ask({"t": "join_tournament", "tournament": created["tournament"]}))["t"] == "ok"
        await self.listed(berta, {"t": "list_tournaments", "status": "finished"}, "next")

    async def left_alone(self, ada: Client) -> None:
        """Begin a game whose other player disappears before the first move."""
        async with client(self.server, self.frames, name="Cleo") as cleo:
            while "online" not in await ada.until("lobby_changed"):
                pass
            seek = await ada.ask({"t": "seek", "terms": TERMS, "seat": "second"})
            await cleo.ask({"t": "accept", "seek": seek["seek"]})
            room = (await cleo.until("paired"))["room"]
            for player in (cleo, ada):
                await player.ask({"t": "join", "room": room})
        while "claim_in" not in await ada.until("presence", room=room):
            pass

    async def operator(self, ada: Client) -> None:
        """Announce something."""
        address = ADMIN_ADDRESS.search(self.server.log)
        assert address is not None
        words = ["admin", "announce", "The server restarts at noon.", "--reason", "maintenance"]
        done = await asyncio.to_thread(main, [*words, "--server", address[1], "--token-file", str(self.tokens)])
        assert done == 0
        await ada.until("announced")


async def test_every_example_is_like_a_real_message(tmp_path: Path) -> None:
    """Each message from a server is shown with fields, and types of them, that a real server sends."""
    tokens = tmp_path / "operators"
    tokens.write_text(f"nora {'t' * 43}\n", encoding="utf-8")
    tokens.chmod(0o600)
    async with run_mail_server() as mail:
        options = (
            "--smtp-url", mail.url, "--mail-from", "games@example.org", "--public-url", "http://play.example.org",
            "--admin-token-file", str(tokens), "--admin-port", "0",
            "--nodes", "wss://two.example.org/ws,wss://three.example.org/ws",
        )  # fmt: skip
        server = ServerProcess(tmp_path / "data", *GENEROUS, *options)
        await server.start()
        scenario = Scenario(server, mail, tokens)
        try:
            await scenario.run()
        finally:
            await server.stop()
    compare(scenario.frames)


def compare(frames: list[str]) -> None:
    """Compare every example with the real messages of its kind, and its parts with all real parts of their kinds."""
    real: dict[type[Struct], list[Struct]] = defaultdict(list)
    for frame in frames:
        decoded = JSON.decode_server(frame)
        real[type(decoded)].append(decoded)
    sent = {field for messages in real.values() for message in messages for field in used(message)}
    compared = set()
    for example in examples():
        message = JSON.decode_server(json.dumps(example))
        assert json.loads(JSON.encode(message)) == example
        kind = type(message)
        compared.add(kind)
        never = {field for field in used(message) if field not in sent and field[:2] not in RARE}
        assert not never, f"The example of {name_of(kind)} has what no server sends: {never}"
        always = set.intersection(*({*own_fields(each)} for each in real[kind]))
        missing = always - {*own_fields(message)}
        assert not missing, f"The example of {name_of(kind)} lacks what every server sends: {missing}"
    assert compared == {*SERVER_KINDS} == {*real}


def own_fields(message: Struct) -> Iterator[str]:
    """Yield the fields that are used in a message itself."""
    return (field for owner, field, _ in used(message) if owner == type(message).__name__)
