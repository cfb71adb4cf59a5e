"""The report file of FIDE."""

from __future__ import annotations

from pathlib import Path

import pytest
from py4swiss.trf import TrfParser

from parlour.tournaments import commands
from parlour.tournaments.trf import report
from tests.tournaments.playing import NOW, Played


@pytest.mark.parametrize("kind", ["swiss", "round_robin"])
def test_another_program_reads_the_report(kind: str, tmp_path: Path) -> None:
    """A strict parser finds all players, points and rounds, also after a withdrawal and with byes."""
    played = Played(7, format=kind)
    played.start_round()
    played.apply(commands.withdraw(played.state, "p4", NOW))
    state = played.play(lambda match: None if "p2" in (match.first, match.second) else match.first)
    file = tmp_path / "report.trf"
    file.write_text(report(state, NOW, NOW + 86_400_000), encoding="utf-8")
    parsed = TrfParser.parse(file, strict=True)
    assert len(parsed.player_sections) == 7
    assert all(len(section.results) == len(state.rounds) for section in parsed.player_sections)
    assert {section.name for section in parsed.player_sections} == {f"Player {number}" for number in range(1, 8)}


def test_the_head_of_a_report() -> None:
    """It has the name, the dates, the number of players and the format."""
    lines = report(Played(2, name="Winter cup").play(), NOW, NOW + 86_400_000).splitlines()
    head = ["012 Winter cup", "042 2023/11/14", "052 2023/11/15", "062 2", "092 round robin, replica"]
    assert lines[:5] == head
    assert lines[-1] == "XXR 1"


def test_long_names_are_cut() -> None:
    """The columns after the name stay where the format wants them."""
    played = Played(0)
    for player in ("a", "b"):
        played.apply(commands.enter(played.state, player, player * 50, 1500, NOW))
    line = report(played.play(), NOW, NOW).splitlines()[5]
    assert line[14:47] == "a" * 33
    assert line[48:52] == "1500"
    assert line[80:84] == " 1.0"
