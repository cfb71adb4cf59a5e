"""Opens WebSockets: to one address, or to the first of several that answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from parlour.client.address import is_on_this_machine
from parlour.client.connect_errors import ConnectError, explain, wrong_subprotocol
from parlour.protocol.codec import Codec
from parlour.protocol.timing import NEXT_ADDRESS_DELAY


async def open_socket(address: str, codec: Codec, timeout: float) -> ClientConnection:
    """Return a WebSocket on which both sides speak `codec`. Raise `ConnectError` after at most `timeout` seconds."""
    try:
        socket = await connect(
            address,
            subprotocols=[Subprotocol(codec.subprotocol)],
            compression=None,
            open_timeout=timeout,
            close_timeout=1,
            ping_interval=None,  # the session sends its own pings, whose answers say more
            max_size=None,
            proxy=None if is_on_this_machine(address) else True,  # True: as the environment says
        )
    except (OSError, TimeoutError, WebSocketException, UnicodeError) as error:  # UnicodeError: an odd host name
        raise explain(error, address, timeout) from error
    if socket.subprotocol != codec.subprotocol:
        await socket.close()
        raise wrong_subprotocol(address, socket.subprotocol)
    return socket


async def open_first(addresses: Sequence[str], codec: Codec, timeout: float) -> tuple[str, ClientConnection]:
    """Return the first address that answers, and a WebSocket to it. Raise the last `ConnectError` if none does.

    An address is tried when all before it have failed or have had their head start. The other attempts are abandoned.
    """
    remaining = list(addresses)
    attempts: dict[asyncio.Task[ClientConnection], str] = {}
    failure: ConnectError | None = None
    try:
        while remaining or attempts:
            if remaining:
                address = remaining.pop(0)
                attempts[asyncio.create_task(open_socket(address, codec, timeout))] = address
            head_start = NEXT_ADDRESS_DELAY if remaining else None
            done, _ = await asyncio.wait(attempts, timeout=head_start, return_when=asyncio.FIRST_COMPLETED)
            for attempt in done:
                address = attempts.pop(attempt)
                try:
                    return address, attempt.result()
                except ConnectError as error:
                    failure = error
        assert failure is not None, "no addresses"
        raise failure
    finally:
        for attempt in attempts:
            attempt.cancel()
        for outcome in await asyncio.gather(*attempts, return_exceptions=True):
            if isinstance(outcome, ClientConnection):  # it was opened at the same time as the first one
                outcome.transport.abort()
