"""Finds the operation of a request."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from parlour.server.api.call import Call
from parlour.server.api.openapi import text
from parlour.server.api.operation import Content, NoInput, Operation
from parlour.server.api.operations import OPERATIONS
from parlour.server.connections.http import JSON_TYPE

OPENAPI = "/openapi.json"


class Route(NamedTuple):
    """The operation at a path."""

    methods: tuple[str, ...] = ()  # of its operations; empty: there is nothing at the path
    operation: Operation | None = None  # None: the method is not allowed
    path: Mapping[str, str] = {}  # the parameters in the path, as they were sent

    @property
    def allow(self) -> str:
        """The value of the header Allow."""
        return ", ".join("GET, HEAD" if method == "GET" else method for method in (*self.methods, "OPTIONS"))


def find(path: str, method: str) -> Route:
    """Return what is at a path below /api/v1."""
    wanted = "GET" if method == "HEAD" else method
    matches = [(each, match) for each in (_DESCRIPTION, *OPERATIONS) if (match := each.pattern.fullmatch(path))]
    # Several templates may match one path, such as /records/{room} and /records/export; the first one is used.
    matches = [match for match in matches if match[0].path == matches[0][0].path]
    methods = tuple(sorted(operation.method for operation, _ in matches))
    found = next((match for match in matches if match[0].method == wanted), None)
    return Route(methods) if found is None else Route(methods, found[0], found[1].groupdict())


async def _describe(_: Call, __: NoInput) -> Content:
    return Content(_text(), JSON_TYPE)


@cache
def _text() -> bytes:
    return text().encode()


_DESCRIPTION = Operation(
    method="GET", path=OPENAPI, name="describe", tag="games", summary="Get the description of this API",
    input=NoInput, reply=None, answer=_describe,
)  # fmt: skip
