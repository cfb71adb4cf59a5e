"""Connections of a command to a server: as a guest, with a token, or signed in to an account."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from parlour.cli.server_argument import ProblemPrinter

if TYPE_CHECKING:
    from parlour.client.client import Client

TIMEOUT = 20.0  # seconds for the answers of the server


class Connector:
    """Connects to one server."""

    def __init__(self, url: str, *, wait: bool) -> None:
        self._url = url
        self._wait = wait
        self._problems = ProblemPrinter()

    @asynccontextmanager
    async def client(self, token: str | None = None) -> AsyncIterator[Client]:
        """Return a client whose requests are answered within a time limit. Raise ConnectionError."""
        from parlour.client.client import connect  # noqa: PLC0415  # takes longer than all of --help

        connecting = connect(
            self._url,
            token=token,
            program="parlour",
            wait=self._wait,
            timeout=None if self._wait else TIMEOUT,
            on_problem=self._problems.report if self._wait else _ignore,
        )
        async with connecting as client:
            try:
                async with asyncio.timeout(TIMEOUT):
                    yield client
            except TimeoutError:
                raise ConnectionError(f"{self._url} did not answer within {TIMEOUT:g} seconds.") from None

    @asynccontextmanager
    async def signed_in(self, name: str, password: str) -> AsyncIterator[Client]:
        """Return a client that is signed in to an account, then sign it out. Raise Refusal or ConnectionError."""
        async with self.client() as guest:
            signed_in = await guest.sign_in(name, password)
            await guest.sign_out()
        async with self.client(signed_in.token) as owner:
            try:
                yield owner
            finally:
                await owner.sign_out()


def _ignore(problem: str) -> None:
    """Say nothing: the problem ends the command and is printed then."""
