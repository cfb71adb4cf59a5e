"""Every key and every channel in Redis.

A cluster hashes the part in braces, so keys with the same braces are in the same slot and can be used by one script.
Channels have the prefix too, because all databases of a server share them.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

# -- the store itself

FORMAT = "parlour:{format}:version"  # string: the format of everything else, see `store/format.py`
FORMAT_UPGRADE = "parlour:{format}:upgrade"  # string: present while a node executes an upgrade
SUPPORTED_RULES = "parlour:{rules}:supported"  # sorted set: GAME:VERSION by the time a node last announced it

# -- rooms


@lru_cache(maxsize=4096)  # every append needs it
def log(room: str) -> str:
    """Stream: the entries of a room, with the ids 1-0, 2-0, …"""
    return f"parlour:{{{room}}}:log"


def snapshot(room: str) -> str:
    """Hash: `seq` and `data` of the newest snapshot."""
    return f"parlour:{{{room}}}:snapshot"


def seat_nodes(room: str) -> str:
    """Hash: for each player in a seat, the node that serves it, and the one before."""
    return f"parlour:{{{room}}}:nodes"


def record(room: str) -> str:
    """String: the record of a finished game, at first in addition to its log."""
    return f"parlour:{{{room}}}:record"


def room_events(room: str) -> str:
    """Channel: entries as they are appended. It has the log's name, so the append script needs only one."""
    return log(room)


def room_messages(room: str) -> str:
    """Channel: messages between nodes about a room that are not in its log."""
    return f"parlour:{{{room}}}:messages"


# -- deadlines

DUE = "parlour:{deadlines}:due"  # sorted set: rooms by the time at which a node has to check them
CLAIMED = "parlour:{deadlines}:claimed"  # sorted set: rooms that a node is checking, by the time the claim expires

# -- heartbeat and time: in one slot, because scripts use them together

LAST_BEAT = "parlour:{heartbeat}:last"  # string: the time of the last beat of any node
CLOCK_CORRECTION = "parlour:{heartbeat}:correction"  # string: milliseconds from the store's clock to Parlour's time
OUTAGES = "parlour:{heartbeat}:outages"  # sorted set: periods without a beat, of one node or of all, by their end
BEATS = "parlour:{heartbeat}:beats"  # hash: the time of the last beat of each node that is alive

# -- players: in one slot, because a script writes a name, a token and a player together

PLAYER_PREFIX = "parlour:{players}:player:"
NAME_PREFIX = "parlour:{players}:name:"
TOKEN_PREFIX = "parlour:{players}:token:"  # noqa: S105 - a key prefix, not a password


def player(id: str) -> str:
    """Hash: `kind`, `name`, `folded` (the name as compared) and `created` of a player.

    Accounts also have `password` and `registered`, bots have `owner`. Each token has a field `token:DIGEST` with the
    times at which it was created and last used.
    """
    return f"{PLAYER_PREFIX}{id}"


def player_token(digest: str) -> str:
    """String: the id of the player whose token has this digest."""
    return f"{TOKEN_PREFIX}{digest}"


def player_name(folded: str) -> str:
    """String: the id of the player with this name."""
    return f"{NAME_PREFIX}{folded}"


def player_bots(id: str) -> str:
    """Set: the ids of the bots of an account."""
    return f"parlour:{{players}}:bots:{id}"


def player_channel(id: str) -> str:
    """Channel: messages to a player, on whichever node the player is connected."""
    return f"parlour:player:{id}"


def command(player: str, session: str, id: int) -> str:
    """String: the digest of the command that has this id in a session of a player."""
    return f"parlour:player:{player}:command:{session}:{id}"


# -- quick match: one slot per pool


def queue(pool: str) -> str:
    """Sorted set: the waiting players in the order of their arrival."""
    return f"parlour:{{{_pool_tag(pool)}}}:queue"


def tickets(pool: str) -> str:
    """Hash: the ticket of each waiting player."""
    return f"parlour:{{{_pool_tag(pool)}}}:tickets"


def pair(pool: str, ticket: str) -> str:
    """String: the pair that this ticket is part of."""
    return f"parlour:{{{_pool_tag(pool)}}}:pair:{ticket}"


def _pool_tag(pool: str) -> str:
    """Return a short tag: a pool's name is of any length and may contain braces."""
    return "pool-" + blake2b(pool.encode(), digest_size=12).hexdigest()


# -- rate limits: in one slot, because one command may be counted in several budgets


def budget(name: str) -> str:
    """String: the time up to which a budget is spent."""
    return f"parlour:{{budgets}}:{name}"


# -- lists of finished games


def finished(*players: str, game: str = "*") -> str:
    """Sorted set: rooms by the time their game ended; of all players, of one, or of two against each other."""
    return f"parlour:{{finished}}:{'+'.join(sorted(players)) or '*'}:{game}"


# -- ratings: in one slot, because a game changes the ratings of two players together


def ratings(player: str) -> str:
    """Hash: the rating of a player in each game."""
    return f"parlour:{{ratings}}:player:{player}"


def rating_history(player: str, game: str) -> str:
    """List: the times at which a rating changed, and the new value."""
    return f"parlour:{{ratings}}:history:{game}:{player}"


def rated(room: str) -> str:
    """String: present when the game in this room has been counted."""
    return f"parlour:{{ratings}}:rated:{room}"


def leaderboard(game: str) -> str:
    """Sorted set: the players on the leaderboard by rating."""
    return f"parlour:{{ratings}}:leaderboard:{game}"


def leaderboard_expiry(game: str) -> str:
    """Sorted set: the same players by the time at which they leave the leaderboard if they do not play."""
    return f"parlour:{{ratings}}:leaderboard-expiry:{game}"


# -- seeks and invitations: in one slot, because the list, its version and a seek change together

SEEK_PREFIX = "parlour:{seeks}:seek:"
SEEK_LIST = "parlour:{seeks}:list"  # sorted set: the public seeks by the time they expire
SEEK_LIST_VERSION = "parlour:{seeks}:version"  # string: the number of changes to that list
SEEK_LIST_CHANGES = "parlour:{seeks}:changes"  # channel: the changes


def seek(id: str) -> str:
    """Hash: `data` of a seek or invitation, who accepted it (`taker`, `payload`), or how it was closed (`closed`)."""
    return f"{SEEK_PREFIX}{id}"


def invitations(player: str) -> str:
    """Set: the invitations addressed to a player."""
    return f"parlour:player:{player}:invitations"


# -- live games: in one slot, because one script reads and writes all of them

LIVE_RANK = "parlour:{live}:rank"  # sorted set: the listed games by rank
LIVE_EXPIRY = "parlour:{live}:expiry"  # sorted set: the same games by the time they expire
LIVE_SEQ = "parlour:{live}:seq"  # hash: the sequence number at which each game was last described
LIVE_DESCRIPTIONS = "parlour:{live}:descriptions"  # hash: the descriptions
LIVE_NODES = "parlour:{live}:nodes"  # hash: the report of each node about itself
LIVE_NODES_EXPIRY = "parlour:{live}:nodes:expiry"  # sorted set: the nodes by the time their report expires

# -- who is online: in one slot, because one script reads the lists of all nodes

ONLINE_PREFIX = "parlour:{online}:node:"
ONLINE_NODES = "parlour:{online}:nodes:expiry"  # sorted set: the nodes by the time their list expires


def online(node: str) -> str:
    """Sorted set: the players on a node as `NAME ID` with equal scores, hence in the order of their folded names."""
    return f"{ONLINE_PREFIX}{node}"


# -- running games


def playing(player: str) -> str:
    """Set: the rooms in which a player has a seat, until a node sees that the game is over."""
    return f"parlour:player:{player}:playing"


def first_seats(player: str) -> str:
    """Hash: by game, when the player last had the first seat."""
    return f"parlour:player:{player}:first"


# -- bot workers

JOBS = "parlour:{jobs}:stream"  # stream: turns to play and positions to evaluate


def enqueued(room: str, ply: int, period: int) -> str:
    """String: present if this turn was enqueued in this period."""
    return f"parlour:{{jobs}}:enqueued:{room}:{ply}:{period}"


def evaluations(node: str) -> str:
    """Channel: the evaluations that a node has requested."""
    return f"parlour:evaluations:{node}"
