"""A whole Parlour client: plays one game of random turns and survives whatever happens to its connection."""

import os
import random
import time
import zlib

import msgpack
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect


class RandomPlayer:
    def __init__(self):
        self.token = self.room = self.scene = self.choices = self.result = None
        self.epoch = self.seq = self.played = self.last_id = 0
        self.unanswered, self.ready = {}, False  # commands are kept until they are answered

    def play(self, url, game):
        self.ask("queue", terms={"game": game})
        while not self.result:
            try:
                with connect(url, subprotocols=["parlour.v1+msgpack"]) as self.socket:
                    rooms = [[self.room, self.epoch, self.seq]] if self.scene else []  # what we know already
                    self.send({"t": "hello", "client": "random_player.py", "token": self.token, "rooms": rooms})
                    while not self.result:
                        self.take(msgpack.unpackb(self.socket.recv()))
            except (OSError, WebSocketException):
                self.ready = False  # the connection is lost: open another one, and go on where we were
                time.sleep(0.2)

    def send(self, message):
        self.socket.send(msgpack.packb(message))

    def ask(self, name, **fields):
        self.last_id += 1
        self.unanswered[self.last_id] = command = {"t": name, "id": self.last_id, **fields}
        if self.ready:  # else it goes out after welcome
            self.send(command)

    def waits_for(self, *names):
        return any(command["t"] in names for command in self.unanswered.values())

    def take(self, message):
        match message:
            case {"t": "welcome", "token": token}:
                self.token, self.ready = token, True
                for command in self.unanswered.values():  # after a reconnect: again, with the same ids
                    self.send(command)
            case {"t": "paired", "room": room} if room != self.room:
                self.room = room
                self.ask("join", room=room)
            case {"t": "room", "epoch": epoch, "seq": seq, "scene": scene}:
                self.epoch, self.seq, self.scene = epoch, seq, scene
                self.result = message.get("result")
                self.unanswered.pop(message.get("id"), None)
            case ["moved", _, epoch, seq, crc, _, _, change, *_]:
                self.update(epoch, seq, crc, change)
            case {"t": "happened", "epoch": epoch, "seq": seq, "hash": crc}:
                self.update(epoch, seq, crc, message.get("change"))
                self.result = message.get("result")
            case {"t": "choices"}:
                self.choices = message
                self.unanswered.pop(message.get("id"), None)
            case {"t": "ok", "id": id}:
                self.played = max(self.played, self.unanswered.pop(id, {}).get("ply", -1) + 1)
            case {"t": "refused", "code": "try_again" | "too_fast", "id": id}:
                time.sleep(1)
                self.send(self.unanswered[id])
            case {"t": "refused", "text": text}:
                if self.unanswered.pop(message.get("id"), {}).get("t") not in ("play", "explore"):
                    raise SystemExit(text)
                self.choices = None  # the game is not where we thought: look at all of it
                self.ask("sync", room=self.room, epoch=0, seq=0)
        self.move()

    def update(self, epoch, seq, crc, change):
        if (epoch, seq) <= (self.epoch, self.seq):
            return  # known already
        if (epoch, seq) == (self.epoch, self.seq + 1):
            self.seq = seq
            if change:
                stacks = {stack[0]: stack for stack in self.scene[0] + change[0]}
                tallies = dict(enumerate(self.scene[1])) | {seat: numbers for seat, *numbers in change[1]}
                pieces = sorted(stack for stack in stacks.values() if len(stack) > 1)
                self.scene = [pieces, list(tallies.values()), *change[2:5]]
            if zlib.crc32(msgpack.packb(self.scene)) == crc:
                return
            self.epoch = self.seq = 0  # this is not what the server has: ask for the whole room
        if not self.waits_for("sync"):
            self.ask("sync", room=self.room, epoch=self.epoch, seq=self.seq)

    def move(self):
        """Walk through the choices at random."""
        if not self.choices or self.choices["ply"] < self.played or self.waits_for("play", "explore"):
            return
        picks, step, more = list(self.choices.get("picks", [])), self.choices["step"], False
        while step and not more:
            pick = random.choice(step[1])
            place, *_, step, more = pick if isinstance(pick, list) else (pick, None, False)
            picks.append(place)
        self.ask("explore" if more else "play", room=self.room, ply=self.choices["ply"], picks=picks)


if __name__ == "__main__":
    RandomPlayer().play(os.environ["PARLOUR_URL"], os.environ.get("PARLOUR_GAME", "replica"))
