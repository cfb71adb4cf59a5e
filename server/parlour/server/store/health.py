"""The health of the store: why it cannot be used, according to its replies and the errors of its connections."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from enum import StrEnum
from time import monotonic

from msgspec import Struct

from parlour.server.store.errors import IsReplica, NotReplicated, StoreRefused, StoreUnavailable

logger = logging.getLogger(__name__)

LOG_EVERY = 10.0  # seconds between two log entries with the same reason


class Reason(StrEnum):
    """Why the store cannot be used."""

    UNREACHABLE = "unreachable"  # no connection, or no reply
    LOADING = "loading"  # it has started and still reads its data
    READONLY = "readonly"  # it is a replica, usually one that was the master before
    NO_REPLICAS = "no_replicas"  # too few replicas (min-replicas-to-write, --wait-replicas)
    CLUSTER_DOWN = "cluster_down"  # a part of the cluster has no master
    FULL = "full"  # it has reached its memory limit (maxmemory)
    DISK_FULL = "disk_full"
    WRITE_FAILED = "write_failed"  # it cannot write to its disk for another reason
    REFUSED = "refused"  # anything else, such as a missing permission


class Problem(Struct, frozen=True):
    """A reason, and the words of the store or the system."""

    reason: Reason
    detail: str


SILENT = Problem(Reason.UNREACHABLE, "it does not answer in time")

_REASONS = {
    "LOADING": Reason.LOADING,
    "READONLY": Reason.READONLY,
    "MASTERDOWN": Reason.READONLY,
    "NOREPLICAS": Reason.NO_REPLICAS,
    "CLUSTERDOWN": Reason.CLUSTER_DOWN,
    "OOM": Reason.FULL,
    "MISCONF": Reason.WRITE_FAILED,
}
# Before Redis 7 an error inside a script does not begin with its code: "ERR Error running script … -OOM command not …".
_CODE = re.compile(rf"(?:^|-)({'|'.join(_REASONS)})\b")
_POSITION_IN_SCRIPT = re.compile(r" script: (\w+, )?on @user_script:\d+\.?$")


def diagnose(error: Exception) -> Problem:
    """Return the problem behind an error of a command or a connection."""
    if isinstance(error, IsReplica):
        return Problem(Reason.READONLY, describe(error))
    if isinstance(error, NotReplicated):
        return Problem(Reason.NO_REPLICAS, describe(error))
    if not isinstance(error, StoreRefused):
        return Problem(Reason.UNREACHABLE, describe(error))
    reply = _POSITION_IN_SCRIPT.sub("", str(error))
    code = _CODE.search(reply)
    reason = Reason.REFUSED if code is None else _REASONS[code[1]]
    if reason is Reason.WRITE_FAILED and "No space left on device" in reply:
        reason = Reason.DISK_FULL
    return Problem(reason, reply)


def describe(error: Exception | None) -> str:
    """Return an error as the end of a sentence, without a full stop."""
    if isinstance(error, ConnectionRefusedError):
        return "no server is listening there"
    if isinstance(error, FileNotFoundError):
        return "there is no such socket"
    if error is None or isinstance(error, TimeoutError):
        return SILENT.detail
    words = error.strerror if isinstance(error, OSError) else str(error)
    return (words or str(error) or type(error).__name__).rstrip(".")


class StoreHealth:
    """Collects the store's errors: counts them, logs them without flooding the log, and knows the latest one.

    The heartbeat calls `written` whenever it has written, which is the proof that the store can be used.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.errors = dict.fromkeys(Reason, 0)
        self.problem = SILENT  # the latest one; it matters only while nothing can be written
        self.on_readonly: Callable[[], None] = lambda: None  # called when the store turns out to be a replica
        self._now = now
        self._logged_at: dict[Reason, float] = {}
        self._is_recovery_news = False

    def report(self, error: Exception) -> None:
        """Record an error of a command or a connection."""
        if isinstance(error, StoreUnavailable) and not isinstance(error, StoreRefused | IsReplica | NotReplicated):
            return  # there is no connection, or no reply: the connection itself reports why
        self.problem = problem = diagnose(error)
        self.errors[problem.reason] += 1
        now = self._now()
        if now - self._logged_at.get(problem.reason, -LOG_EVERY) >= LOG_EVERY:
            self._logged_at[problem.reason] = now
            self._is_recovery_news = True
            logger.warning("the store cannot be used (%s): %s", problem.reason, problem.detail)
        if problem.reason is Reason.READONLY:
            self.on_readonly()

    def written(self) -> None:
        """Record that the store has accepted a write."""
        self.problem = SILENT
        if self._is_recovery_news:
            self._is_recovery_news = False
            logger.info("the store accepts writes")
