"""A tournament as one JSON document, for other programs."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.tournaments.settings import Settings
from parlour.tournaments.standings import Standing, standings
from parlour.tournaments.state import Entry, Round, TournamentState


class Document(Struct, frozen=True):
    """Everything about a tournament; the standings follow from the rest."""

    settings: Settings
    status: str
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...]
    standings: list[Standing]


def document(state: TournamentState) -> str:
    """Return the document, indented."""
    whole = Document(state.settings, state.status, state.entries, state.rounds, standings(state))
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
