"""The HTTP API is what its OpenAPI document says, as schemathesis finds out with requests of all kinds."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.e2e.processes import ServerProcess
from tests.server.api.http_client import HttpClient

EXAMPLES = 4  # of each operation, besides those that cover its schema
# Streams do not end, and the last two would use up the names of guests, or end the token.
LEFT_OUT = r"/stream$|^/seeks$|^/queue$|^/guests$|^/tokens/revoke$"
# 400 means that a request breaks the schema, 422 that it fits but cannot be carried out. The parameters are those of a
# game that is being played: all others would only be answered with 404.
SETTINGS = """\
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "422", "429", "503"]

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "409", "413", "414", "422", "429", "503"]

[parameters]
"path.game" = "replica"
"path.name" = "{name}"
"path.room" = "{room}"
"path.code" = "{code}"
"""


async def test_no_response_violates_the_document(server: ServerProcess, tmp_path: Path) -> None:
    """Neither to valid nor to invalid requests; and the server logs no error."""
    player = await HttpClient(server.port).guest()
    terms = {"terms": {"game": "replica"}}
    room = (await player.post("/rooms", {**terms, "levels": [None, "random"]})).json["room"]
    code = (await player.post("/challenges", terms)).json["seek"]
    name = (await player.get("/me")).json["you"]["name"]
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(SETTINGS.format(name=name, room=room, code=code))
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(settings),
        "run", f"http://127.0.0.1:{server.port}/api/v1/openapi.json",
        "--header", f"Authorization: Bearer {player.token}",
        "--phases", "coverage,fuzzing", "--max-examples", str(EXAMPLES), "--exclude-path-regex", LEFT_OUT,
        "--request-timeout", "60", "--no-color", "--seed", "1",
        cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert server.errors == []
