"""Finds the master of a service that Sentinels watch."""

from __future__ import annotations

import asyncio

from msgspec import Struct
from msgspec.structs import replace

from parlour.server.store.address import Address, SentinelAddress
from parlour.server.store.connector import ask
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.health import describe

ASK_WITHIN = 1.0  # seconds for all Sentinels


class NoMaster(StoreUnavailable):
    """No reachable Sentinel knows the service."""


class Sentinels(Struct, frozen=True):
    """Asks all Sentinels of a group which server is the master now.

    They learn of a fail-over one after the other, and an old master that comes back takes writes until it is told
    otherwise. So the Sentinel with the newest configuration is believed, not the one that answers first.
    """

    group: SentinelAddress

    def __str__(self) -> str:
        return str(self.group)

    async def locate(self) -> Address:
        """Return the address of the master. Raise NoMaster if no Sentinel knows one."""
        answers = await asyncio.gather(*map(self._ask, self.group.sentinels), return_exceptions=True)
        named = [each for each in answers if not isinstance(each, BaseException)]
        if not named:
            problem = next(each for each in answers if isinstance(each, Exception))
            raise NoMaster(f"no Sentinel names a master (one of them: {describe(problem)})")
        _, host, port = max(named)
        return replace(self.group.master, host=host, port=port)

    async def _ask(self, sentinel: Address) -> tuple[int, str, int]:
        """Return the version of a Sentinel's configuration, and the host and port of the master it names."""
        async with asyncio.timeout(ASK_WITHIN):
            found, facts = await ask(
                sentinel,
                ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.group.service),
                ("SENTINEL", "MASTER", self.group.service),
            )
        epoch = dict(zip(facts[::2], facts[1::2], strict=True))[b"config-epoch"]
        return int(epoch), found[0].decode(), int(found[1])
