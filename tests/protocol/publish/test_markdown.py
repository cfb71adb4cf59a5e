"""docs/protocol.md is complete, its links resolve, and its examples work."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from parlour.protocol.codec import JSON
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import ROOM_EVENTS, Choices, Moved, Room
from parlour.protocol.session import ClientSession
from publish.__main__ import ROOT, VECTORS
from publish.conversation import CLIENT, LOST, conversation
from publish.formatting import WIDTH, pretty_json
from publish.markdown import TEMPLATE, anchor
from publish.model import CLIENT_KINDS, Definition, protocol

PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
HEADINGS = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", PAGE, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
FORMS = [pytest.param(definition, id=definition.name) for definition in (*protocol().messages, *protocol().parts)]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("definition", FORMS)
def test_every_form_is_there(definition: Definition) -> None:
    """Every message and every part has a heading, a description, and a line for each field."""
    section = PAGE.split(f"\n#### {definition.tag or definition.name}\n", 1)[1].split("\n#### ", 1)[0]

    assert definition.about in section
    for field in definition.fields:
        assert f"| `{field.name}` | " in section


@pytest.mark.parametrize(
    "definition", [pytest.param(definition, id=definition.name) for definition in protocol().messages]
)
def test_every_message_has_an_example_that_can_be_read(definition: Definition) -> None:
    """The example below a message decodes to that message."""
    section = PAGE.split(f"\n#### {definition.tag}\n", 1)[1].split("\n### ", 1)[0].split("\n#### ", 1)[0]
    (example,) = re.findall(r"^```json\n(.*?)^```", section, re.MULTILINE | re.DOTALL)

    message = (JSON.decode_client if definition.kind in CLIENT_KINDS else JSON.decode_server)(example.strip())

    assert type(message) is definition.kind


def test_every_code_is_there() -> None:
    """The tables list every error and every close code with its advice."""
    for code in ErrorCode:
        assert f"| `{code.value}` | {code.meaning} | {code.retry.value} | {code.advice} |" in PAGE
    for close in CloseCode:
        assert f"| {close.value} | {close.meaning} | {close.advice} |" in PAGE


def test_every_event_is_explained() -> None:
    """The table of events lists every kind of event, and no other."""
    table = PAGE.split("| `kind` | ", 1)[1].split("\n\n", 1)[0]
    first_cells = [row.split("|")[1] for row in table.splitlines()[2:]]

    named = re.findall(r"`(\w+)`", " ".join(first_cells))
    assert len(named) == len(set(named))
    assert set(named) == set(ROOM_EVENTS)


def test_links_lead_somewhere() -> None:
    """Every link within the page matches exactly one heading, and every link to a file matches a file."""
    anchors = [anchor(heading.replace("`", "")) for heading in HEADINGS]
    for target in set(re.findall(r"\]\(([^)]+)\)", PAGE)):
        if target.startswith("#"):
            assert anchors.count(target[1:]) == 1, target
        elif not target.startswith("https://"):
            assert (ROOT / "docs" / target).exists(), target


def test_headings_that_are_mentioned_exist() -> None:
    """Every “see …” names an existing heading."""
    for title in re.findall(r"see “(.+?)”", PAGE):
        assert title in HEADINGS


def test_nothing_is_left_to_fill_in() -> None:
    """Every placeholder in the template was filled."""
    assert re.findall(r"\{\{.*?\}\}", PAGE) == []
    assert "{{reference}}" in TEMPLATE.read_text("utf-8")


def test_the_code_on_the_page_works() -> None:
    """Pasted into a file, the functions on the page yield the scenes, bytes and hashes of the vectors."""
    code: dict[str, Any] = {}
    exec("\n".join(text for language, text in BLOCKS if language == "python"), code)
    vectors = json.loads((VECTORS / "scenes.json").read_text("utf-8"))

    for vector in vectors["scenes"]:
        assert code["pack"](vector["scene"]).hex() == vector["canonical"]
        assert code["scene_hash"](vector["scene"]) == vector["hash"]
    for vector in vectors["patches"]:
        assert code["patch"](vector["old"], vector["change"]) == vector["new"]
    for path in (VECTORS / "games").glob("*.json"):
        game = json.loads(path.read_text("utf-8"))
        scene = game["first"]
        for move in game["moves"]:
            scene = code["patch"](scene, move["change"])
            assert code["scene_hash"](scene) == move["hash"]


def test_the_worked_example_adds_up() -> None:
    """The bytes explained one by one are the canonical bytes of the scene above them."""
    scene, explained = PAGE.split("For example, this scene", 1)[1].split("has these canonical bytes", 1)
    (vector,) = (
        vector
        for vector in json.loads((VECTORS / "scenes.json").read_text("utf-8"))["scenes"]
        if vector["name"] == "the worked example"
    )
    lines = explained.split("```text\n", 1)[1].split("```", 1)[0].splitlines()
    found = "".join(line[: line.index("  ", len(line) - len(line.lstrip()))] for line in lines)

    assert json.loads(scene.split("```json\n", 1)[1].split("```", 1)[0]) == vector["scene"]
    assert found.replace(" ", "") == vector["canonical"]
    assert f"`0x{vector['hash']:08X}`" in explained


def test_a_client_says_what_the_conversation_says() -> None:
    """A session that receives the server's lines sends the client's lines, and keeps an exact replica of the room."""
    session = ClientSession(CLIENT, name="Ada")
    sent: list[Any] = []
    connection = session.connected(0)
    for line in conversation():
        message: Any = line.message
        sent += session.outgoing()
        if line.remark == LOST:
            session.disconnected()
            connection = session.connected(0)
        elif line.sender == "server":
            assert session.receive(connection, message, 0)
        elif sent and sent[0] == message:
            sent.pop(0)
        else:
            session.send(message)
            assert session.outgoing() == [message]
    (replica,) = session.rooms.values()

    assert sent == []
    assert replica.in_sync
    assert session.unanswered == ()


def test_the_conversation_shows_a_turn() -> None:
    """The conversation contains a room, choices, a move and its answer."""
    kinds = {type(line.message) for line in conversation()}

    assert {Room, Choices, Moved} <= kinds


@pytest.mark.parametrize("room", [20, WIDTH])
def test_pretty_json_is_the_same_json(room: int) -> None:
    """However it is split into lines, the JSON decodes to the same value."""
    for vector in json.loads((VECTORS / "messages.json").read_text("utf-8")):
        assert json.loads(pretty_json(vector["json"], room=room)) == vector["json"]
