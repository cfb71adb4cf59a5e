"""The key with which a deployment signs its push messages (VAPID, RFC 8292)."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections import OrderedDict
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

VALID_FOR = 12 * 3600  # seconds; push services accept up to a day
RENEWED_BEFORE = 3600  # seconds before a signature expires
MAX_SIGNATURES = 64  # that are kept: there are few push services


class PushKeyError(Exception):
    """The operator's key cannot be used; `str()` is a sentence for the operator."""


class Vapid:
    """Signs requests to push services. The private key is in no log and in no message."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, contact: str) -> None:
        """`contact` is where a push service can reach the operator: a mailto: or https: address."""
        # Not strict: the check of the library refuses addresses with a port or a path.
        self._signer = Vapid02(key, conf={"no-strict": True})
        self._contact = contact
        self._signatures: OrderedDict[str, tuple[int, str]] = OrderedDict()  # by origin: its expiry, and the header
        point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.public_key = urlsafe_b64encode(point).decode().rstrip("=")  # as browsers take it

    def authorization(self, origin: str, now: int) -> str:
        """Return the header that identifies the sender to the push service at an origin; `now` is in seconds."""
        expires, header = self._signatures.get(origin, (0, ""))
        if expires - RENEWED_BEFORE <= now:
            expires = now + VALID_FOR
            signed = self._signer.sign({"aud": origin, "sub": self._contact, "exp": expires})
            header = str(signed["Authorization"])
            self._signatures[origin] = expires, header
            if len(self._signatures) > MAX_SIGNATURES:
                self._signatures.popitem(last=False)
        return header


def new_key() -> str:
    """Return a new private key as text, as it is stored."""
    return _to_text(ec.generate_private_key(ec.SECP256R1()))


def read_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Return the key in PEM. Raise ValueError if it is not one for VAPID."""
    key = serialization.load_pem_private_key(text.encode(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ValueError("not a key on the curve P-256")
    return key


def read_key_file(file: Path) -> ec.EllipticCurvePrivateKey:
    """Return the operator's key. Raise PushKeyError, whose sentence says what is wrong with the file."""
    try:
        return read_key(file.read_text("utf-8"))
    except OSError as error:
        raise PushKeyError(f"The push key {file} cannot be read: {error.strerror or error}.") from None
    except (ValueError, TypeError):  # no PEM, another kind of key, or one with a password
        remedy = "Create one with: openssl ecparam -name prime256v1 -genkey -noout"
        raise PushKeyError(f"{file} has no private key on the curve P-256 without a password. {remedy}") from None


def _to_text(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
