"""Hash slots: which keys of a command a cluster keeps together."""

from __future__ import annotations

from binascii import crc_hqx

SLOTS = 16384

# The position of the first key in commands that do not have it right after their name.
_FIRST_KEY = {"EVAL": 3, "EVALSHA": 3, "PUBSUB": 2, "XGROUP": 2, "XINFO": 2}
_WITHOUT_KEY = frozenset({"CLIENT", "CLUSTER", "ECHO", "FLUSHALL", "INFO", "PING", "SCRIPT", "TIME", "WAIT"})
_MANY_KEYS = frozenset({"DEL", "EXISTS", "MGET", "SINTER", "SUNION", "TOUCH", "UNLINK"})

Arg = bytes | str | int


def slot(key: Arg) -> int:
    """Return the slot of a key or channel: that of the part in braces, if there is one."""
    name = key if isinstance(key, bytes) else str(key).encode()
    start = name.find(b"{")
    if start >= 0:
        end = name.find(b"}", start + 1)
        if end > start + 1:
            name = name[start + 1 : end]
    return crc_hqx(name, 0) % SLOTS


def slot_of_command(args: tuple[Arg, ...]) -> int:
    """Return the slot of a command's first key. Raise ValueError for a command without one."""
    name = _name(args)
    if name == "XREADGROUP":
        return slot(args[[_text(arg).upper() for arg in args].index("STREAMS") + 1])
    position = _FIRST_KEY.get(name, 1)
    has_key = position < len(args) and name not in _WITHOUT_KEY and not (position == 3 and int(args[2]) == 0)
    if not has_key:
        raise ValueError(f"{name} names no key, so a cluster cannot tell which master has to execute it")
    return slot(args[position])


def require_one_slot(args: tuple[Arg, ...]) -> None:
    """Raise ValueError if the keys that a command declares are in several slots."""
    name = _name(args)
    if name in ("EVAL", "EVALSHA"):
        keys = args[3 : 3 + int(args[2])]
    elif name in _MANY_KEYS:
        keys = args[1:]
    else:
        return
    if len({slot(key) for key in keys}) > 1:
        listed = ", ".join(_text(key) for key in keys)
        raise ValueError(f"the keys of one command must be in one hash slot, and these are not: {listed}")


def _name(args: tuple[Arg, ...]) -> str:
    return _text(args[0]).upper()


def _text(arg: Arg) -> str:
    return arg.decode(errors="replace") if isinstance(arg, bytes) else str(arg)
