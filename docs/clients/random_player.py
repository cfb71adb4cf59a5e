"""A complete Parlour client: plays one game of random turns and survives whatever happens to its connection."""

import os
import random
import time
from contextlib import suppress
from zlib import crc32

from msgpack import packb, unpackb
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

URL, GAME = os.environ["PARLOUR_URL"], os.environ.get("PARLOUR_GAME", "replica")
MOVED = ("t", "room", "epoch", "seq", "hash", "move", "clock", "change")  # the one array; its t is 0
who, room, scene, result, known = {"token": None, "session": None}, None, None, None, (0, 0)  # known: epoch and seq
ids, pending = iter(range(2, 2**53)), {1: {"t": "queue", "terms": {"game": GAME}}}  # commands wait here for answers
while not result:
    with suppress(OSError, WebSocketException), connect(URL, subprotocols=["parlour.v1+msgpack"]) as socket:
        rooms, sent, quiet = [[room, *known]] if scene else [], 0, 1  # sent: the last id on this connection
        socket.send(packb({"t": "hello", "client": "random_player.py", "rooms": rooms, **who}))
        while not result and quiet < 2:  # the server is silent, before welcome or after a ping: reconnect
            message, quiet = {"t": "quiet"}, quiet + 1
            with suppress(TimeoutError):
                message, quiet = unpackb(socket.recv(timeout=2)), 0
            message = dict(zip(MOVED, message, strict=False)) if isinstance(message, list) else message
            who, result = {key: message.get(key, who[key]) for key in who}, message.get("result")
            new, id = (message.get("epoch"), message.get("seq")), message.get("id")
            done = pending.pop(id, None) if room or message["t"] != "ok" else None  # queue stays until we are paired
            known, scene = ((new[0], new[1] - 1), message["scene"]) if "scene" in message else (known, scene)
            match message["t"]:
                case "quiet" if quiet < 2:
                    socket.send(packb({"t": "ping"}))
                case "paired" if not room:
                    room, pending = message["room"], {next(ids): {"t": "join", "room": message["room"]}}
                case 0 | "room" | "event":
                    if new == (known[0], known[1] + 1):  # the next one: apply the change, compare the hash
                        change = message.get("change") or [[], [], *scene[2:]]
                        stacks = {stack[0]: stack for stack in scene[0] + change[0]}
                        tallies = dict(enumerate(scene[1])) | {seat: rest for seat, *rest in change[1]}
                        scene = [sorted(s for s in stacks.values() if s[1:]), [*tallies.values()], *change[2:5]]
                        known = new if crc32(packb(scene)) == message["hash"] else (0, 0)  # wrong: known no more
                    if new > known and all(command["t"] != "sync" for command in pending.values()):
                        pending[next(ids)] = {"t": "sync", "room": room, "epoch": known[0], "seq": known[1]}
                case "choices" if all(command.get("ply") != message["ply"] for command in pending.values()):
                    step, picks, ply, more = message["step"], message.get("picks", []), message["ply"], False
                    while step and not more:  # a pick is a place, or [place, label, kind, cell, then, more]
                        pick = random.choice(step[1])
                        place, _, _, _, step, more, *_ = pick if isinstance(pick, list) else [pick, *[None] * 5]
                        picks = [*picks, place]
                    pending[next(ids)] = {"t": (more and "explore") or "play", "room": room, "ply": ply, "picks": picks}
                case "refused" if message["code"] in ("try_again", "too_fast"):
                    time.sleep(1)
                    pending[id], sent = done, 0  # the same again, with the same id
                case "refused" if message["code"] == "stale_ply":
                    pending[next(ids)] = {"t": "sync", "room": room, "epoch": 0, "seq": 0}  # choices follow the room
                case "refused":
                    raise SystemExit(message["text"])
            for sent in sorted(id for id in pending if id > sent and quiet < 2):
                socket.send(packb({"id": sent, **pending[sent]}))
    time.sleep(0.2)  # the connection is lost: open another one and continue
