"""The types of settings, each by itself: what it accepts, and what it prints."""

from __future__ import annotations

import pytest

from parlour.server.configuration import setting_types as types
from parlour.server.configuration.setting_types import SettingType, choice, duration, list_of, size, whole_number
from parlour.server.cores import available_cores


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (whole_number(0, 9), "0", 0),
        (whole_number(0, 9), "9", 9),
        (duration(0, 3600), "0.25", 0.25),
        (duration(0, 3600), "250ms", 0.25),
        (duration(0, 3600), "1h", 3600.0),
        (size(0, 1024**3), "1k", 1024),
        (size(0, 1024**3), "1 GiB", 1024**3),
        (choice("one", "two"), "TWO", "two"),
        (types.WORKERS, "3", 3),
        (types.WORKERS, "Auto", available_cores()),
        (types.SWITCH, "Yes", True),
        (types.ORIGIN, "https://A.example/", "https://a.example"),
        (types.PAGE_URL, "https://a.example/play/", "https://a.example/play"),
        (types.REDIS_URL, "redis://a?password=p/", "redis://a?password=p/"),
        (types.SMTP_URL, "smtp+starttls://u:p%40@a:587", "smtp+starttls://u:p%40@a:587"),
        (types.MAIL_ADDRESS, "a.b@example.org", "a.b@example.org"),
    ],
)
def test_accepted_text(kind: SettingType, text: str, value: object) -> None:
    """Units, upper case and a trailing slash are accepted and normalised."""
    assert kind.parse(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (whole_number(1, 9), "0"),
        (types.SMTP_URL, "smtp://u:p@a"),  # a password would be sent in the clear
        (types.SMTP_URL, "http://a"),
        (types.MAIL_ADDRESS, "Ann <ann@example.org>"),
        (whole_number(1, 9), "10"),
        (whole_number(1, 9), "5k"),
        (whole_number(1, 9), "5.0"),
        (whole_number(1, 9), " 5"),
        (whole_number(1, 9), "²"),
        (duration(0, 10), "5d"),
        (duration(0, 10), "1e1"),
        (size(0, 10), "1.5"),
        (choice("one", "two"), "three"),
        (types.WORKERS, "0"),
        (types.WORKERS, "all"),
        (types.SWITCH, "2"),
        (types.NETWORK, "10.0.0.0/33"),
        (types.WEBSOCKET_URL, "ws://a/ws#top"),
        (types.WEBSOCKET_URL, "ws://a:0/ws"),
        (types.PAGE_URL, "https://:80"),
        (types.PAGE_URL, "https://a?b"),
    ],
)
def test_refused_text(kind: SettingType, text: str) -> None:
    """Text that is not allowed raises ValueError."""
    with pytest.raises(ValueError):
        kind.parse(text)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (size(0, 1024**3), 65536, "64k"),
        (size(0, 1024**3), 3 * 1024**2, "3M"),
        (size(0, 1024**3), 1000, "1000"),
        (duration(0, 10), 1.0, "1"),
        (duration(0, 10), 0.35, "0.35"),
        (types.SWITCH, False, "off"),
    ],
)
def test_values_are_printed_as_they_may_be_given(kind: SettingType, value: object, text: str) -> None:
    """A value is printed briefly, in a notation that the type parses to the same value."""
    assert kind.format(value) == text
    assert kind.parse(text) == value


def test_ranges_are_described() -> None:
    """The description of a type states its range, since errors and the help quote it."""
    assert whole_number(1, 16).allowed == "a whole number from 1 to 16"
    assert duration(0.1, 300).allowed.startswith("a time from 0.1 to 300 seconds, ")
    assert size(1024, 1024**3).allowed.startswith("a number of bytes from 1k to 1G, ")
    assert choice("auto", "text", "json").allowed == "auto, text or json"


def test_a_list_describes_its_items() -> None:
    """A list is a type for each of its items, with the same description."""
    items = list_of(types.ORIGIN)

    assert items.is_list
    assert (items.allowed, items.metavar) == (types.ORIGIN.allowed, "ORIGIN,...")
    assert items.parse("https://a.example") == "https://a.example"
