"""Requests of the fuzzer to the API."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bench.fuzz.api_requests import api_request
from bench.fuzz.frames import FuzzedFrames, Known
from parlour.protocol.codec import JSON
from parlour.protocol.errors import Refusal
from parlour.server.api.operations import OPERATIONS
from parlour.server.api.routing import find


@pytest.mark.parametrize("known", [Known(), Known(["r1"], ["s1"], ["Ada"], ["token"], ["text"], ["cup"])])
def test_every_operation_is_requested(known: Known) -> None:
    """Many requests have the documented form, some do not, and most reach the operation that they are meant for."""
    rng = Random(1)
    frames = FuzzedFrames(rng, JSON, known)
    requested: Counter[str] = Counter()
    found: Counter[bool] = Counter()
    read: Counter[bool] = Counter()
    for number in range(2_000):
        data, operation = api_request(rng, frames, known)
        requested[operation.name] += 1
        head, _, body = data.partition(b"\r\n\r\n")
        target = head.split()[1].decode("ascii")
        path, _, query = target.removeprefix("/api/v1").partition("?")
        route = find(path, operation.method)
        found[route.operation is operation] += 1
        try:
            operation.read(route.path, query, body, number)
            read[True] += 1
        except Refusal:
            read[False] += 1
    assert requested.keys() == {operation.name for operation in OPERATIONS}
    assert found[True] > 10 * found[False]
    assert min(read.values()) > 200
