"""`parlour conform client`: starts a client many times, each time against a server that injects another fault."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence

from parlour.conform.client_faults import Fault, connections, games, unexpected_messages, updates
from parlour.conform.client_monitor import ClientMonitor
from parlour.conform.client_process import Client, Run
from parlour.conform.report import Report, Verdict
from parlour.conform.rules import CLIENT_RULES
from parlour.conform.scripted_server import ScriptedServer

FAULTS: tuple[type[Fault], ...] = (
    games.NoFault,
    games.CutChoices,
    connections.LostBeforeWelcome,
    connections.LostInQueue,
    connections.LostInOpponentsTurn,
    connections.Restart,
    connections.Silence,
    connections.LostHistory,
    connections.QueueUnanswered,
    connections.PlayUnanswered,
    connections.PlayLost,
    updates.RepeatedUpdates,
    updates.LostUpdate,
    updates.WrongDiff,
    updates.WrongHash,
    updates.WrongRoom,
    games.CannotStore,
    games.Stale,
    unexpected_messages.UnknownFields,
    unexpected_messages.UnknownMessages,
    unexpected_messages.Talk,
)

# How many games to play if each ends before the fault can be injected.
TRIES = 3


async def check_client(
    command: Sequence[str],
    *,
    game: str = "replica",
    only: Collection[str] = (),
    limit: float = 30.0,
    seed: object = 0,
    at_once: int = 4,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check all rules, or `only` some. The client has `limit` seconds for each game.

    Raise OSError if the client cannot be started.
    """
    client = Client(command, game, limit)
    report = Report(" ".join(command), [rule for rule in CLIENT_RULES if not only or rule.key in only])
    free = asyncio.Semaphore(at_once)

    async def play(kind: type[Fault]) -> None:
        async with free:
            progress(kind.rule)
            await _judge(report, kind, client, seed)

    try:
        async with asyncio.TaskGroup() as group:
            for kind in FAULTS:
                if not only or not {kind.rule, *kind.shows}.isdisjoint(only):
                    group.create_task(play(kind))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    return report


async def _judge(report: Report, kind: type[Fault], client: Client, seed: object) -> None:
    """Let the client play a game with one fault, and report the result."""
    for attempt in range(TRIES):
        fault = kind()
        monitor = ClientMonitor(fault)
        async with ScriptedServer(monitor, f"{seed} {kind.__name__} {attempt}", budget=kind.budget) as server:
            run = await client.run(server, fault.decided)
        if fault.injected or not run.fine:
            break
    report.add(kind.rule, *_verdict(fault, run))
    for rule in monitor.seen:
        complaint = monitor.complaints.get(rule)
        report.add(rule, Verdict.BROKEN if complaint else Verdict.KEPT, complaint or "")


def _verdict(fault: Fault, run: Run) -> tuple[Verdict, str]:
    if fault.complaint:
        return Verdict.BROKEN, fault.complaint
    if not fault.injected:
        return Verdict.NOT_REACHED, "the fault could not be injected in any game" if run.fine else str(run)
    if not fault.kept:
        return Verdict.BROKEN, f"{fault.injected}: {fault.expected}; {run}"
    if not run.fine:
        return Verdict.BROKEN, f"{fault.injected}; {run}"
    return Verdict.KEPT, ""
