"""Tables and players in a few words."""

from __future__ import annotations

from parlour.protocol.types import Clock, GameCard, Level, OptionSpec, Player, Terms
from parlour.terminal.text.terms import level_label, option_labels, player_label, terms_line, terms_phrase

CARD = GameCard(
    "mapello",
    "Mapello",
    "",
    (),
    (
        OptionSpec("board", "Board", "layout", "default", "", ("default", "random")),
        OptionSpec("seed", "Seed", "number", 0, "", low=0, high=9),
        OptionSpec("passive", "Passive rule", "switch", True, ""),
    ),
    (),
    {},
)


def test_terms_in_a_line() -> None:
    """Name, pace, whether it is rated, and only what is unusual."""
    clock = Clock("fischer", 600_000, 5_000)
    terms = Terms("mapello", {"board": "random", "seed": 7, "passive": True}, clock, rated=True)

    assert terms_line(terms, CARD) == "Mapello  10 min + 5 s  rated  board random"
    assert terms_line(Terms("chess"), None) == "chess  no clock  casual"
    assert terms_phrase(terms, CARD) == "Mapello, 10 min + 5 s, rated, board random"


def test_options_in_words() -> None:
    """A custom board is not spelled out, and a switch is on or off."""
    assert option_labels({"board": "####/....", "passive": False}, CARD) == ["custom board", "passive rule off"]
    assert option_labels({"odd": 3}, CARD) == ["odd 3"]


def test_players() -> None:
    """Bots are labelled, provisional ratings have a question mark, long names are cut."""
    assert player_label(Player("heron77", 1612)) == "heron77 1612"
    assert player_label(Player("heron77", 1612, provisional=True)) == "heron77 1612?"
    assert player_label(Player("Robbie", bot=True)) == "Robbie (bot)"
    assert player_label(Player("x" * 32)) == "x" * 19 + "…"
    assert player_label(None) == "empty seat"


def test_a_level() -> None:
    """Its name, its title and its rating, if that was measured."""
    assert level_label(Level("1", "Beginner", 812)) == "1 Beginner (812)"
    assert level_label(Level("greedy", "Greedy")) == "greedy Greedy"
