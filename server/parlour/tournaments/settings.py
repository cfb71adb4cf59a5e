"""The settings of a tournament, which its organiser chooses."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import OptionValue, TournamentFormat, TournamentSettings

MAX_PLAYERS: Mapping[TournamentFormat, int] = {
    "arena": 1_000,
    "swiss": 256,
    "knockout": 256,
    # A round robin of many players is long: each of them plays each other one.
    "round_robin": 64,
    "simul": 64,
}
MAX_NAME = 60  # characters
MAX_ROUNDS = 30
MAX_GAMES = 20  # of a match
MIN_DURATION, MAX_DURATION = 60_000, 24 * 3_600_000  # milliseconds, of an arena
MIN_EVERY, MAX_EVERY = 600_000, 31 * 24 * 3_600_000  # milliseconds between the starts of a recurring tournament
MAX_PAUSE = 24 * 3_600_000  # milliseconds between two rounds


class ComputerPlay(Struct, frozen=True):
    """How the levels of the computer play a tournament of their own. Equal values give equal games."""

    seed: int = 1
    scale: float = 1.0  # factor for the thinking time


class Settings(TournamentSettings, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament before it begins."""

    computer: ComputerPlay | None = None  # if only levels of the computer play

    @property
    def game(self) -> str:
        return self.terms.game

    @property
    def options(self) -> dict[str, OptionValue]:
        return self.terms.options


def check(settings: TournamentSettings) -> None:
    """Raise Refusal if no tournament can be played with these settings."""
    if not settings.name.strip() or len(settings.name) > MAX_NAME or not settings.name.isprintable():
        raise _invalid(f"The name needs 1 to {MAX_NAME} printable characters.")
    if not 1 <= settings.games <= MAX_GAMES:
        raise _invalid(f"A match has 1 to {MAX_GAMES} games.")
    if not 0 <= settings.rounds <= MAX_ROUNDS:
        raise _invalid(f"A Swiss tournament has at most {MAX_ROUNDS} rounds.")
    if settings.cycles not in (1, 2):
        raise _invalid("In a round robin each player meets each other one once or twice.")
    if settings.pause > MAX_PAUSE:
        raise _invalid("There is at most a day between two rounds.")
    if settings.min_players < 2:
        raise _invalid("A tournament has at least 2 players.")
    if settings.max_players < settings.min_players:
        raise _invalid("The maximum number of players is lower than the minimum.")
    if settings.max_players > MAX_PLAYERS[settings.format]:
        raise _invalid(f"This format has at most {MAX_PLAYERS[settings.format]} players.")
    if settings.ratings is not None and settings.ratings[0] > settings.ratings[1]:
        raise _invalid("The lowest rating is higher than the highest.")
    if len(set(settings.teams)) != len(settings.teams) or len(settings.teams) == 1:
        raise _invalid("There are no teams, or at least two with different names.")
    if settings.every:
        if not MIN_EVERY <= settings.every <= MAX_EVERY:
            raise _invalid("A tournament recurs every 10 minutes (600000) to 31 days (2678400000).")
        if not settings.start:
            raise _invalid("A recurring tournament needs a start.")
    _check_format(settings)


def _check_format(settings: TournamentSettings) -> None:
    """Refuse settings that only other formats have."""
    chosen = settings.format
    if settings.rounds and chosen != "swiss":
        raise _invalid("Only a Swiss tournament has a chosen number of rounds.")
    if settings.cycles != 1 and chosen != "round_robin":
        raise _invalid("Only a round robin can have two cycles.")
    if settings.third_place and chosen != "knockout":
        raise _invalid("Only a knockout has a match for the third place.")
    if settings.berserk and chosen != "arena":
        raise _invalid("Only in an arena can players halve their clocks.")
    if settings.host_side != "first" and chosen != "simul":
        raise _invalid("Only in a simul is the side of the organiser chosen.")
    if chosen == "simul":
        if settings.games != 1:
            raise _invalid("In a simul a match has one game.")
        if settings.pause:
            raise _invalid("A simul has one round, so there is no pause between rounds.")
        if settings.teams:
            raise _invalid("A simul has no teams.")
        if settings.every:
            raise _invalid("A simul takes place once: its organiser has to be there.")
    if chosen != "arena" and settings.duration:
        raise _invalid("Only an arena has a duration.")
    if chosen == "arena":
        if not MIN_DURATION <= settings.duration <= MAX_DURATION:
            raise _invalid("An arena takes from 1 minute (60000) to 24 hours (86400000).")
        if settings.games != 1:
            raise _invalid("In an arena a match has one game.")
        if settings.pause:
            raise _invalid("An arena has no rounds, so there is no pause between them.")


def _invalid(sentence: str) -> Refusal:
    return Refusal(ErrorCode.TOURNAMENT_INVALID, sentence)
