"""Addresses of Redis."""

from __future__ import annotations

import pytest

from parlour.server.store.address import Address, AnyAddress, ClusterAddress, SentinelAddress, parse
from parlour.server.store.errors import StoreUnavailable


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://", Address()),
        ("redis://example.org", Address("example.org")),
        ("redis://example.org:7000/3", Address("example.org", 7000, db=3)),
        ("redis://[::1]:7000", Address("::1", 7000)),
        ("redis://localhost?db=4", Address(db=4)),
        ("redis://:se%2Fcret@h", Address("h", password="se/cret")),
        ("rediss://ann:pw@h:1/2", Address("h", 1, db=2, username="ann", password="pw", tls=True)),
        ("rediss://h?ssl_cert_reqs=none", Address("h", tls=True, verify=False)),
        ("rediss://h?ssl_ca_certs=/ca.pem", Address("h", tls=True, ca="/ca.pem")),
        ("unix:///run/v.sock", Address(path="/run/v.sock")),
        ("unix:///run/v.sock?db=2", Address(path="/run/v.sock", db=2)),
        (
            "rediss://h?ssl_certfile=/c.pem&ssl_keyfile=/k.pem",
            Address("h", tls=True, certificate="/c.pem", private_key="/k.pem"),
        ),
        ("redis+cluster://:pw@a,b:7", ClusterAddress((Address("a", password="pw"), Address("b", 7, password="pw")))),
        (
            "redis+sentinel://ann:pw@a,b:7/games/2?sentinel_password=hidden",
            SentinelAddress(
                (Address("a", 26379, password="hidden"), Address("b", 7, password="hidden")),
                "games",
                Address("a", 26379, db=2, username="ann", password="pw"),
            ),
        ),
    ],
)
def test_valid_urls(url: str, address: AnyAddress) -> None:
    """The usual forms of a URL are understood."""
    assert parse(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost", "localhost:6379", "http://localhost", "redis://h:port", "redis://h:99999", "redis://h/one",
        "redis://h/٣", "redis://h/-1", "unix://v.sock", "unix://", "redis://h?timeout=3", "redis://[::1",
        "rediss://h?ssl_cert_reqs=perhaps", "unix:///v?ssl_ca_certs=x", "redis://a,b", "redis+other://a",
        "redis+cluster://a,b:port", "redis+cluster://a/1", "redis+sentinel://a,b", "redis+sentinel://a/service/x",
    ],
)  # fmt: skip
def test_invalid_urls(url: str) -> None:
    """A URL that cannot be used is refused with a sentence that shows valid ones."""
    with pytest.raises(StoreUnavailable, match=r"cannot be used: .*redis://localhost:6379/0"):
        parse(url)


def test_the_password_is_never_shown() -> None:
    """Neither an address nor an error about one contains the password."""
    assert "secret" not in f"{parse('redis://ann:secret@h')!r} {parse('redis://ann:secret@h')}"
    for bad in ("redis://ann:secret@h:port", "http://ann:secret@h", "ann:secret@h"):
        with pytest.raises(StoreUnavailable) as trouble:
            parse(bad)
        assert "secret" not in str(trouble.value)
        assert trouble.value.__cause__ is None


@pytest.mark.parametrize(
    "url", ["redis://h:7000/3", "rediss://[::1]:7000/0", "unix:///run/v.sock?db=2", "redis+cluster://a:1,[::1]:2"]
)
def test_an_address_reads_back(url: str) -> None:
    """An address without a password is shown as a URL that parses to the same address."""
    assert str(parse(url)) == url
