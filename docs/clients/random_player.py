"""A whole Parlour client: plays one game of random turns and survives whatever happens to its connection."""

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
token, room, scene, result, known = None, None, None, None, (0, 0)  # known: the epoch and seq of our scene
ids = iter(range(2, 2**53))
pending = {1: {"t": "queue", "terms": {"game": GAME}}}  # commands stay here until they are answered
while not result:
    with suppress(OSError, WebSocketException), connect(URL, subprotocols=["parlour.v1+msgpack"]) as socket:
        rooms, sent = [[room, *known]] if scene else [], 0  # commands up to this id are sent on this connection
        socket.send(packb({"t": "hello", "client": "random_player.py", "token": token, "rooms": rooms}))
        while not result:
            message = unpackb(socket.recv())
            message = dict(zip(MOVED, message, strict=False)) if isinstance(message, list) else message
            token, result = message.get("token", token), message.get("result")
            new, answered = (message.get("epoch"), message.get("seq")), room or message["t"] != "ok"
            done = pending.pop(message.get("id"), None) if answered else None  # queue stays until we are paired
            if message["t"] == "room":
                known, scene = (new[0], new[1] - 1), message["scene"]  # as good as known, if the hash is right
            match message["t"]:
                case "paired" if not room:
                    room, pending = message["room"], {next(ids): {"t": "join", "room": message["room"]}}
                case 0 | "room" | "happened":
                    if new == (known[0], known[1] + 1):  # the next one: apply the change and compare the hash
                        change = message.get("change") or [[], [], *scene[2:]]
                        stacks = {stack[0]: stack for stack in scene[0] + change[0]}
                        tallies = dict(enumerate(scene[1])) | {seat: rest for seat, *rest in change[1]}
                        scene = [sorted(s for s in stacks.values() if s[1:]), [*tallies.values()], *change[2:5]]
                        known = new if crc32(packb(scene)) == message["hash"] else (0, 0)  # wrong: we know nothing
                    if new > known and all(command["t"] != "sync" for command in pending.values()):
                        pending[next(ids)] = {"t": "sync", "room": room, "epoch": known[0], "seq": known[1]}
                case "choices" if all(command.get("ply") != message["ply"] for command in pending.values()):
                    step, picks, more = message["step"], message.get("picks", []), False
                    while step and not more:  # a pick is a place, or [place, label, kind, cell, then, more]
                        pick = random.choice(step[1])
                        place, _, _, _, step, more, *_ = pick if isinstance(pick, list) else [pick, *[None] * 5]
                        picks = [*picks, place]
                    turn = {"room": room, "ply": message["ply"], "picks": picks}
                    pending[next(ids)] = {"t": "explore" if more else "play", **turn}
                case "refused" if message["code"] in ("try_again", "too_fast"):
                    time.sleep(1)
                    pending[message["id"]], sent = done, 0  # the same again, with the same id
                case "refused" if message["code"] == "stale_ply":
                    pending[next(ids)] = {"t": "sync", "room": room, "epoch": 0, "seq": 0}  # choices follow the room
                case "refused":
                    raise SystemExit(message["text"])
            for id in sorted(id for id in pending if id > sent):
                socket.send(packb({"id": id, **pending[id]}))
                sent = id
    time.sleep(0.2)  # the connection is lost: open another one, and go on where we were
