"""Every key and every channel in Redis.

A cluster hashes the part in braces, or the whole key if it has none. Keys with the same braces are in the same slot and
can be used by one script, and every script uses the keys of one slot. What grows with the number of users has many
slots: one for each room, player, name, token, budget and pool of quick match. What has one slot is bounded, and says by
what.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

DEFAULT_PREFIX = "parlour"

# Every node asks every shard for what is due, once a second. So there are few, but enough for 16 masters to share the
# load. Another number is another format of the store.
DEADLINE_SHARDS = 16

CACHED_ROOMS = 4096

_NO_BRACES = str.maketrans("{}", "__")


class Keys:
    """The names of the keys and channels of one deployment. All have its prefix, so that several can share a server."""

    def __init__(self, prefix: str = DEFAULT_PREFIX) -> None:
        self.prefix = prefix
        # Every append needs these.
        self.log = lru_cache(CACHED_ROOMS)(self._log)
        self.due = lru_cache(CACHED_ROOMS)(self._due)

    # -- the store itself: a few keys of constant size

    @property
    def format_version(self) -> str:
        """String: the format of everything else, see `store/format.py`."""
        return f"{self.prefix}:{{format}}:version"

    @property
    def format_upgrade(self) -> str:
        """String: present while a node executes an upgrade."""
        return f"{self.prefix}:{{format}}:upgrade"

    @property
    def push_key(self) -> str:
        """String: the private key with which push messages are signed, unless the operator sets one."""
        return f"{self.prefix}:{{push}}:key"

    def probe(self, number: int) -> str:
        """String: written to check that its master accepts writes. One number per master is used."""
        return f"{self.prefix}:probe:{number}"

    @property
    def supported_rules(self) -> str:
        """Sorted set: GAME:VERSION by the time a node last announced it. One member per version ever announced."""
        return f"{self.prefix}:{{rules}}:supported"

    # -- rooms: a slot each

    def _log(self, room: str) -> str:
        """Stream: the entries of a room, with the ids 1-0, 2-0, …"""
        return f"{self.prefix}:{{{_room_tag(room)}}}:log"

    def snapshot(self, room: str) -> str:
        """Hash: `seq` and `data` of the newest snapshot."""
        return f"{self.prefix}:{{{_room_tag(room)}}}:snapshot"

    def seat_nodes(self, room: str) -> str:
        """Hash: for each player in a seat, the node that serves it, and the one before."""
        return f"{self.prefix}:{{{_room_tag(room)}}}:nodes"

    def archived(self, room: str) -> str:
        """String: present for a minute after the log was removed because the game is in the archive."""
        return f"{self.prefix}:{{{_room_tag(room)}}}:archived"

    def room_events(self, room: str) -> str:
        """Channel: entries as they are appended. It has the log's name, so the append script needs only one."""
        return self.log(room)

    def room_messages(self, room: str) -> str:
        """Channel: messages between nodes about a room that are not in its log."""
        return f"{self.prefix}:{{{_room_tag(room)}}}:messages"

    # -- tournaments: a slot for each log, whose keys are those of a room (see `store/tournaments.py`); the lists of
    # all tournaments are in one slot, bounded by the maximum number of open and running ones and of those listed after
    # their end

    @property
    def current_tournaments(self) -> str:
        """Sorted set: the open and running tournaments by the time of their start or creation."""
        return f"{self.prefix}:{{tournaments}}:current"

    @property
    def finished_tournaments(self) -> str:
        """Sorted set: the last finished tournaments by the time of their end."""
        return f"{self.prefix}:{{tournaments}}:finished"

    @property
    def tournament_summaries(self) -> str:
        """Hash: the summary of each of these tournaments."""
        return f"{self.prefix}:{{tournaments}}:summaries"

    @property
    def tournament_networks(self) -> str:
        """Hash: the networks from which the open and running tournaments were created."""
        return f"{self.prefix}:{{tournaments}}:networks"

    # -- deadlines: a slot for each shard

    def _due(self, room: str) -> str:
        """Sorted set: the rooms of a shard by the time at which a node has to check them."""
        return self.due_in(deadline_shard(room))

    def claimed(self, room: str) -> str:
        """Sorted set: the rooms of a shard that a node is checking, by the time the claim expires."""
        return self.claimed_in(deadline_shard(room))

    def due_in(self, shard: int) -> str:
        """Return what `due` returns for the rooms of a shard."""
        return f"{self.prefix}:{{{_shard_tag(shard)}}}:due"

    def claimed_in(self, shard: int) -> str:
        """Return what `claimed` returns for the rooms of a shard."""
        return f"{self.prefix}:{{{_shard_tag(shard)}}}:claimed"

    # -- heartbeat and time: in one slot, because scripts use them together; bounded by the number of nodes

    @property
    def last_beat(self) -> str:
        """String: the time of the last beat of any node."""
        return f"{self.prefix}:{{heartbeat}}:last"

    @property
    def clock_correction(self) -> str:
        """String: milliseconds from the store's clock to Parlour's time."""
        return f"{self.prefix}:{{heartbeat}}:correction"

    @property
    def outages(self) -> str:
        """Sorted set: periods without a beat, of one node or of all, by their end."""
        return f"{self.prefix}:{{heartbeat}}:outages"

    @property
    def beats(self) -> str:
        """Hash: the time of the last beat of each node that is alive."""
        return f"{self.prefix}:{{heartbeat}}:beats"

    # -- players: a slot for each player, each name and each token

    def player(self, id: str) -> str:
        """Hash: `kind`, `name`, `folded` (the name as compared) and `created` of a player.

        Accounts also have `password` and `registered`, `email` if an address is confirmed, and for recovery codes
        `recovery_salt` and a field `recovery:DIGEST` for each that is left. Bots have `owner`. Each token has a field
        `token:DIGEST` with the times at which it was created and last used. A new account has `unconfirmed` until it
        holds its name for good: the name it had before, and that name as compared. An operator's decisions are in
        `suspended`, `muted`, `warning` and `password_once` (see `store/moderation.py`). A deleted player has only
        `kind` and `name`.
        """
        return f"{self.prefix}:player:{{{id}}}"

    def mailed_code(self, digest: str) -> str:
        """String: the purpose of the code in an e-mail. It expires."""
        return f"{self.prefix}:mailed:{digest}"

    def player_bots(self, id: str) -> str:
        """Hash: the ids of the bots of an account, by their names as compared."""
        return f"{self.prefix}:player:{{{id}}}:bots"

    def player_channel(self, id: str) -> str:
        """Channel: messages to a player, on whichever node the player is connected."""
        return f"{self.prefix}:player:{{{id}}}:messages"

    def command(self, player: str, session: str, id: int) -> str:
        """String: the digest of the command that has this id in a session of a player."""
        return f"{self.prefix}:player:{{{player}}}:command:{session}:{id}"

    def playing(self, player: str) -> str:
        """Set: the rooms in which a player has a seat, until a node sees that the game is over."""
        return f"{self.prefix}:player:{{{player}}}:playing"

    def first_seats(self, player: str) -> str:
        """Hash: by game, when the player last had the first seat."""
        return f"{self.prefix}:player:{{{player}}}:first"

    def invitations(self, player: str) -> str:
        """Set: the invitations addressed to a player."""
        return f"{self.prefix}:player:{{{player}}}:invitations"

    def blocked(self, player: str) -> str:
        """Set: the ids of the players whom a player has blocked."""
        return f"{self.prefix}:player:{{{player}}}:blocked"

    def muted(self, player: str) -> str:
        """Set: the ids of the players whose chat a player does not want to see."""
        return f"{self.prefix}:player:{{{player}}}:muted"

    def push_subscriptions(self, player: str) -> str:
        """Hash: the push subscriptions of a player, by the digests of their endpoints. Their number is limited."""
        return f"{self.prefix}:player:{{{player}}}:push"

    def push_endpoint(self, digest: str) -> str:
        """String: the id of the player whose browser has the endpoint with this digest. It expires."""
        return f"{self.prefix}:endpoint:{digest}"

    def player_name(self, folded: str) -> str:
        """String: the id of the player with this name, or who is about to get it (see `store/names.py`)."""
        return f"{self.prefix}:name:{folded}"

    def look(self, skeleton: str) -> str:
        """String: the id of the player whose name has this skeleton; otherwise like `player_name`."""
        return f"{self.prefix}:look:{skeleton}"

    @property
    def looks_version(self) -> str:
        """String: the version of the skeletons that all names have (see `lookalikes.py`)."""
        return f"{self.prefix}:{{format}}:looks"

    def player_token(self, digest: str) -> str:
        """String: the id of the player whose token has this digest. Valid only if the player's hash has it too."""
        return f"{self.prefix}:token:{digest}"

    # -- ratings: in the slot of the player; a leaderboard has one for each game

    def ratings(self, player: str) -> str:
        """Hash: the rating of a player in each game.

        While a game is being counted, `counted:ROOM` is the rating of this player after it.
        """
        return f"{self.prefix}:player:{{{player}}}:ratings"

    def rated(self, room: str) -> str:
        """Hash: the ratings of both players `before` the game, and `after` it once it is counted for both."""
        return f"{self.prefix}:{{{_room_tag(room)}}}:rated"

    def leaderboard(self, game: str) -> str:
        """Sorted set: the players on the leaderboard by rating. Bounded by the accounts that play this game."""
        return f"{self.prefix}:{{leaderboard-{game}}}:rating"

    def leaderboard_expiry(self, game: str) -> str:
        """Sorted set: the same players by the time at which they leave the leaderboard if they do not play."""
        return f"{self.prefix}:{{leaderboard-{game}}}:expiry"

    def leaderboard_games(self, game: str) -> str:
        """Hash: the number of rated games behind each of these ratings."""
        return f"{self.prefix}:{{leaderboard-{game}}}:games"

    def rated_pair(self, one: str, other: str) -> str:
        """Set: the rated games that two players, given in any order, have begun within a day."""
        first, second = sorted((one, other))
        return f"{self.prefix}:pair:{{{first}-{second}}}"

    # -- rate limits: a slot for each budget

    def budget(self, name: str) -> str:
        """String: the time up to which a budget is spent."""
        return f"{self.prefix}:budget:{name}"

    # -- quick match: a slot for each pool

    def queue(self, pool: str) -> str:
        """Sorted set: the waiting players in the order of their arrival."""
        return f"{self.prefix}:{{{_pool_tag(pool)}}}:queue"

    def tickets(self, pool: str) -> str:
        """Hash: the ticket of each waiting player."""
        return f"{self.prefix}:{{{_pool_tag(pool)}}}:tickets"

    def pairs(self, pool: str) -> str:
        """Hash: the pair that each ticket is part of, for a while."""
        return f"{self.prefix}:{{{_pool_tag(pool)}}}:pairs"

    def pairs_expiry(self, pool: str) -> str:
        """Sorted set: the same tickets by the time their pairs expire."""
        return f"{self.prefix}:{{{_pool_tag(pool)}}}:pairs:expiry"

    # -- the archive

    @property
    def archive(self) -> str:
        """String: the id of the archive database that belongs to this store."""
        return f"{self.prefix}:{{archive}}:id"

    # -- seeks and invitations: in one slot, because the list, its version and a seek change together. Bounded by the
    # maximum length of the list, and for invitations by `challenge_rate` and their TTL.

    @property
    def seek_list(self) -> str:
        """Sorted set: the public seeks by the time they expire."""
        return f"{self.prefix}:{{seeks}}:list"

    @property
    def seek_list_data(self) -> str:
        """Hash: the `data` of the seeks on that list."""
        return f"{self.prefix}:{{seeks}}:data"

    @property
    def seek_list_owners(self) -> str:
        """Hash: `PLAYER ADDRESS` of the seeks on that list."""
        return f"{self.prefix}:{{seeks}}:owners"

    @property
    def seek_list_version(self) -> str:
        """String: the number of changes to that list."""
        return f"{self.prefix}:{{seeks}}:version"

    @property
    def seek_list_changes(self) -> str:
        """Channel: the changes."""
        return f"{self.prefix}:{{seeks}}:changes"

    def seek(self, id: str) -> str:
        """Hash: `data` of a seek or invitation, its `taker` and their `payload`, or how it was closed (`closed`)."""
        return f"{self.prefix}:{{seeks}}:seek:{id}"

    # -- live games: in one slot, because one script reads and writes all of them; bounded by the length of the list
    # and the number of nodes

    @property
    def live_rank(self) -> str:
        """Sorted set: the listed games by rank."""
        return f"{self.prefix}:{{live}}:rank"

    @property
    def live_expiry(self) -> str:
        """Sorted set: the same games by the time they expire."""
        return f"{self.prefix}:{{live}}:expiry"

    @property
    def live_seq(self) -> str:
        """Hash: the sequence number at which each game was last described."""
        return f"{self.prefix}:{{live}}:seq"

    @property
    def live_descriptions(self) -> str:
        """Hash: the descriptions."""
        return f"{self.prefix}:{{live}}:descriptions"

    @property
    def live_nodes(self) -> str:
        """Hash: the report of each node about itself."""
        return f"{self.prefix}:{{live}}:nodes"

    @property
    def live_nodes_expiry(self) -> str:
        """Sorted set: the nodes by the time their report expires."""
        return f"{self.prefix}:{{live}}:nodes:expiry"

    # -- who is online: in one slot, because one script reads the lists of all nodes; bounded by the connections of all
    # nodes, about 100 bytes for each

    @property
    def online_prefix(self) -> str:
        """The prefix of the keys that `online` returns."""
        return f"{self.prefix}:{{online}}:node:"

    @property
    def online_nodes(self) -> str:
        """Sorted set: the nodes by the time their list expires."""
        return f"{self.prefix}:{{online}}:nodes:expiry"

    def online(self, node: str) -> str:
        """Sorted set: the players on a node as `NAME ID` with equal scores, hence in the order of folded names."""
        return f"{self.online_prefix}{node}"

    # -- operators: one slot; the lengths are bounded

    @property
    def control(self) -> str:
        """Channel: an operator's commands to all nodes."""
        return f"{self.prefix}:{{control}}:messages"

    @property
    def audit(self) -> str:
        """Stream: the actions of operators. It has a maximum length."""
        return f"{self.prefix}:{{audit}}:log"

    @property
    def address_bans(self) -> str:
        """Hash: the networks that operators have banned, until when and why. Their number is limited."""
        return f"{self.prefix}:{{address_bans}}:networks"

    # -- reports by players: in one slot, because a script uses them together; bounded by the length of the list

    @property
    def reports(self) -> str:
        """Hash: the reports, by id."""
        return f"{self.prefix}:{{reports}}:data"

    @property
    def report_times(self) -> str:
        """Sorted set: their ids by the time of the report."""
        return f"{self.prefix}:{{reports}}:times"

    @property
    def report_authors(self) -> str:
        """Hash: the id of the player who made each open report."""
        return f"{self.prefix}:{{reports}}:authors"

    # -- bot workers: in one slot, because scripts use them together; bounded by the maximum length of the queue

    @property
    def jobs(self) -> str:
        """Sorted set: the ids of waiting jobs (turns to play and positions to evaluate) in the order of their start."""
        return f"{self.prefix}:{{jobs}}:waiting"

    @property
    def job_data(self) -> str:
        """Hash: the waiting jobs."""
        return f"{self.prefix}:{{jobs}}:data"

    @property
    def taken_jobs(self) -> str:
        """Sorted set: the ids of taken jobs, by the time at which another worker may take them over."""
        return f"{self.prefix}:{{jobs}}:taken"

    @property
    def taken_job_data(self) -> str:
        """Hash: the taken jobs."""
        return f"{self.prefix}:{{jobs}}:taken:data"

    @property
    def job_shares(self) -> str:
        """Sorted set: the players and addresses that have asked for jobs, by the time up to which they have used their
        share of the workers.
        """
        return f"{self.prefix}:{{jobs}}:shares"

    @property
    def job_signals(self) -> str:
        """List: an item for each job that was added, which wakes a worker."""
        return f"{self.prefix}:{{jobs}}:signals"

    def evaluations(self, node: str) -> str:
        """Channel: the evaluations that a node has requested."""
        return f"{self.prefix}:evaluations:{{{node}}}"


def deadline_shard(room: str) -> int:
    """Return the shard of the deadlines that a room belongs to."""
    return crc32(room.encode()) % DEADLINE_SHARDS


def _shard_tag(shard: int) -> str:
    """Return the tag of a shard. The number comes first: the tags then fall into slots that are far apart."""
    return f"{shard:x}-of-deadlines"


def _room_tag(room: str) -> str:
    """Return the tag of a room. A client may ask for an id with braces, although no room has one."""
    return room.translate(_NO_BRACES)


def _pool_tag(pool: str) -> str:
    """Return a short tag: a pool's name is of any length and may contain braces."""
    return "pool-" + blake2b(pool.encode(), digest_size=12).hexdigest()
