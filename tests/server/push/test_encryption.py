"""What is sent can be read only with the keys of the subscription."""

from __future__ import annotations

import http_ece
import pytest

from parlour.server.push.encryption import encrypt, read_keys
from tests.server.push.push_service import SubscribedBrowser

# The example of RFC 8291, section 5.
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"


def test_only_the_browser_reads_a_message() -> None:
    """Each message is encrypted with a key of its own, and the keys of another browser do not open it."""
    browser, other = (SubscribedBrowser("https://push.example.net/1") for _ in range(2))
    keys = browser.subscription.p256dh, browser.subscription.auth
    first, second = (encrypt(b'{"kind":"your_turn"}', *keys) for _ in range(2))

    assert b"your_turn" not in first
    assert first != second
    for key, secret, opens in ((browser.key, browser.secret, True), (other.key, other.secret, False)):
        try:
            read = http_ece.decrypt(first, private_key=key, auth_secret=secret, version="aes128gcm")
        except http_ece.ECEException:
            read = None
        assert (read == b'{"kind":"your_turn"}') is opens


def test_invalid_keys_are_refused() -> None:
    """A key has to be a point of the curve, and the secret has 16 bytes."""
    assert len(read_keys(P256DH, AUTH)[0]) == 65
    for p256dh, auth in ((P256DH[:-4] + "AAAA", AUTH), ("", AUTH), ("é", AUTH), (P256DH, "AAAA"), (P256DH, "a")):
        with pytest.raises(ValueError):
            read_keys(p256dh, auth)
