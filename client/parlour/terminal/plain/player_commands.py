"""Commands about other players, in the lobby and at a table: block, mute, report."""

from __future__ import annotations

from functools import partial

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.terminal.plain import outputs
from parlour.terminal.plain.line_client import Command, LineClient
from parlour.terminal.text.report_reasons import REASONS, find_reason


class PlayerCommands:
    """Where a name is expected, the opponent at the table can be left out."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.commands = {
            "block": Command("block [NAME]", "never play or chat with a player again", partial(self.block, on=True)),
            "unblock": Command("unblock [NAME]", "end that", partial(self.block, on=False)),
            "mute": Command("mute [NAME]", "hide what a player writes in the chat", partial(self.mute, on=True)),
            "unmute": Command("unmute [NAME]", "show it again", partial(self.mute, on=False)),
            "blocked": Command("blocked", "list the players you have blocked and muted", self.blocked),
            "report": Command(
                f"report [NAME] {'|'.join(REASONS)} [TEXT]", "tell the operator about a player", self.report
            ),
        }

    async def block(self, text: str, *, on: bool) -> None:
        name = self._name(text)
        await self.ui.session.client.moderation.block(name, on=on)
        self.ui.say(f"You have {'blocked' if on else 'unblocked'} {name}.")

    async def mute(self, text: str, *, on: bool) -> None:
        name = self._name(text)
        await self.ui.session.client.moderation.mute(name, on=on)
        self.ui.say(f"You have {'muted' if on else 'unmuted'} {name}.")

    async def blocked(self, text: str) -> None:
        found = await self.ui.session.client.moderation.block_list()
        lines = [f"  {name}: blocked" for name in found.blocked] + [f"  {name}: muted" for name in found.muted]
        shown = outputs.BlockedPlayers(found.blocked, found.muted)
        self.ui.show(shown, *(lines or ["You have blocked and muted no player."]))

    async def report(self, text: str) -> None:
        words = text.split()
        at = next((number for number, word in enumerate(words) if find_reason(word)), None)
        reason = None if at is None else find_reason(words[at])
        if at is None or reason is None:
            listed = ", ".join(f"{key} ({meaning})" for key, meaning in REASONS.items())
            raise Refusal(ErrorCode.OPTION_INVALID, f"Give a reason: {listed}.")
        name, details = self._name(" ".join(words[:at])), " ".join(words[at + 1 :])
        room = None if self.ui.reporter is None else self.ui.reporter.view.table.room
        await self.ui.session.client.moderation.report(name, reason, details, room)
        self.ui.say(f"You have reported {name}. Thank you.")

    def _name(self, text: str) -> str:
        """Return the name that was typed, or that of the opponent."""
        reporter = self.ui.reporter
        opponent = None if reporter is None else reporter.view.table.opponent
        if text:
            return text
        if opponent is None:
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, "Type the name of the player, too.")
        return opponent.name
