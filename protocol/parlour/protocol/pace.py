"""The pace of a game, its time control, in a few words. Pure; times are in milliseconds."""

from __future__ import annotations

from parlour.protocol.types import Clock

SECOND, MINUTE, DAY = 1000, 60_000, 86_400_000


def format_pace(clock: Clock) -> str:
    """Return a clock in a few words: `10 min + 5 s`."""
    main, step = format_duration(clock.main), format_duration(clock.step)
    match clock.kind:
        case "none":
            return "no clock"
        case "move" | "days":
            return f"{main} a move"
        case "fischer":
            return f"{main} + {step}" if clock.step else main
        case "bronstein":
            return f"{main}, up to {step} back"
        case "delay":
            return f"{main}, delay {step}"
        case "byoyomi":
            return f"{main} + {clock.count} x {step}"
        case "canadian":
            return f"{main} + {clock.count} {'move' if clock.count == 1 else 'moves'} in {step}"
        case _:
            return clock.kind


def format_duration(ms: int) -> str:
    """Return `10 min`, `90 s` or `3 days`."""
    if ms and ms % DAY == 0:
        return "1 day" if ms == DAY else f"{ms // DAY} days"
    return f"{ms // MINUTE} min" if ms % MINUTE == 0 else f"{ms / SECOND:g} s"
