"""Games by HTTP."""

from __future__ import annotations

from parlour import games
from tests.server.api.http_client import HttpClient


async def test_all_games_are_listed(http: HttpClient) -> None:
    """With their options and levels; one of them can be asked for by itself."""
    rows = (await http.get("/games")).json["rows"]
    assert [row["key"] for row in rows] == list(games.keys())
    assert (await http.get("/games/mapello")).json in rows
    assert (await http.get("/games/mapello/levels")).json["rows"] == (await http.get("/games/mapello")).json["levels"]


async def test_rules_come_with_boards_or_as_text(http: HttpClient) -> None:
    """The text is the same."""
    rules, text = await http.get("/games/replica/rules"), await http.get("/games/replica/rules.md")
    assert rules.json["text"] == text.body.decode()
    assert rules.json["examples"]
    assert text.headers["content-type"] == "text/plain; charset=utf-8"


async def test_lessons_and_leaderboards_are_served(http: HttpClient) -> None:
    """Like through the WebSocket."""
    assert (await http.get("/games/replica/lesson")).json["t"] == "lesson"
    assert (await http.get("/games/replica/leaderboard?offset=20")).json["offset"] == 20


async def test_an_unknown_game_is_not_found(http: HttpClient) -> None:
    """Wherever it is named."""
    for path in ("/games/chess", "/games/chess/levels", "/games/chess/rules", "/games/chess/leaderboard"):
        answer = await http.get(path)
        assert (answer.status, answer.json["error"]) == (404, "game_unknown"), path
