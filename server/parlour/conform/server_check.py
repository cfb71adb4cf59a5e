"""`parlour conform server`: plays scripted clients against a server and reports every rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from parlour.conform.probe import Broken, NotReached, TooShort
from parlour.conform.report import Report, Verdict
from parlour.conform.rules import SERVER_RULES
from parlour.conform.server_checks import CHECKS, around, frames, greeting, pairing, repair, turns
from parlour.conform.stage import Stage
from parlour.protocol.codec import CODECS, Codec

# Imported for the checks in them.
CHAPTERS = (greeting, frames, pairing, turns, repair, around)

# Games that end before a rule can be looked at are played again so often.
TRIES = 4

# Rules that every message of every connection is held against.
ALWAYS = ("readable", "one-answer", "numbers", "hashes")


async def check_server(
    url: str,
    *,
    game: str = "replica",
    forms: Sequence[Codec] = tuple(CODECS.values()),
    only: Collection[str] = (),
    patience: float = 5.0,
    seed: object = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check the rules, or `only` some of them, in each form of the wire; wait at most `patience` for each message.

    Raises NotReached if there is no server at all.
    """
    rules = [rule for rule in SERVER_RULES if not only or rule.key in only]
    report = Report(url, rules)
    for codec in forms:
        stage = Stage(url, codec, game, patience, seed)
        await stage.open()
        try:
            for rule in rules:
                if rule.key in CHECKS:
                    progress(f"{codec.subprotocol}: {rule.key}")
                    verdict, detail = await _look(stage, rule.key)
                    report.add(rule.key, verdict, _told(codec, forms, detail))
        finally:
            await stage.close()
        for key in ALWAYS:
            if key in stage.always.complaints:
                report.add(key, Verdict.BROKEN, _told(codec, forms, stage.always.complaints[key]))
            elif key in stage.always.seen:
                report.add(key, Verdict.KEPT)
    return report


async def _look(stage: Stage, rule: str) -> tuple[Verdict, str]:
    verdict, detail = Verdict.NOT_REACHED, ""
    for _ in range(TRIES):
        try:
            return Verdict.KEPT, await CHECKS[rule](stage) or ""
        except TooShort as why:
            detail = str(why)
            continue
        except NotReached as why:
            detail = str(why)
        except Broken as broken:
            verdict, detail = Verdict.BROKEN, str(broken)
        # What went wrong may have spoilt the table for the others.
        await stage.leave()
        break
    return verdict, detail


def _told(codec: Codec, forms: Sequence[Codec], detail: str) -> str:
    """In which form it was seen, if there are several."""
    return f"{codec.subprotocol}: {detail}" if detail and len(forms) > 1 else detail
