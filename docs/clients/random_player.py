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
LATER = ("try_again", "too_fast", "too_many_seeks", "computer_busy")  # the same again, with the same id
who, room, scene, result, known = {"token": None, "session": None}, None, None, None, (0, 0)  # known: epoch and seq
ids, pending = iter(range(2, 2**53)), {1: {"t": "queue", "terms": {"game": GAME}}}  # commands wait here for answers
addresses, failures = [URL], 0


def sync():
    if all(command["t"] != "sync" for command in pending.values()):
        pending[next(ids)] = {"t": "sync", "room": room, "epoch": known[0], "seq": known[1]}


while not result:
    welcome, sent, due = False, {}, {}  # when the commands were sent on this connection, and are to be sent again
    with suppress(OSError, WebSocketException), connect(addresses[0], subprotocols=["parlour.v1+msgpack"]) as socket:
        rooms, heard = [[room, *known]] if scene else [], time.monotonic()
        socket.send(packb({"t": "hello", "client": "random_player.py", "rooms": rooms, **who}))
        while not result and time.monotonic() - heard < 4:  # otherwise the server is silent, and so are its pongs
            now = time.monotonic()
            for id in sorted(id for id in pending if welcome and id not in sent and due.get(id, 0) <= now):
                socket.send(packb({"id": id, **pending[id]}))
                sent[id] = now
            if any(now - at > 10 for at in sent.values()):  # it answers pings, but not this command
                break
            try:
                message, heard = unpackb(socket.recv(timeout=1)), time.monotonic()
            except TimeoutError:
                socket.send(packb({"t": "ping"}))
                continue
            message = dict(zip(MOVED, message, strict=False)) if isinstance(message, list) else message
            t, id, code, result = message["t"], message.get("id"), message.get("code"), message.get("result")
            addresses = [*dict.fromkeys([*addresses, *message.get("nodes", [])])]
            if code in LATER and id:
                due[id] = time.monotonic() + max(1000, message.get("retry_after", 0)) / 1000
                del sent[id]
            elif id in sent and id in pending:
                sent[id] = float("inf")
                if t != "ok" or pending[id]["t"] != "queue":  # queue stays until we are paired
                    del pending[id]
            match t:
                case "welcome":
                    welcome, who = True, {key: message[key] for key in who}
                case "pong" if scene and any((epoch, seq) > known for _, epoch, seq in message.get("rooms", [])):
                    sync()
                case "paired" if not room:
                    room, pending = message["room"], {next(ids): {"t": "join", "room": message["room"]}}
                case 0 | "room" | "event":
                    epoch, seq, change = message["epoch"], message["seq"], message.get("change")
                    known, scene = ((epoch, seq - 1), message["scene"]) if t == "room" else (known, scene)
                    if (epoch, seq) == (known[0], known[1] + 1):  # the next one: apply the change, compare the hash
                        change = change or [[], [], *scene[2:]]
                        stacks = {stack[0]: stack for stack in scene[0] + change[0]}
                        tallies = dict(enumerate(scene[1])) | {seat: rest for seat, *rest in change[1]}
                        scene = [sorted(s for s in stacks.values() if s[1:]), [*tallies.values()], *change[2:5]]
                        known = (epoch, seq) if crc32(packb(scene)) == message["hash"] else (0, 0)
                    elif epoch > known[0]:  # the numbering has started over: nothing is known any more
                        known = (0, 0)
                    if (epoch, seq) > known:
                        sync()
                case "choices" if all(command.get("ply") != message["ply"] for command in pending.values()):
                    step, picks, ply, more = message["step"], message.get("picks", []), message["ply"], False
                    while step and not more:  # a pick is a place, or [place, label, kind, cell, then, more]
                        pick = random.choice(step[1])
                        place, _, _, _, step, more, *_ = pick if isinstance(pick, list) else [pick, *[None] * 5]
                        picks = [*picks, place]
                    pending[next(ids)] = {"t": (more and "explore") or "play", "room": room, "ply": ply, "picks": picks}
                case "refused" if code == "token_unknown":
                    who, room, scene = {"token": None, "session": None}, None, None
                    socket.send(packb({"t": "hello", "client": "random_player.py"}))
                case "refused" if code == "stale_ply":
                    known = (0, 0)
                    sync()  # choices follow the room
                case "refused" if code in LATER and not id:  # hello: try another connection
                    break
                case "refused" if code not in (*LATER, "game_over"):
                    raise SystemExit(message["text"])
    if welcome and socket.close_code in (4003, 4004):
        raise SystemExit("Another program has taken over, or the player has signed out.")
    if result:
        print(f"{room}: {result}")
    failures = 0 if welcome else failures + 1
    time.sleep(0 if result else min(0.2 * 2**failures, 5))  # the connection is lost: open another one and continue
    addresses = addresses[1:] + addresses[:1]
