"""The mutation score of the conformance kit: how many broken clients and servers are caught by the rule they break.

`python -m tests.conform.mutations` checks every variant against its rule, and the unbroken client and server against
all rules. With `--matrix` every variant is checked against all rules, and those that it breaks besides are listed.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable, Collection, Iterable
from copy import copy
from typing import TypeVar

from parlour.conform.client_check import check_client
from parlour.conform.codec import MSGPACK
from parlour.conform.profiles import EVERY, Profile
from parlour.conform.report import Report, Verdict
from parlour.conform.script import Script
from parlour.conform.server_check import check_server
from tests.conform.client_variants import CLIENT_VARIANTS, ClientVariant
from tests.conform.coroutine_client import CoroutineClient
from tests.conform.server_message_variants import ServerVariant
from tests.conform.server_variants import SERVER_VARIANTS
from tests.conform.small_client import SmallClient
from tests.conform.small_server import SmallServer
from tests.conform.virtual_time import UnixSockets, run

V = TypeVar("V", ClientVariant, ServerVariant)

TIMEOUT = 5.0  # seconds for one message, which take no time


def check_small_client(
    client: type[SmallClient], profile: Profile, only: Collection[str] = (), game: str = "replica"
) -> Report:
    """Check a small client in virtual time."""
    with UnixSockets() as sockets:
        checking = check_client(
            CoroutineClient(lambda told: client(told).run()),
            client.__name__,
            profile=profile,
            game=game,
            only=only,
            open_socket=sockets.open,
        )
        return run(checking)


def check_small_server(
    server: type[SmallServer], script: Script | None = None, only: Collection[str] = (), game: str = "replica"
) -> Report:
    """Check a small server in virtual time, with restarts."""

    async def check() -> Report:
        async with server(script, open_socket=sockets.open) as running:
            return await check_server(
                running.url, game=game, codecs=(MSGPACK,), only=only, timeout=TIMEOUT, restart=running.restart
            )

    with UnixSockets() as sockets:
        return run(check())


def check_client_variant(variant: ClientVariant, *, whole: bool = False) -> Report:
    """Check a broken client against the rule of the variant, or against all of its profile."""
    return check_small_client(variant.client, variant.profile, () if whole else (variant.rule,))


def check_server_variant(variant: ServerVariant, *, whole: bool = False) -> Report:
    """Check a broken server against the rule of the variant, or against all."""
    return check_small_server(variant.server, copy(variant.script), () if whole else (variant.rule,), variant.game)


def main() -> int:
    """Print the score. Return 0 if it is 100 %."""
    parser = argparse.ArgumentParser(prog="python -m tests.conform.mutations", description=__doc__)
    parser.add_argument("--matrix", action="store_true", help="check every variant against all rules")
    whole = parser.parse_args().matrix
    logging.disable(logging.CRITICAL)  # broken variants fail in many ways
    began = time.process_time()
    wrong = [str(profile) for profile in EVERY if check_small_client(SmallClient, profile).exit_code]
    wrong += [game for game in ("replica", "mapello") if check_small_server(SmallServer, game=game).exit_code]
    print(f"The unbroken client and server keep all rules{f', but not as {wrong}' if wrong else ''}.")
    missed = _score("clients", CLIENT_VARIANTS, check_client_variant, whole=whole)
    missed += _score("servers", SERVER_VARIANTS, check_server_variant, whole=whole)
    print(f"{time.process_time() - began:.1f} s of processor time")
    return 1 if wrong or missed else 0


def _score(what: str, variants: Iterable[V], check: Callable[..., Report], *, whole: bool) -> int:
    """Print which variants are caught. Return how many are not."""
    caught = missed = 0
    for variant in variants:
        broken = check(variant, whole=whole).of(Verdict.BROKEN)
        if variant.rule in broken:
            caught += 1
            others = [rule for rule in broken if rule != variant.rule]
            if whole:
                print(f"{variant.name}: {variant.rule}{', also ' + ', '.join(others) if others else ''}")
        else:
            missed += 1
            print(f"{variant.name} is not caught by {variant.rule}")
    print(f"{what}: {caught} of {caught + missed} variants are caught by their rule, {caught / (caught + missed):.0%}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
