"""`parlour conform server`: runs scripted clients against a server and reports every rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from parlour.conform.codec import CODECS
from parlour.conform.probe import NotReached, RuleBroken, TooShort
from parlour.conform.report import Report, Verdict
from parlour.conform.rules import SERVER_RULES
from parlour.conform.server_checks import CHECKS, frames, game_flow, hello, pairing, resync, turns
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.codec import Codec

# Importing these modules registers their checks.
CHECK_MODULES = (hello, frames, pairing, turns, resync, game_flow)

# How many games to play if each ends before the rule can be checked.
TRIES = 4

# The rules that every message is checked for.
ALWAYS = ("readable", "one-answer", "numbers", "hashes")


async def check_server(
    url: str,
    *,
    game: str = "replica",
    codecs: Sequence[Codec] = tuple(CODECS.values()),
    only: Collection[str] = (),
    timeout: float = 5.0,
    seed: object = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check all rules, or `only` some, with each subprotocol. Wait at most `timeout` seconds for each message.

    Raise NotReached if there is no server.
    """
    rules = [rule for rule in SERVER_RULES if not only or rule.key in only]
    report = Report(url, rules)
    for codec in codecs:
        testbed = ServerTestbed(url, codec, game, timeout, seed)
        await testbed.open()
        try:
            for rule in rules:
                if rule.key in CHECKS:
                    progress(f"{codec.subprotocol}: {rule.key}")
                    verdict, detail = await _check(testbed, rule.key)
                    report.add(rule.key, verdict, _qualified(codec, codecs, detail))
        finally:
            await testbed.close()
        for key in ALWAYS:
            if key in testbed.observations.complaints:
                report.add(key, Verdict.BROKEN, _qualified(codec, codecs, testbed.observations.complaints[key]))
            elif key in testbed.observations.seen:
                report.add(key, Verdict.KEPT)
    return report


async def _check(testbed: ServerTestbed, rule: str) -> tuple[Verdict, str]:
    verdict, detail = Verdict.NOT_REACHED, ""
    for _ in range(TRIES):
        try:
            return Verdict.KEPT, await CHECKS[rule](testbed) or ""
        except TooShort as why:
            detail = str(why)
            continue
        except NotReached as why:
            detail = str(why)
        except RuleBroken as broken:
            verdict, detail = Verdict.BROKEN, str(broken)
        # The failed check may have left the table in a state that other checks do not expect.
        await testbed.leave()
        break
    return verdict, detail


def _qualified(codec: Codec, codecs: Sequence[Codec], detail: str) -> str:
    """Name the subprotocol in the detail, if there are several."""
    return f"{codec.subprotocol}: {detail}" if detail and len(codecs) > 1 else detail
