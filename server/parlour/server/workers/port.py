"""The port that workers share. Each opens it with SO_REUSEPORT, and the kernel spreads the connections over them."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack


async def reserve(host: str, port: int, until: ExitStack) -> int:
    """Reserve a port for the workers until the stack is closed; return its number. Raise OSError if it is in use.

    SO_REUSEPORT would let a second server of the same user join unnoticed. So the port is first bound without it, which
    fails if any other program listens there. The sockets do not listen, so they receive no connections.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, kind, protocol, _, address in dict.fromkeys(found):
        held = until.enter_context(socket.socket(family, kind, protocol))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as for all servers: old connections do not matter
        if family == socket.AF_INET6:
            held.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        held.bind((address[0], port, *address[2:]))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        port = held.getsockname()[1]  # the same for all addresses of the host
    return port
