"""What somebody likes, kept in a file between two runs of a client."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from parlour.client.identity import config_folder


class Settings(Struct, frozen=True):
    """Each has a value that suits most people."""

    name: str = ""  # the wish for a guest's name
    characters: Literal["auto", "unicode", "ascii"] = "auto"
    bell: bool = True  # ring once when it is your turn
    confirm: bool = False  # ask before a turn is sent
    own_side_below: bool = True  # turn the board so that your side is at the bottom, where the game has one
    show_board: bool = True  # in line mode: draw the board after each move
    game: str = ""  # the last one chosen
    pace: str = "10+5"
    level: str = "3"
    server: str = ""  # where to go if nothing is said


class SettingsFile:
    """The file. One that cannot be read counts as empty; one that cannot be written is done without."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_folder() / "terminal.json"

    def read(self) -> Settings:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Settings)
        except (OSError, msgspec.DecodeError):
            return Settings()

    def write(self, settings: Settings) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.write_bytes(msgspec.json.format(msgspec.json.encode(settings)) + b"\n")
        except OSError:
            return
