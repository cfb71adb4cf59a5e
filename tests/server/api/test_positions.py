"""Positions by HTTP."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

from tests.server.api.http_client import HttpClient

SVG = "{http://www.w3.org/2000/svg}"


async def test_a_position_is_drawn(http: HttpClient) -> None:
    """As PNG in the size that was asked for, and as SVG with a title; moves change the picture."""
    png = await http.get("/games/mapello/picture.png?size=200")
    assert png.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(png.body)).size == (200, 200)
    first, later = [await http.get(f"/games/replica/picture.svg{query}") for query in ("", "?moves=g8-e6")]
    assert first.headers["content-type"] == "image/svg+xml"
    title = ElementTree.fromstring(later.body).find(f"{SVG}title")
    assert title is not None
    assert str(title.text).startswith("Replica: ")
    assert first.body != later.body


async def test_what_cannot_be_drawn_is_refused(http: HttpClient) -> None:
    """With the sentence of the game."""
    found = [await http.get(f"/games/replica/picture.svg?{query}") for query in ("moves=a1-a2", "position=x", "size=9")]
    assert [(answer.status, answer.json["error"]) for answer in found] == [
        (422, "move_illegal"),
        (422, "position_malformed"),
        (400, "request_malformed"),
    ]


async def test_moves_are_tried_on_an_analysis_board(http: HttpClient) -> None:
    """Without a token; the computer's opinion needs one."""
    line = {"terms": {"game": "replica"}, "moves": ["g8-e6"]}
    assert (await http.post("/positions/study", line)).json["moves"] == ["g8-e6"]
    assert (await http.post("/positions/assess", line)).status == 401
