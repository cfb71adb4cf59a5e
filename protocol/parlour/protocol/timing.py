"""When a client pings, gives up on a silent server, retries a command and reconnects.

Pure: time is an argument, in seconds from any starting point. `client/web/sdk/timing.ts` is the same in TypeScript, and
`protocol/vectors/sessions.json` proves that both agree.
"""

from __future__ import annotations

from enum import Enum, auto

PING_INTERVAL = 10.0
SILENCE_LIMIT = 25.0  # a connection on which nothing has been received for this long is dead

# While a command is unanswered, a client asks sooner and gives up sooner: another node may be able to answer.
PROBE_DELAY = 0.5
PROBE_TIMEOUT = 1.0  # at least; it grows on a slow network
PROBE_ROUND_TRIPS = 3  # after a lost packet, which TCP sends again, the answer takes two more
SUSPENSION = 1.5  # a client that has not checked the time for this long was suspended; browsers check once a second

# A server that answers pings but not a command may be cut off from its store: another node may not be.
GAME_COMMAND_TIMEOUT = 1.5  # at first, for a command of a running game if there are other nodes; then it grows
COMMAND_TIMEOUT = 10.0  # at least, for any other command; and at most, for one of a running game
PLAYER_HELLO_TIMEOUT = 3.0  # at first, if there are other nodes; many clients of a lost node say hello at once
HELLO_TIMEOUT = 5.0  # of any other client

RETRY_DELAY = 1.0  # before a command that was refused with a code marked “later” is sent again

FIRST_OPEN_TIMEOUT = 3.0
MAX_OPEN_TIMEOUT = 20.0

# A player whose server was silent tries several addresses at once, each a little later than the one before it. After
# any other loss one address is enough, and a node that takes over hundreds of clients should not get them three times.
NEXT_ADDRESS_DELAY = 0.4
ADDRESSES_AT_ONCE = 3

# When a node is lost, the clients that need another one most come first.
FIRST_COMMAND_DELAY = 0.1  # of a client with an unanswered command of a running game
FIRST_PLAYER_DELAY = 0.5  # of any other client that is playing a game
FIRST_SPECTATOR_DELAY = 1.5  # of all others
MAX_RECONNECT_DELAY = 5.0


class Urgency(Enum):
    """How urgently a client needs to be connected."""

    COMMAND = auto()  # a command of a running game is unanswered
    GAME = auto()  # this player has a seat in a running game
    NONE = auto()


class Action(Enum):
    """The next action on the connection."""

    NOTHING = auto()
    PING = auto()
    GIVE_UP = auto()  # close the connection and open another one


class _Phase(Enum):
    IDLE = auto()  # no command is unanswered
    WAITING = auto()  # a command is unanswered
    PROBING = auto()  # a command is unanswered, and a ping asks whether the server is still there


class Liveness:
    """Judges whether the server still responds. One instance serves all connections of a session, in turn."""

    def __init__(self) -> None:
        # Survives the connection: on a slow network the next one gets more time.
        self._probe_timeout = PROBE_TIMEOUT
        self._unanswered_connections = 0  # given up in a row because hello or a command was not answered
        self.connected(0.0)

    def connected(self, now: float) -> None:
        """Start over with a new connection."""
        self._connected_at = self._received_at = self._pinged_at = self._ticked_at = now
        self._phase, self._since = _Phase.IDLE, now
        self._oldest: int | None = None  # the oldest unanswered command
        self._oldest_since = now

    def received(self, now: float) -> None:
        """Record that the server has sent something."""
        self._received_at = now
        if self._phase is _Phase.PROBING:
            self._probe_timeout = max(PROBE_TIMEOUT, PROBE_ROUND_TRIPS * (now - self._since))
        if self._phase is not _Phase.IDLE:
            self._phase, self._since = _Phase.WAITING, now

    def answered(self, now: float, id: int) -> None:
        """Record that a command was answered: the time this took tells how slow the network is at present.

        An answer that comes before the next tick counts as quick.
        """
        self._unanswered_connections = 0
        if id == self._oldest or self._oldest is None:
            took = now - self._oldest_since if id == self._oldest else 0.0
            self._probe_timeout = max(PROBE_TIMEOUT, PROBE_ROUND_TRIPS * took)

    def tick(self, now: float, oldest: int | None, *, is_urgent: bool = False) -> Action:
        """Return what to do now. Call this several times a second.

        `oldest` is the id of the oldest command that the server has to answer; None if there is none. `is_urgent`
        says whether it is one of a running game, and other nodes could answer it.
        """
        was_suspended = now - self._ticked_at > SUSPENSION
        self._ticked_at = now
        if oldest != self._oldest or was_suspended:
            self._oldest, self._oldest_since = oldest, now
        if now - self._received_at >= SILENCE_LIMIT:
            return Action.GIVE_UP
        if oldest is None:
            self._phase = _Phase.IDLE
        elif self._phase is _Phase.IDLE or was_suspended:  # what arrived during a suspension has not been read yet
            self._phase, self._since = _Phase.WAITING, now
        elif self._phase is _Phase.WAITING and now - self._since >= PROBE_DELAY:
            self._phase, self._since = _Phase.PROBING, now
            return self._ping(now)
        elif self._phase is _Phase.PROBING and now - self._since >= self._probe_timeout:
            self._probe_timeout = min(2 * self._probe_timeout, SILENCE_LIMIT)
            return Action.GIVE_UP
        elif now - self._oldest_since >= max(
            self._grown(GAME_COMMAND_TIMEOUT) if is_urgent else COMMAND_TIMEOUT, PROBE_DELAY + self._probe_timeout
        ):
            self._unanswered_connections += 1
            return Action.GIVE_UP
        return self._ping(now) if now - self._pinged_at >= PING_INTERVAL else Action.NOTHING

    def is_hello_overdue(self, now: float, *, is_urgent: bool) -> bool:
        """Return whether to give up waiting for welcome on this connection.

        `is_urgent` says whether the player has a running game, and other nodes could welcome the player.
        """
        if now - self._connected_at < (self._grown(PLAYER_HELLO_TIMEOUT) if is_urgent else HELLO_TIMEOUT):
            return False
        self._unanswered_connections += 1
        return True

    def _grown(self, timeout: float) -> float:
        """Return a timeout that grows with each connection given up in a row, since all nodes may lack the store."""
        return min(timeout * 2.0 ** min(self._unanswered_connections, 16), COMMAND_TIMEOUT)

    def _ping(self, now: float) -> Action:
        self._pinged_at = now
        return Action.PING


def addresses_to_try(known: int, *, is_hurried: bool) -> int:
    """Return at how many of the known addresses a client tries to connect at once."""
    return min(known, ADDRESSES_AT_ONCE) if is_hurried else 1


def open_timeout(failures: int, at_once: int) -> float:
    """Return how long an attempt to open a WebSocket may take, after this many failures in a row.

    Another address may answer at once, but on a slow network no attempt would ever succeed without more time. If
    several addresses are tried at once, there is no need to give up on one that is slow.
    """
    return min(FIRST_OPEN_TIMEOUT * 2.0 ** min(failures + at_once - 1, 16), MAX_OPEN_TIMEOUT)


def reconnect_delay(failures: int, chance: float, urgency: Urgency) -> float:
    """Return how long to wait before the next attempt to connect.

    `failures` counts the attempts in a row that did not reach `welcome`. `chance` is a random number from 0 to 1: it
    spreads the clients of a server that was lost.
    """
    match urgency:
        case Urgency.COMMAND:
            first = FIRST_COMMAND_DELAY
        case Urgency.GAME:
            first = FIRST_PLAYER_DELAY
        case Urgency.NONE:
            first = FIRST_SPECTATOR_DELAY
    delay = min(first * 2.0 ** min(failures, 16), MAX_RECONNECT_DELAY)
    return delay * (0.75 + chance / 2)
