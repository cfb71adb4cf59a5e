"""A tournament as JSON."""

from __future__ import annotations

import json

from parlour.tournaments.json_export import document
from tests.tournaments.playing import Played


def test_the_document_is_complete() -> None:
    """It has the settings, the players, all rounds and the standings."""
    found = json.loads(document(Played(4, format="knockout").play()))
    assert found["settings"]["format"] == "knockout"
    assert found["status"] == "finished"
    assert len(found["entries"]) == len(found["standings"]) == 4
    assert [len(each["matches"]) for each in found["rounds"]] == [2, 1]
    assert found["standings"][0]["rank"] == 1
