"""The vectors of the chain."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from parlour.server.archive.record import GameRecord
from parlour.server.archive.verify import check_chain
from publish.records import records


def test_the_chains_are_valid() -> None:
    """The server accepts every record."""
    for vector in records():
        check_chain(msgspec.convert(vector["record"], GameRecord))


def test_the_links_are_hashes_of_the_items() -> None:
    """Each link is the hash of the one before it and its item; the chain shows two bytes of each but the first."""
    for vector in records():
        link = b""
        for item, expected in zip(vector["items"], vector["links"], strict=True):
            link = blake2b(link + item.encode(), digest_size=16, person=b"parlour record").digest()
            assert link.hex() == expected
        *marks, last = vector["record"]["chain"].split(".")
        assert (marks, last) == ([link[:4] for link in vector["links"][1:-1]], vector["links"][-1])


def test_an_erased_name_leaves_the_links() -> None:
    """Whether a name is there or erased, the links are the same."""
    links = {vector["name"]: vector["links"] for vector in records()}
    rated = next(name for name in links if name.startswith("rated"))
    assert links["the same after the first player was deleted"] == links[rated]
