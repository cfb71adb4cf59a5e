"""The npm package of the TypeScript SDK, packed and installed in an empty project."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import hatch_build
import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.e2e.processes import ServerProcess
from tests.packages.programs import EXAMPLES, let_bots_play, let_spectator_watch, live_game, play_to_the_end

ESBUILD = hatch_build.NODE_MODULES / "esbuild" / "bin" / "esbuild"
TSC = hatch_build.NODE_MODULES / "typescript" / "bin" / "tsc"

# What a user might write; every type is inferred from the package.
PROGRAM = """
import { Connection, type Choices, RefusedError, type RoomReplica, type SceneDiff, Turn } from "parlour-client";

const connection = new Connection("http://127.0.0.1:8765", { client: "typed client" });
const welcome: string | undefined = connection.welcome?.you.name;
export function look(choices: Choices): SceneDiff | null {
  return Turn.begin(choices).look;
}
export async function moves(room: string): Promise<string[]> {
  const { moves } = await connection.call({ t: "join", room });
  const replica: RoomReplica | undefined = connection.rooms.get(room);
  return replica?.moves ?? moves;
}
export const isRefused = (error: unknown): boolean => error instanceof RefusedError && welcome !== error.code;
"""
TSCONFIG = {
    "compilerOptions": {
        "module": "NodeNext", "target": "ES2022", "strict": True, "noEmit": True, "types": [],
        "lib": ["ES2022", "DOM"], "exactOptionalPropertyTypes": True, "skipLibCheck": False,
    },
    "files": ["program.ts"],
}  # fmt: skip


@pytest.fixture(scope="module")
def project(built: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with nothing but the package, and the page of the documentation."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    package = hatch_build.build_sdk(folder)
    npm(folder, "install", "--offline", "--no-package-lock", "--no-audit", "--no-fund", str(package))
    for example in EXAMPLES.glob("board.*"):
        shutil.copy(example, folder)
    return folder


def npm(folder: Path, *arguments: str) -> None:
    run_node(folder, hatch_build.NPM, *arguments)


def run_node(folder: Path, *command: str | Path) -> None:
    done = subprocess.run(
        [hatch_build.NODE, *command], cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=200
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def site(project: Path) -> Iterator[str]:
    """Serve the project, from another origin than that of the server; return the origin."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(project))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}"
        web.shutdown()


@pytest_asyncio.fixture(loop_scope="session")
async def open_server(site: str, tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server that accepts connections from the pages of the site."""
    one = ServerProcess(tmp_path / "data", "--origins", site)
    await one.start()
    yield one
    await one.kill()


def test_it_has_what_users_need(project: Path) -> None:
    """Every module has its types and its source map, and each map has the sources."""
    package = project / "node_modules" / "parlour-client"
    modules = sorted((package / "dist").glob("*.js"))

    assert {"index.js", "parlour-client.min.js"} <= {module.name for module in modules}
    for module in modules:
        assert all(json.loads(module.with_suffix(".js.map").read_text("utf-8"))["sourcesContent"])
        if module.name != "parlour-client.min.js":
            assert module.with_suffix(".d.ts").is_file()
    assert {"LICENSE", "README.md"} <= {file.name for file in package.iterdir()}


def test_typescript_checks_against_it(project: Path) -> None:
    """A client type-checks with the strictest resolution, that of Node, without any setting for the package."""
    (project / "program.ts").write_text(PROGRAM, encoding="utf-8")
    (project / "tsconfig.json").write_text(json.dumps(TSCONFIG), encoding="utf-8")

    run_node(project, TSC, "--project", project)


def test_a_bundler_takes_what_is_used(project: Path) -> None:
    """A bundle needs no other file, and has nothing of the package that its program does not use."""
    code = (
        'import { sceneHash } from "parlour-client";\nif (sceneHash([[], [], null, [], ""]) === 0) process.exit(1);\n'
    )
    (project / "hash.mjs").write_text(code, encoding="utf-8")
    with TemporaryDirectory() as elsewhere:
        bundle = Path(elsewhere) / "hash.mjs"
        command: list[str | Path] = [
            ESBUILD,
            "hash.mjs",
            "--bundle",
            "--format=esm",
            "--platform=node",
            f"--outfile={bundle}",
        ]
        subprocess.run(command, cwd=project, check=True, capture_output=True, timeout=200)
        run_node(Path(elsewhere), bundle)
        assert "WebSocket" not in bundle.read_text(encoding="utf-8")


async def test_node_runs_it(project: Path, server: ServerProcess) -> None:
    """The bots of the documentation play a rated game, and the spectator sees every move of one."""
    await let_bots_play(server, project, hatch_build.NODE, ".mjs")
    await let_spectator_watch(server, project, hatch_build.NODE, ".mjs")


async def test_a_web_page_shows_a_live_board(open_server: ServerProcess, site: str, browser: Browser) -> None:
    """The page of the documentation loads the bundled file with a script tag, and follows a game move by move."""
    context = await browser.new_context()
    page = await context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    try:
        async with live_game(open_server, "Cleo", "Dan") as tables:
            await page.goto(f"{site}/board.html?server=http://127.0.0.1:{open_server.port}")
            await expect(page.locator("#players")).to_have_text("Cleo against Dan")
            board, scene = tables[0].board, tables[0].scene
            await expect(page.locator("#board rect")).to_have_count(
                board.columns * board.rows + sum(len(stack) - 1 for stack in scene.pieces)
            )
            moves = await play_to_the_end(tables)
            result = tables[0].result
            assert result is not None
            await expect(page.locator("#status")).to_contain_text(f"after {len(moves)} moves · over: {result.reason}")
    finally:
        await context.close()
    assert [fault for fault in faults if "favicon" not in fault and "404" not in fault] == []


def test_the_page_is_short() -> None:
    """The script of the live board has at most 80 lines."""
    assert len((EXAMPLES / "board.js").read_text("utf-8").splitlines()) <= 80
