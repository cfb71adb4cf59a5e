"""`parlour conform server`: runs scripted clients against a server and reports every rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from parlour.conform.codec import CODECS
from parlour.conform.frames import Frame
from parlour.conform.probe import NotApplicable, NotReached, RuleBroken, TooShort
from parlour.conform.profiles import Profile
from parlour.conform.report import Report, Subject, Verdict
from parlour.conform.rules import SERVER_RULES, of_profile
from parlour.conform.server_checks import (
    CHECKS,
    ONCE,
    accounts,
    challenges,
    clocks,
    closings,
    frames,
    game_flow,
    hello,
    lobby,
    offers,
    pairing,
    records,
    restarts,
    resync,
    turns,
)  # fmt: skip
from parlour.conform.testbed import Restart, ServerTestbed
from parlour.protocol.codec import Codec

# Importing these modules registers their checks.
CHECK_MODULES = (
    hello, frames, pairing, turns, resync, game_flow, offers, clocks, lobby, challenges, accounts, records, closings,
    restarts,
)  # fmt: skip

# Games to play if each ends before the rule can be checked.
TRIES = 4

# The rules that every message is checked for.
ALWAYS = ("readable", "one-answer", "numbers", "hashes")


async def check_server(
    url: str,
    *,
    profile: Profile | None = None,
    game: str = "replica",
    codecs: Sequence[Codec] = tuple(CODECS.values()),
    only: Collection[str] = (),
    timeout: float = 5.0,
    seed: object = 0,
    restart: Restart | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check all rules, those of a profile, or `only` some. Wait at most `timeout` seconds for each message.

    `restart` kills the server and starts it again at the same address; without it, rules about restarts are not
    checked. Raise NotReached if there is no server.
    """
    rules = [rule for rule in of_profile(SERVER_RULES, profile) if not only or rule.key in only]
    report = Report(Subject("server", url, game, profile), rules, is_complete=not only)
    # Rules about every message need messages.
    if not set(only).isdisjoint(ALWAYS):
        checked = [rule for rule in of_profile(SERVER_RULES, profile) if rule.key in only or rule.key not in ONCE]
    else:
        checked = rules
    for codec in codecs:
        testbed = ServerTestbed(url, codec, game, timeout, seed, restart)
        await testbed.open()
        try:
            for rule in checked:
                if rule.key in CHECKS and (codec is codecs[0] or rule.key not in ONCE):
                    progress(f"{codec.subprotocol}: {rule.key}")
                    testbed.transcript.clear()
                    verdict, detail, frames = await _check(testbed, rule.key)
                    report.add(rule.key, verdict, _qualified(codec, codecs, detail), rule.key, frames)
        finally:
            await testbed.close()
        for key in ALWAYS:
            if key in testbed.observations.complaints:
                complaint, frames = testbed.observations.complaints[key]
                report.add(key, Verdict.BROKEN, _qualified(codec, codecs, complaint), "all checks", frames)
            elif key in testbed.observations.seen:
                report.add(key, Verdict.KEPT)
    return report


async def _check(testbed: ServerTestbed, rule: str) -> tuple[Verdict, str, tuple[Frame, ...]]:
    """Return the verdict on a rule, why, and the last frames."""
    verdict, detail = Verdict.NOT_REACHED, ""
    for _ in range(TRIES):
        try:
            return Verdict.KEPT, await CHECKS[rule](testbed) or "", ()
        except TooShort as why:
            detail = str(why)
            continue
        except NotReached as why:
            detail = str(why)
        except NotApplicable as why:
            verdict, detail = Verdict.NOT_APPLICABLE, str(why)
        except RuleBroken as broken:
            verdict, detail = Verdict.BROKEN, str(broken)
        break
    frames = testbed.transcript.frames
    # The failed check may have left the table in a state that other checks do not expect.
    await testbed.leave()
    return verdict, detail, frames


def _qualified(codec: Codec, codecs: Sequence[Codec], detail: str) -> str:
    """Name the subprotocol in the detail, if there are several."""
    return f"{codec.subprotocol}: {detail}" if detail and len(codecs) > 1 else detail
