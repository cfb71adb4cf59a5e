"""Requests to the HTTP API that are derived from its operations: what they take, in the right form or not."""

from __future__ import annotations

from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from bench.fuzz.frames import FuzzedFrames, Known
from parlour.server.api.operation import Operation
from parlour.server.api.operations import OPERATIONS
from parlour.server.connections.http import API_PATH
from tests.e2e.nonsense import ODD_TEXTS
from tests.server.connections.raw_client import request


def api_request(rng: Random, frames: FuzzedFrames, known: Known) -> tuple[bytes, Operation]:
    """Return a request for a random operation, and the operation."""
    operation = rng.choice(OPERATIONS)
    values = _values(rng, frames, operation)
    path = operation.path
    for name in operation.in_path:
        value = quote(str(values.pop(name, rng.choice(ODD_TEXTS))), safe="", errors="replace")
        path = path.replace(f"{{{name}}}", value or "-")
    headers = {"Content_Type": "application/json"}
    if known.tokens and rng.random() < 0.8:
        headers["Authorization"] = f"Bearer {rng.choice(known.tokens)}"
    if rng.random() < 0.1:
        headers["Idempotency_Key"] = str(rng.randrange(10))
    body = b""
    if operation.has_body:
        body = _damaged(rng, msgspec.json.encode(values))
        headers["Content_Length"] = str(len(body))
    elif values:
        path += "?" + urlencode(values, doseq=True, errors="replace")
    return request(API_PATH.rstrip("/") + path, operation.method, **headers) + body, operation


def _values(rng: Random, frames: FuzzedFrames, operation: Operation) -> dict[str, Any]:
    """Return values for the parameters of an operation, as JSON has them."""
    found = {
        name: msgspec.to_builtins(frames.value_of(name, field.type))
        for name, field in operation.fields.items()
        if field.required or rng.random() < 0.5
    }
    if rng.random() < 0.1:
        found[rng.choice(("", "x", "id", *operation.fields))] = rng.choice(ODD_TEXTS)
    return found


def _damaged(rng: Random, body: bytes) -> bytes:
    """Return a body as it is, or with a part of it replaced."""
    if rng.random() < 0.9 or not body:
        return body
    at = rng.randrange(len(body))
    return body[:at] + rng.randbytes(rng.randrange(8)) + body[at + rng.randrange(4) :]
