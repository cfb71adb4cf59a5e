"""Finding the master of a service that Sentinels watch."""

from __future__ import annotations

import asyncio

from msgspec import Struct
from msgspec.structs import replace

from parlour.server.store.address import Address, SentinelAddress
from parlour.server.store.connector import ask
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.health import describe

ASK_WITHIN = 1.0  # seconds for one Sentinel


class Sentinels(Struct, frozen=True):
    """Asks the Sentinels of a group, one after the other, which server is the master now."""

    group: SentinelAddress

    def __str__(self) -> str:
        return str(self.group)

    async def locate(self) -> Address:
        """Return the address of the master. Raise StoreUnavailable if no Sentinel knows one."""
        problem = ""
        for sentinel in self.group.sentinels:
            try:
                async with asyncio.timeout(ASK_WITHIN):
                    found = await ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.group.service)
            except (OSError, StoreUnavailable) as error:
                problem = describe(error)
                continue
            if found is not None:
                host, port = found
                return replace(self.group.master, host=host.decode(), port=int(port))
            problem = f"it knows no service “{self.group.service}”"
        raise NoMaster(f"no Sentinel names a master (the last one: {problem})")


class NoMaster(StoreUnavailable):
    """No Sentinel can be reached that knows the service."""
