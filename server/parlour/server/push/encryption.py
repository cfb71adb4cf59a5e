"""Encrypts push messages so that only the browser can read them (RFC 8291)."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

AUTH_SIZE = 16  # bytes
CONTENT_ENCODING = "aes128gcm"


def encrypt(payload: bytes, p256dh: str, auth: str) -> bytes:
    """Return the body of a push message to the browser with these keys. Raise ValueError if they are invalid."""
    point, secret = read_keys(p256dh, auth)
    own_key = ec.generate_private_key(ec.SECP256R1())
    body: bytes = http_ece.encrypt(payload, private_key=own_key, dh=point, auth_secret=secret, version=CONTENT_ENCODING)
    return body


def read_keys(p256dh: str, auth: str) -> tuple[bytes, bytes]:
    """Return the public key of a browser and its secret. Raise ValueError if they are invalid."""
    point, secret = _decode(p256dh), _decode(auth)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)  # raises ValueError
    if len(secret) != AUTH_SIZE:
        raise ValueError("the secret has another length")
    return point, secret


def _decode(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError(str(error)) from None
