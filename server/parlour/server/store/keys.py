"""Every key and every channel in Redis.

The part in braces is what a cluster hashes: all keys of one room lie in one slot, so that a script can use them
together. Channels have the prefix too, because they are shared by all databases of a server.
"""

from __future__ import annotations

from hashlib import blake2b

# -- rooms


def log(room: str) -> str:
    """Stream: the entries of a room, with the ids 1-0, 2-0, …"""
    return f"parlour:{{{room}}}:log"


def snapshot(room: str) -> str:
    """Hash: `seq` and `data` of the newest snapshot."""
    return f"parlour:{{{room}}}:snapshot"


def record(room: str) -> str:
    """String: what is kept of a finished game."""
    return f"parlour:{{{room}}}:record"


def updates(room: str) -> str:
    """Channel: entries as they are added to the log. It has the name of the log, which saves sending a second one."""
    return log(room)


def talk(room: str) -> str:
    """Channel: what nodes tell each other about a room and is in no log."""
    return f"parlour:{{{room}}}:talk"


# -- deadlines

DUE = "parlour:{deadlines}:due"  # sorted set: rooms by the time at which something may be due
CLAIMED = "parlour:{deadlines}:claimed"  # sorted set: rooms somebody looks into, by the time to look again

# -- players: all in one slot, because a name, a token and a player are made together


def player(id: str) -> str:
    """Hash: a player."""
    return f"{PLAYER_PREFIX}{id}"


def player_token(digest: str) -> str:
    """String: the id of the player whose token has this digest."""
    return f"parlour:{{players}}:token:{digest}"


def player_name(folded: str) -> str:
    """String: the id of the player who has this name."""
    return f"{NAME_PREFIX}{folded}"


def player_channel(id: str) -> str:
    """Channel: what nodes have to tell a player, wherever that player is connected."""
    return f"parlour:player:{id}"


PLAYER_PREFIX = "parlour:{players}:player:"
NAME_PREFIX = "parlour:{players}:name:"

# -- the queue: one slot for each pool


def waiting(pool: str) -> str:
    """Sorted set: players by when they came."""
    return f"parlour:{{{_pool_tag(pool)}}}:waiting"


def tickets(pool: str) -> str:
    """Hash: the ticket of each waiting player."""
    return f"parlour:{{{_pool_tag(pool)}}}:tickets"


def paired(pool: str, ticket: str) -> str:
    """String: the ticket that this one was paired with."""
    return f"parlour:{{{_pool_tag(pool)}}}:paired:{ticket}"


def _pool_tag(pool: str) -> str:
    """Pools are named by free text of any length, which may have braces in it."""
    return "pool-" + blake2b(pool.encode(), digest_size=12).hexdigest()


# -- invitations and running games


def invite(code: str) -> str:
    """String: an open invitation."""
    return f"parlour:invite:{code}"


def playing(player: str) -> str:
    """Set: the rooms in which a player has a seat, until the game is over and somebody has noticed."""
    return f"parlour:player:{player}:playing"
