"""The parts of a node that record what they do as spans of OpenTelemetry: commands, commits, archiving, bots' jobs."""

from __future__ import annotations

import asyncio
import os
from asyncio import TaskGroup
from collections.abc import Awaitable, Callable, Sequence
from importlib.metadata import version
from threading import Thread

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter
from opentelemetry.trace import Span
from opentelemetry.util.types import AttributeValue

from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Command, Message
from parlour.server.archive.archive import Archive
from parlour.server.bots.worker import Worker
from parlour.server.metrics import JobOutcome
from parlour.server.node import PartTypes
from parlour.server.rooms.effects import Step, Work
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState, Transition
from parlour.server.rooms.subscribers import Subscriber
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.dispatch import Dispatcher
from parlour.server.sessions.session import Session
from parlour.server.store.jobs import TakenJob

FLUSH_WITHIN = 1.0  # seconds for the last spans when the process stops

tracer = trace.get_tracer("parlour")  # of the provider that `start` sets


def start(exporter: str, node: str) -> Callable[[], Awaitable[None]]:
    """Start exporting spans; return the function that stops. The SDK reads the rest from the environment."""
    attributes = {"service.instance.id": node, "service.version": version("parlour")}
    if "OTEL_SERVICE_NAME" not in os.environ and "service.name" not in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        attributes["service.name"] = "parlour"
    provider = TracerProvider(resource=Resource.create(attributes), shutdown_on_exit=False)
    target = ConsoleSpanExporter() if exporter == "console" else OTLPSpanExporter()
    provider.add_span_processor(BatchSpanProcessor(target))
    trace.set_tracer_provider(provider)

    async def stop() -> None:
        ending = Thread(target=provider.shutdown, daemon=True)  # it would wait for a collector that does not answer
        ending.start()
        await asyncio.to_thread(ending.join, FLUSH_WITHIN)

    return stop


def attributes_of(player: str, session: str, message: Message) -> dict[str, AttributeValue]:
    """Return the attributes that identify a message, as in the log."""
    found: dict[str, AttributeValue] = {"parlour.player": player, "parlour.session": session}
    if isinstance(message, Command):
        found["parlour.command"] = message.id
    if room := getattr(message, "room", None):
        found["parlour.room"] = room
    return found


def name_of(message: Message) -> str:
    """Return the name of a message on the wire."""
    return str(type(message).__struct_config__.tag)


class TracedDispatcher(Dispatcher):
    """Records hello, and the commands that rooms do not handle."""

    async def _handle(self, session: Session, message: Message, handler: Handler) -> None:
        with tracer.start_as_current_span(name_of(message)) as span:

            async def traced(session: Session, message: Message) -> None:
                try:
                    await handler(session, message)
                except Refusal as refusal:
                    span.set_attribute("parlour.refusal", refusal.code)
                    raise

            await super()._handle(session, message, traced)
            span.set_attributes(attributes_of(session.player, session.session_id, message))  # hello has set the player


class TracedRoom(Room):
    """Records the commands that the room handles, and every commit, with or without a command."""

    _span: Span | None = None  # of the command in progress: a room handles one at a time

    def _handle(self, subscriber: Subscriber, command: Command) -> Work:
        attributes = attributes_of(subscriber.player, subscriber.session_id, command)
        span = self._span = tracer.start_span(name_of(command), attributes=attributes)
        try:
            yield from super()._handle(subscriber, command)
        finally:
            self._span = None
            span.end()

    def _execute(self, subscriber: Subscriber, command: Command) -> Step[int]:
        try:
            return (yield from super()._execute(subscriber, command))
        except Refusal as refusal:
            if self._span is not None:
                self._span.set_attribute("parlour.refusal", refusal.code)
            raise

    def _commit(self, decided: Sequence[Transition]) -> Step[bool]:
        parent = None if self._span is None else trace.set_span_in_context(self._span)
        attributes: dict[str, AttributeValue] = {
            "parlour.room": self.state.id, "parlour.seq": self.state.seq + 1, "parlour.events": len(decided),
        }  # fmt: skip
        span = tracer.start_span("commit", parent, attributes=attributes)
        try:
            committed = yield from super()._commit(decided)
            span.set_attribute("parlour.conflict", not committed)
            return committed
        finally:
            span.end()


class TracedArchive(Archive):
    """Records how a game is rated and stored."""

    async def finish(self, room: RoomState) -> None:
        with tracer.start_as_current_span("archive", attributes={"parlour.room": room.id}):
            await super().finish(room)


class TracedWorker(Worker):
    """Records the jobs of bots."""

    async def _do(self, taken: TakenJob, group: TaskGroup) -> JobOutcome:
        job = taken.job
        kind = "evaluation" if job.reply_to else "move"
        attributes: dict[str, AttributeValue] = {
            "parlour.room": job.room, "parlour.ply": job.ply, "parlour.kind": kind,
        }  # fmt: skip
        with tracer.start_as_current_span("bot_job", attributes=attributes) as span:
            outcome = await super()._do(taken, group)
            span.set_attribute("parlour.outcome", outcome.value)
            return outcome


TRACED = PartTypes(TracedRoom, TracedDispatcher, TracedArchive, TracedWorker)
