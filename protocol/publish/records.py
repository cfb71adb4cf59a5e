"""Vectors for the chain of a record: records with the part that each link covers, and the links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.archive import record as archive
from parlour.server.archive.record import Entry, GameRecord
from publish.sample_people import NOW

_CASUAL = GameRecord(
    room="aB3dEf",
    terms=Terms("replica"),
    players=(Player("Ada"), Player("Ben", bot=True)),
    moves=(Entry("g5-f5", 1500), Entry("b4-c4", 20), Entry("f5-e5", 61_007)),
    rules_version=1,
    result=Result(0, "resigned"),
    started=NOW,
    ended=NOW + 65_000,
)
_RATED = replace(
    _CASUAL,
    room="m4Tq8ZkW",
    terms=Terms("mapello", {"seed": 0, "board": "random"}, Clock("fischer", 60_000, 1000), rated=True),
    players=(Player("Zoë", rating=1500, provisional=True), Player("茶 / “B”", rating=1612, guest=True)),
    moves=(Entry("d5"), Entry("f4", 7)),
    result=Result(None, "agreed", (2, 2), "too_short"),
    salts=("6a1f0c9be2d84735", "90ab12cd34ef5678"),
)
_POSITION = replace(
    _CASUAL, moves=(), position="......wW/...wwW../....Www./.bb.w..w/...bb.ww/bbb...../..bb..../B..bb... w"
)

_RECORDS = {
    "casual, without salts": _CASUAL,
    "rated, with options, a clock, salts and a result that does not count": _RATED,
    "the same after the first player was deleted": archive.without_name(_RATED, 0),
    "from a position, without moves": _POSITION,
}


def records() -> Iterator[dict[str, Any]]:
    """Yield each record with the items of its chain as they are hashed, its links, and its chain."""
    for name, record in _RECORDS.items():
        sealed = archive.normalized(archive.sealed(record))
        items, links = zip(*archive.links_of(sealed), strict=True)
        yield {
            "name": name,
            "record": msgspec.json.decode(msgspec.json.encode(sealed)),
            "items": [item.decode() for item in items],
            "links": [link.hex() for link in links],
        }
