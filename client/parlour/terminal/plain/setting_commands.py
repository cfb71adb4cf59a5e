"""Commands about the settings, in the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args, get_type_hints

from msgspec.structs import fields

from parlour.client.address import socket_address
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.terminal.plain import outputs
from parlour.terminal.plain.game_request import find_game
from parlour.terminal.plain.line_client import Command, LineClient
from parlour.terminal.text.times import parse_pace
from parlour.terminal.ui.settings import Settings
from parlour.terminal.ui.table_action import TableAction

SWITCH = ("on", "off")
Value = str | bool | Mapping[str, str]


class SettingCommands:
    """Settings are shown as they can be typed."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.commands = {
            "settings": Command("settings", "show the settings", self.settings),
            "set": Command("set NAME VALUE", "change a setting", self.set),
        }

    async def settings(self, text: str) -> None:
        values = {field.name: getattr(self.ui.settings, field.name) for field in fields(Settings)}
        self.ui.show(outputs.SettingList(values), *(f"  {name} = {shown(value)}" for name, value in values.items()))

    async def set(self, text: str) -> None:
        name, _, value = text.partition(" ")
        kinds = get_type_hints(Settings)
        if name not in kinds:
            raise Refusal(
                ErrorCode.OPTION_UNKNOWN, f"There is no setting “{name}”. The settings are {', '.join(kinds)}."
            )
        if name == "keys":
            self._set_key(value)
        else:
            self._check(name, value)
            allowed = SWITCH if kinds[name] is bool else get_args(kinds[name])
            if allowed and value not in allowed:
                raise Refusal(ErrorCode.OPTION_INVALID, f"{name} must be one of: {', '.join(allowed)}.")
            self.ui.save_settings(**{name: value == "on" if kinds[name] is bool else value})
        if name == "name":
            self.ui.session.preferred_name = value
        self.ui.say(f"{name} = {shown(getattr(self.ui.settings, name))}")

    def _set_key(self, text: str) -> None:
        """Change the keys of one action at the table."""
        action, equals, keys = (part.strip() for part in text.partition("="))
        known = [each.value for each in TableAction]
        if not equals or action not in known:
            sentence = f"Write an action and its keys: set keys resign=X. The actions are {', '.join(known)}."
            raise Refusal(ErrorCode.OPTION_INVALID, sentence)
        others = {each: own for each, own in self.ui.settings.keys.items() if each != action}
        self.ui.save_settings(keys={**others, action: keys} if keys else others)

    def _check(self, name: str, value: str) -> None:
        """Refuse a value that could not be used later."""
        cards = self.ui.session.client.games
        match name:
            case "pace":
                parse_pace(value)
            case "server" if value:
                socket_address(value)
            case "game" if value:
                find_game(cards, value)
            case "level":
                levels = {level.key: None for card in cards for level in card.levels}
                if value not in levels:
                    sentence = f"The computer has no level “{value}”. Its levels are {', '.join(levels)}."
                    raise Refusal(ErrorCode.LEVEL_UNKNOWN, sentence)
            case _:
                pass


def shown(value: Value) -> str:
    """Return a value as it can be typed: `on`, `resign=X, chat=ctrl+t`."""
    if isinstance(value, bool):
        return SWITCH[not value]
    return value if isinstance(value, str) else ", ".join(f"{name}={each}" for name, each in value.items())
