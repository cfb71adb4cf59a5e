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
    """String: what is kept of a finished game; for a while beside its log."""
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

# -- when nodes lived

LAST_BEAT = "parlour:{heartbeat}:last"  # string: when a node said last that it lives
OUTAGES = "parlour:{heartbeat}:outages"  # sorted set: times in which none did, by their end

# -- players: all in one slot, because a name, a token and a player are made together


def player(id: str) -> str:
    """Hash: a player. kind, name as shown and folded, since; of accounts password and registered, of bots owner; and
    for each token one field `token:DIGEST`, when it was made and when it was used last."""
    return f"{PLAYER_PREFIX}{id}"


def player_token(digest: str) -> str:
    """String: the id of the player whose token has this digest."""
    return f"{TOKEN_PREFIX}{digest}"


def player_name(folded: str) -> str:
    """String: the id of the player who has this name."""
    return f"{NAME_PREFIX}{folded}"


def player_bots(id: str) -> str:
    """Set: the ids of the bots that an account has."""
    return f"parlour:{{players}}:bots:{id}"


def player_channel(id: str) -> str:
    """Channel: what nodes have to tell a player, wherever that player is connected."""
    return f"parlour:player:{id}"


PLAYER_PREFIX = "parlour:{players}:player:"
NAME_PREFIX = "parlour:{players}:name:"
TOKEN_PREFIX = "parlour:{players}:token:"  # noqa: S105 - no password, a place for digests of tokens

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


# -- limits: all in one slot, because one command may be counted in several ways


def budget(name: str) -> str:
    """String: the moment up to which a budget is spent."""
    return f"parlour:{{limits}}:{name}"


# -- lists of finished games


def finished(*players: str, game: str = "*") -> str:
    """Sorted set: rooms by when their game ended; of one player, or of two against each other, in one game or all."""
    return f"parlour:{{finished}}:{'+'.join(sorted(players)) or '*'}:{game}"


# -- ratings: all in one slot, because a game changes those of two players together


def ratings(player: str) -> str:
    """Hash: the rating of a player in each game."""
    return f"parlour:{{ratings}}:player:{player}"


def rating_history(player: str, game: str) -> str:
    """List: when a rating changed, and to what."""
    return f"parlour:{{ratings}}:history:{game}:{player}"


def rated(room: str) -> str:
    """String: is there when the game in this room has been counted."""
    return f"parlour:{{ratings}}:rated:{room}"


def leaders(game: str) -> str:
    """Sorted set: players whose rating is sure, by it."""
    return f"parlour:{{ratings}}:leaders:{game}"


def leading_until(game: str) -> str:
    """Sorted set: the same players by the time up to which that is so."""
    return f"parlour:{{ratings}}:until:{game}"


# -- seeks and invitations: all in one slot, because the list, its number and a seek change together

SEEK_PREFIX = "parlour:{seeks}:seek:"
SEEKS_LISTED = "parlour:{seeks}:listed"  # sorted set: the seeks that everybody may see, by the time they end
SEEKS_CHANGES = "parlour:{seeks}:changes"  # string: how often that list has changed
SEEKS_NEWS = "parlour:{seeks}:news"  # channel: the changes


def seek(id: str) -> str:
    """Hash: `data` of a seek or an invitation, who took it (`taker`, `note`), or how it ended (`gone`)."""
    return f"{SEEK_PREFIX}{id}"


def invitations(player: str) -> str:
    """Set: the invitations that were made to a player."""
    return f"parlour:player:{player}:invitations"


# -- live games: all in one slot, because they are looked at together

LIVE_RANK = "parlour:{live}:rank"  # sorted set: the games that are shown, by how much they are worth it
LIVE_UNTIL = "parlour:{live}:until"  # sorted set: the same by the time at which they are forgotten
LIVE_SEQ = "parlour:{live}:seq"  # hash: the seq at which each was described last
LIVE_GAMES = "parlour:{live}:games"  # hash: the descriptions
LIVE_NODES = "parlour:{live}:nodes"  # hash: what each node says about itself
LIVE_NODES_UNTIL = "parlour:{live}:nodes:until"  # sorted set: the nodes by the time at which they are forgotten

# -- running games


def playing(player: str) -> str:
    """Set: the rooms in which a player has a seat, until the game is over and somebody has noticed."""
    return f"parlour:player:{player}:playing"


def first_seats(player: str) -> str:
    """Hash: by game, when a player was given the first seat for the last time."""
    return f"parlour:player:{player}:first"


# -- the computer

JOBS = "parlour:{jobs}:stream"  # stream: turns and positions to think about


def asked(room: str, ply: int) -> str:
    """String: this turn was asked for a moment ago."""
    return f"parlour:{{jobs}}:asked:{room}:{ply}"


def opinions(node: str) -> str:
    """Channel: what the computer thinks of what a node has asked about."""
    return f"parlour:opinions:{node}"
