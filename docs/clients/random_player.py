"""A whole Parlour client: plays one game of random turns, and survives whatever happens to its connection."""

import os
import random
import time
import zlib

import msgpack
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect


class RandomPlayer:
    def __init__(self, url, game):
        self.token = self.room = self.scene = self.choices = self.result = None
        self.epoch = self.seq = self.played = 0  # how far we know the room; up to which ply our turns are safe
        self.last_id, self.unanswered, self.ready = 0, {}, False  # commands are kept until they are answered
        self.ask("queue", terms={"game": game})
        while not self.result:
            try:
                with connect(url, subprotocols=["parlour.v1+msgpack"]) as self.socket:
                    self.ready, rooms = False, [[self.room, self.epoch, self.seq]] if self.scene else []
                    self.send({"t": "hello", "client": "random_player.py", "token": self.token, "rooms": rooms})
                    while not self.result:
                        self.take(msgpack.unpackb(self.socket.recv()))
            except (OSError, WebSocketException):
                time.sleep(0.2)  # the connection is lost: try another one

    def send(self, message):
        self.socket.send(msgpack.packb(message))

    def ask(self, name, **fields):
        self.last_id += 1
        self.unanswered[self.last_id] = command = {"t": name, "id": self.last_id, **fields}
        if self.ready:  # else it goes out after welcome
            self.send(command)

    def asked(self, *names):
        return any(command["t"] in names for command in self.unanswered.values())

    def take(self, message):
        asked = self.unanswered.pop(message.get("id"), None) if isinstance(message, dict) else None
        match message:
            case {"t": "welcome", "token": self.token}:
                pass
