"""`parlour conform client`: starts a client many times, each time against a server that injects another fault."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from parlour.conform.client_faults import (
    Fault,
    closings,
    connections,
    games,
    meeting,
    refusals,
    timing,
    unexpected_messages,
    updates,
)
from parlour.conform.client_monitor import ClientMonitor
from parlour.conform.client_process import Client, Run
from parlour.conform.listening import OpenSocket, local_socket
from parlour.conform.profiles import Profile
from parlour.conform.report import Report, Subject, Verdict
from parlour.conform.rules import CLIENT_RULES, of_profile
from parlour.conform.scripted_server import ScriptedServer
from parlour.protocol.types import Terms

FAULTS: tuple[type[Fault], ...] = (
    games.WholeGame,
    games.WatchedGame,
    games.Meeting,
    games.ChallengedGame,
    games.CutChoices,
    connections.LostBeforeWelcome,
    connections.LostInQueue,
    connections.LostLater,
    connections.LostHistory,
    connections.QueueUnanswered,
    connections.PlayUnanswered,
    connections.PlayLost,
    timing.Quiet,
    timing.IdleSilence,
    timing.Silence,
    timing.Unanswered,
    timing.Unreachable,
    timing.LostNode,
    timing.ClosingNode,
    closings.Restart,
    closings.Closed,
    closings.TakenOver,
    closings.SignedOut,
    refusals.UnknownToken,
    refusals.HelloLater,
    refusals.HelloRefused,
    updates.RepeatedUpdates,
    updates.OldEpoch,
    updates.LostUpdate,
    updates.Flood,
    updates.LostLastUpdate,
    updates.WrongDiff,
    updates.WrongHash,
    updates.WrongEvent,
    updates.WrongRoom,
    updates.NewEpoch,
    refusals.CannotStore,
    refusals.RetriedLater,
    refusals.RetryAfter,
    refusals.Stale,
    games.TakenBack,
    games.TakenBackWatched,
    games.UnknownEvent,
    games.OtherConnection,
    games.Clocks,
    games.Flag,
    meeting.LobbyGap,
    meeting.LobbyLost,
    meeting.OtherGame,
    meeting.SeekGone,
    meeting.AcceptLost,
    meeting.ChallengeGone,
    meeting.ChallengeLost,
    unexpected_messages.UnknownFields,
    unexpected_messages.UnknownItems,
    unexpected_messages.UnknownMessages,
    unexpected_messages.Talk,
)

PROFILES_OF = {rule.key: rule.profiles for rule in CLIENT_RULES}

# Games to play if each ends before the fault can be injected.
TRIES = 3


def faults_of(profile: Profile) -> list[type[Fault]]:
    """Return the faults that apply to a profile."""
    return [kind for kind in FAULTS if profile in (kind.profiles or PROFILES_OF[kind.rule])]


async def check_client(
    client: Client,
    name: str,
    *,
    profile: Profile = Profile.PLAYER,
    game: str = "replica",
    only: Collection[str] = (),
    seed: object = 0,
    at_once: int = 4,
    open_socket: OpenSocket = local_socket,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check all rules of a profile, or `only` some.

    Raise OSError if the client cannot be started.
    """
    rules = [rule for rule in of_profile(CLIENT_RULES, profile) if not only or rule.key in only]
    report = Report(Subject("client", name, game, profile), rules, is_complete=not only)
    free = asyncio.Semaphore(at_once)

    async def play(kind: type[Fault]) -> None:
        async with free:
            progress(kind.rule)
            options = {"profile": profile, "terms": Terms(game), "budget": kind.budget, "nodes": kind.nodes}
            await _judge(report, kind, client, seed, open_socket=open_socket, **options)

    try:
        async with asyncio.TaskGroup() as group:
            for kind in faults_of(profile):
                if not only or not {kind.rule, *kind.shows}.isdisjoint(only):
                    group.create_task(play(kind))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    return report


async def _judge(report: Report, kind: type[Fault], client: Client, seed: object, **options: Any) -> None:
    """Let the client play a game with one fault, and report the result."""
    for attempt in range(TRIES):
        fault = kind()
        monitor = ClientMonitor(fault, asyncio.get_running_loop().time, diverges=kind.diverges)
        async with ScriptedServer(monitor, f"{seed} {kind.__name__} {attempt}", **options) as server:
            server.clock = kind.clock
            run = await client.run(server, fault.decided, kind.extra)
            fault.decided.set()  # the server of scheduled actions is gone
        if fault.injected or not run.fine:
            break
    scenario, frames = fault.injected or kind.rule, server.transcript.frames
    report.add(kind.rule, *_verdict(fault, run), scenario, frames)
    for rule in monitor.seen:
        complaint = monitor.complaints.get(rule)
        report.add(rule, Verdict.BROKEN if complaint else Verdict.KEPT, complaint or "", scenario, frames)


def _verdict(fault: Fault, run: Run) -> tuple[Verdict, str]:
    if fault.complaint:
        return Verdict.BROKEN, fault.complaint
    if not fault.injected:
        return Verdict.NOT_REACHED, "the fault could not be injected in any game" if run.fine else str(run)
    if not fault.kept:
        return Verdict.BROKEN, f"{fault.injected}: {fault.expected}; {run}"
    if fault.must_end and not run.fine:
        return Verdict.BROKEN, f"{fault.injected}; {run}"
    return Verdict.KEPT, ""
