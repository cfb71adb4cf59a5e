"""The profiles: kinds of clients, and the rules that a server must keep for them."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """A kind of client. A program that claims one keeps all rules of the profile."""

    purpose: str

    def __new__(cls, value: str, purpose: str) -> Profile:
        profile = str.__new__(cls, value)
        profile._value_ = value
        profile.purpose = purpose
        return profile

    @classmethod
    def named(cls, value: str) -> Profile:
        """Return the profile with this name, which must exist."""
        return next(profile for profile in cls if profile.value == value)

    PLAYER = "player", "queues for a game, joins the room it is paired into, and plays to the end"
    SPECTATOR = "spectator", "joins the room that it is told, and follows the game to the end"
    LOBBY = "lobby", "follows the lobby, accepts the first open seek for the game, and joins the room"
    BOT = "bot", "waits for a challenge with the token that it is given, accepts it, and plays to the end"


EVERY = tuple(Profile)
PLAYING = (Profile.PLAYER, Profile.BOT)
IN_ROOMS = (Profile.PLAYER, Profile.SPECTATOR, Profile.BOT)
