"""The key of a deployment, and its signatures."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from py_vapid import Vapid02

from parlour.server.push.vapid import MAX_SIGNATURES, VALID_FOR, PushKeyError, Vapid, new_key, read_key, read_key_file

NOW = 1_760_000_000


def claims(header: str) -> dict[str, object]:
    payload = header.split("t=")[1].split(",", maxsplit=1)[0].split(".")[1]
    found: dict[str, object] = json.loads(urlsafe_b64decode(payload + "=="))
    return found


def test_a_signature_names_the_service_and_the_operator() -> None:
    """The header is valid for one origin, and for half a day; it is kept until shortly before that."""
    vapid = Vapid(read_key(new_key()), "mailto:ann@example.org")

    header = vapid.authorization("https://push.example.net", NOW)

    assert Vapid02.verify(header)
    assert header.endswith(f"k={vapid.public_key}")
    expected = {"aud": "https://push.example.net", "sub": "mailto:ann@example.org", "exp": NOW + VALID_FOR}
    assert claims(header) == expected
    assert vapid.authorization("https://push.example.net", NOW + 60) == header
    assert vapid.authorization("https://push.example.net", NOW + VALID_FOR) != header
    assert vapid.authorization("https://other.example.net", NOW) != header


def test_few_signatures_are_kept() -> None:
    """Players who name many push services do not fill the memory: an old signature is made again."""
    vapid = Vapid(read_key(new_key()), "https://example.org:8443/contact")
    first = vapid.authorization("https://0.example.net", NOW)
    for number in range(1, MAX_SIGNATURES + 1):
        vapid.authorization(f"https://{number}.example.net", NOW)

    assert vapid.authorization("https://0.example.net", NOW) != first


def test_an_operator_brings_a_key(tmp_path: Path) -> None:
    """A key file is read; one that is missing, no key, or a key of another kind is refused without quoting it."""
    file = tmp_path / "push.pem"
    file.write_text(new_key())
    assert read_key_file(file).curve.name == "secp256r1"

    of_another_kind = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for text in (b"secret", of_another_kind):
        file.write_bytes(text)
        with pytest.raises(PushKeyError, match=r"no private key on the curve P-256.*openssl") as caught:
            read_key_file(file)
        assert text.decode() not in str(caught.value)
    with pytest.raises(PushKeyError, match="cannot be read"):
        read_key_file(tmp_path / "missing.pem")
