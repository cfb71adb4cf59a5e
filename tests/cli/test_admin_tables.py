"""Tables for operators."""

from __future__ import annotations

from parlour.cli.admin_tables import audit, player_file, reports, table, tournaments

HISTORY = [{"at": 0, "operator": "nora", "action": "mute", "target": "Sedge", "reason": "because"}]
PLAYER = {"id": "1", "name": "Sedge", "kind": "account", "suspended": None, "muted": {"until": 0, "reason": "because"}}


def test_columns_are_aligned() -> None:
    """A table without rows is a sentence, and control characters are not printed."""
    assert list(table(("A", "LONG"), [("a", 1), ("bbb", "\x1b[31m")])) == ["A    LONG", "a    1", "bbb  ?[31m"]
    assert list(table(("A",), [])) == ["There is nothing to show."]


def test_an_entry_of_the_audit_log() -> None:
    """Fields that an action does not have are empty."""
    assert list(audit(HISTORY))[1].split() == ["1970-01-01", "00:00", "UTC", "nora", "mute", "Sedge", "because"]


def test_the_file_of_a_player() -> None:
    """It says what operators have decided, with the reason."""
    found = {
        "player": PLAYER, "created": 0, "online": True, "devices": 2, "owner": None, "bots": [{"name": "Robbie"}],
        "ratings": [{"game": "isaac", "rating": 1500, "deviation": 80, "games": 7}], "rooms": [], "history": HISTORY,
    }  # fmt: skip
    lines = list(player_file(found))
    assert lines[:2] == ["Sedge (account), id 1", "Muted for good: because"]
    assert "bots: Robbie" in lines
    assert "rating in isaac: 1500 ± 80, 7 games" in lines


def test_a_tournament() -> None:
    """One that begins as soon as enough players have entered has no start."""
    settings = {"name": "Autumn cup", "format": "swiss", "terms": {"game": "replica"}}
    row = {"tournament": "Kp3v9XqT", "settings": settings, "status": "open", "players": 3, "organiser": "Olga"}
    lines = list(tournaments([row, row | {"start": 60_000}]))
    assert lines[1].split() == ["Kp3v9XqT", "Autumn", "cup", "replica", "swiss", "3", "Olga", "-", "open"]
    assert "1970-01-01 00:01 UTC" in lines[2]


def test_a_report() -> None:
    """It has what the player said, without control characters, and what an operator did."""
    report = {
        "id": "ab12", "at": 0, "author": {"name": "Ann"}, "player": {"name": "Sedge"}, "reason": "abuse", "room": "r1",
        "text": "Insults", "chat": ["Go \x1baway"], "handled": {"operator": "nora", "note": "Warned", "at": 0},
    }  # fmt: skip
    assert list(reports([report])) == [
        "ab12  1970-01-01 00:00 UTC  abuse: Sedge, game r1",
        "  reported by Ann: Insults",
        "  said: Go ?away",
        "  handled by nora, 1970-01-01 00:00 UTC: Warned",
    ]
    assert list(reports([])) == ["There is nothing to show."]
