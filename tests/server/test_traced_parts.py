"""A server that sends its traces to a collector."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec import Struct
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from parlour.client import connect
from parlour.protocol.errors import Refusal
from parlour.protocol.types import Terms
from tests.e2e.processes import ServerProcess
from tests.waiting import until


class Exported(Struct, frozen=True):
    """A span as a collector gets it."""

    name: str
    id: bytes
    parent: bytes
    service: str
    attributes: dict[str, Any]


@contextmanager
def collector() -> Iterator[tuple[str, list[Exported]]]:
    """Receive traces with OTLP over HTTP; yield the address, and the spans that have arrived so far."""
    spans: list[Exported] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            sent = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
            for resource in sent.resource_spans:
                service = next(each for each in resource.resource.attributes if each.key == "service.name")
                for span in (span for scope in resource.scope_spans for span in scope.spans):
                    values = {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}
                    name = service.value.string_value
                    spans.append(Exported(span.name, span.span_id, span.parent_span_id, name, values))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", spans
        server.shutdown()
        thread.join()


async def test_the_spans_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hello, commands, commits, a bot's job and archiving arrive with the room and the id of the command."""
    with collector() as (address, spans):
        monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        server = ServerProcess(tmp_path, "--bot-pace", "0")
        await server.start()
        try:
            room = await play(server)

            def named(name: str) -> list[Exported]:
                return [span for span in spans if span.name == name]

            await until(lambda: bool(named("archive") and named("bot_job")))
        finally:
            await server.stop()  # sends what is left
        (hello,), first = named("hello"), named("play")[0]
        assert hello.service == "parlour"
        for key in ("parlour.player", "parlour.session"):
            assert hello.attributes[key] == first.attributes[key] != ""
        assert (first.attributes["parlour.room"], first.attributes["parlour.command"] > 0) == (room, True)
        assert [span.parent for span in named("commit")].count(first.id) == 1
        assert named("join")[-1].attributes["parlour.refusal"] == "room_unknown"
        assert named("play")[-1].attributes["parlour.refusal"] == "game_over"
        assert named("bot_job")[0].attributes["parlour.outcome"] == "done"
        for span in (*named("archive"), *named("bot_job"), *named("commit")):
            assert span.attributes["parlour.room"] == room


async def play(server: ServerProcess) -> str:
    """Play a move against the computer, resign, and have two commands refused; return the room."""
    async with connect(server.url) as client:
        table = await client.play_computer(Terms("mapello"), "1")
        await table.my_turn()
        await table.play("f7")
        await table.my_turn()
        await table.resign()
        with pytest.raises(Refusal):
            await table.play("f8")
        with pytest.raises(Refusal):
            await client.join("nowhere")
        return table.room
