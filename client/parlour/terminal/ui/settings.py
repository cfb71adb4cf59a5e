"""The user's settings, kept in a file between runs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from parlour.client.tokens import config_dir


class Settings(Struct, frozen=True):
    """Settings of the full-screen client and the line client."""

    name: str = ""  # the preferred name as a guest
    characters: Literal["auto", "unicode", "ascii"] = "auto"
    theme: Literal["auto", "dark", "light", "contrast"] = "auto"
    keys: dict[str, str] = {}  # of the full-screen client: the keys of an action at the table, {"resign": "X ctrl+r"}
    bell: bool = True  # when it is your turn
    confirm: bool = False  # a turn before it is sent
    own_side_below: bool = True  # rotate the board so that your side is at the bottom, where sides exist
    show_board: bool = True  # in the line client: after each move
    game: str = ""  # the last one played
    pace: str = "10+5"
    level: str = "3"
    server: str = ""  # the server to use by default


class SettingsFile:
    """Reads and writes the settings. A missing or broken file counts as empty; failing to write is not an error."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_dir() / "terminal.json"

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
