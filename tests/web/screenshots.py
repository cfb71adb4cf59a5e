"""Take the screenshots in docs/pictures/web: every page, in both themes, on a desktop and on a phone.

`python -m tests.web.screenshots` starts a server, lets some players play there, and takes a screenshot of each page.
With names, such as `lobby table-isaac`, it takes only those.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from parlour.client.bot import BotConfig
from parlour.client.connection import Connection
from parlour.protocol.messages import Accept, Challenge, Choices, Explore, Play, Register, Resign, Say, Seek, Welcome
from parlour.protocol.types import Clock, OptionValue, Pick, Terms
from tests.client.bots import RandomBot, tokens
from tests.client.cups import cup
from tests.client.web.building import build_page
from tests.e2e.people import Person
from tests.e2e.processes import ServerProcess
from tests.web.conftest import CHROMIUM, FLAGS, ROOT, TIMEOUT

PICTURES = ROOT / "docs" / "pictures" / "web"
NAMES = ("fern", "heron", "lynx", "carp", "ibis", "moth", "wren", "otter")
BOTS = ("Robbie", "Gort", "Marvin", "Bishop", "Dora", "Tars")
CLOCK = Clock("fischer", 600_000, 5_000)
ROUNDS = 24  # of rated games, enough to fill a leaderboard
RATED_AFTER = 6  # moves, with which a game counts
QUALITY = 50
SCREENS = {"desktop": (1366, 768, 1.0), "phone": (360, 740, 2.0)}  # width, height, scale factor
SETTLE = 1_500  # milliseconds after which a page has come to rest

Act = Callable[[Page], Awaitable[None]]


# -- the players


async def turn(person: Person, chance: Random) -> None:
    """Make a random turn."""
    ply = len((await person.sees(lambda table: table.scene.to_move == table.seat)).moves)
    choices = await person.hears(Choices, lambda found: (found.room, found.ply, found.id) == (person.room, ply, None))
    step, picks = choices.step, choices.picks
    while True:
        pick = chance.choice(step.picks)
        picks = (*picks, pick.place if isinstance(pick, Pick) else pick)
        if isinstance(pick, Pick) and pick.more:
            answer = await person.asks(Explore(id=0, room=person.room, ply=ply, picks=picks))
            assert isinstance(answer, Choices)
            step = answer.step
        elif isinstance(pick, Pick) and pick.then is not None:
            step = pick.then
        else:
            break
    await person.does(Play(id=0, room=person.room, ply=ply, picks=picks))
    await person.sees(lambda table: len(table.moves) > ply)


async def meet(first: Person, second: Person, terms: Terms) -> str:
    """Let two players meet at a public table, and return its room."""
    seek = (await first.does(Seek(id=0, terms=terms, seat="first"))).seek
    assert seek is not None
    room = (await second.does(Accept(id=0, seek=seek))).room
    assert room is not None
    for person in (first, second):
        await person.joins(room)
    return room


async def play(first: Person, second: Person, room: str, moves: int, chance: Random) -> None:
    """Play this number of moves, or until the game ends."""
    for person in (first, second):
        person.room = room
    for _ in range(moves):
        if first.table.result is not None:
            return
        mover = first if first.table.scene.to_move == first.table.seat else second
        ply = len(mover.table.moves)
        await turn(mover, chance)
        for person in (first, second):
            await person.sees(lambda table: len(table.moves) > ply)  # noqa: B023  # awaited here


async def connect(stack: AsyncExitStack, url: str) -> dict[str, Person]:
    """Connect all players under registered names."""
    found = {}
    for name in NAMES:
        person = Person(await stack.enter_async_context(Connection([url])))
        await person.hears(Welcome)
        await person.asks(Register(id=0, name=name, password=f"pictures of {name}"))
        found[name] = person
    return found


async def populate(people: dict[str, Person], chance: Random) -> dict[str, str]:
    """Create finished games, live games and open tables, and return the rooms to show by name."""
    order = list(people)
    for number in range(ROUNDS):
        chance.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=True):
            first, second = people[one], people[other]
            room = await meet(first, second, Terms("mapello", clock=CLOCK, rated=True))
            await play(first, second, room, RATED_AFTER, chance)
            weaker = max(one, other, key=NAMES.index) if chance.random() < 0.75 else one
            await people[weaker].does(Resign(id=0, room=room))
        print(f"{number + 1} of {ROUNDS} rounds", flush=True)
    rooms = {}
    rooms["replay"] = await meet(people["heron"], people["fern"], Terms("replica", clock=CLOCK))
    await play(people["heron"], people["fern"], rooms["replay"], 40, chance)
    if people["fern"].table.result is None:
        await people["heron"].does(Resign(id=0, room=rooms["replay"]))
    for game, other, moves in (
        ("isaac", "wren", 16), ("mapello", "carp", 30), ("mitsudomoe", "heron", 12), ("replica", "moth", 24),
    ):  # fmt: skip
        fern = people["fern"]
        # Random games end early, or skip turns, now and then.
        while game not in rooms or fern.table.scene.to_move != fern.table.seat:
            rooms[game] = await meet(fern, people[other], Terms(game, clock=CLOCK))
            await play(fern, people[other], rooms[game], moves, chance)
    await people["heron"].does(Say(id=0, room=rooms["mitsudomoe"], text="Good luck"))
    await open_tables(people)
    return rooms


async def open_tables(people: dict[str, Person]) -> None:
    """Open tables and send an invitation."""
    tables: tuple[tuple[str, str, dict[str, OptionValue]], ...] = (
        ("carp", "mapello", {"board": "random"}), ("otter", "replica", {"size": 12}), ("lynx", "isaac", {}),
    )  # fmt: skip
    for name, game, options in tables:
        await people[name].does(Seek(id=0, terms=Terms(game, options, CLOCK)))
    await people["ibis"].does(Challenge(id=0, terms=Terms("replica", clock=CLOCK), to="moth"))


async def invite(people: dict[str, Person]) -> str:
    """Invite a friend by link, and return the path of the link."""
    seek = (await people["otter"].does(Challenge(id=0, terms=Terms("mapello", clock=CLOCK), seat="first"))).seek
    return f"/join/{seek}"


async def hold_tournament(stack: AsyncExitStack, url: str) -> str:
    """Let bots play a Swiss tournament to its end, and return its id."""
    settings: dict[str, Any] = {
        "format": "swiss",
        "rounds": 3,
        "min_players": len(BOTS),
        "terms": Terms("replica", clock=CLOCK),
    }
    _, tournament = await stack.enter_async_context(cup(url, "Autumn cup", **settings))
    config = BotConfig(tournament=tournament)
    given = await tokens(url, *BOTS)
    await asyncio.gather(*(RandomBot().play(url, token, config) for token in given))
    # Another one, for which players can enter.
    await stack.enter_async_context(cup(url, "Thursday arena", min_players=8, duration=3_600_000))
    return tournament


# -- the screenshots


async def shoot(page: Page, name: str, quality: int) -> None:
    """Save a screenshot as WebP, which Playwright itself does not offer."""
    await page.wait_for_timeout(SETTLE)
    await page.evaluate("scrollTo(0, 0)")
    session = await page.context.new_cdp_session(page)
    shot = await session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
    await asyncio.to_thread((PICTURES / f"{name}.webp").write_bytes, base64.b64decode(shot["data"]))
    await session.detach()


async def analyse(page: Page) -> None:
    """Let the computer analyse the game, unless it has done so on another screen."""
    button = page.get_by_role("button", name="Analyse the game")
    if await button.count():
        await button.click()
        await button.wait_for(state="detached")
    await page.get_by_text("best move:").wait_for()


async def start_turn(page: Page) -> None:
    """Make the first pick, to show an unfinished turn."""
    await page.locator(".slot.selectable, .cell.selectable").first.click()


async def load_layout(page: Page) -> None:
    """Load the default layout into the editor."""
    await page.get_by_role("button", name="Default").click()


async def open_dialog(page: Page) -> None:
    """Open the dialog for a new table."""
    await page.get_by_role("button", name="New table").click()
    await page.get_by_role("dialog").get_by_label("Game").select_option("mapello")


async def practise(page: Page) -> None:
    """Start a practice game."""
    await page.get_by_role("button", name="Try Mitsudomoe").click()
    await page.locator(".practice .cells").wait_for()


async def take_screenshots(browser: Browser, address: str, token: str, rooms: dict[str, str]) -> None:
    """Take a screenshot of every page as fern sees it."""
    scenes: dict[str, tuple[str, Act | None]] = {
        "lobby": ("/", None),
        "new-table": ("/", open_dialog),
        "table-isaac": (f"/table/{rooms['isaac']}", start_turn),
        "table-mapello": (f"/table/{rooms['mapello']}", None),
        "table-mitsudomoe": (f"/table/{rooms['mitsudomoe']}", start_turn),
        "table-replica": (f"/table/{rooms['replica']}", start_turn),
        "watch": ("/watch", None),
        "games": ("/games", None),
        "replay": (f"/game/{rooms['replay']}/17", analyse),
        "players": ("/players", None),
        "player": ("/players/heron/", None),
        "rules": ("/rules/mitsudomoe", practise),
        "lesson": ("/learn/isaac", None),
        "invitation": (rooms["invitation"], None),
        "tournaments": ("/tournaments", None),
        "tournament": (f"/tournaments/{rooms['tournament']}", None),
        "study": (f"/study/game/{rooms['replay']}/17", None),
        "editor": ("/editor", load_layout),
        "account": ("/account", None),
        "settings": ("/settings", None),
    }
    wanted = sys.argv[1:]
    for screen in SCREENS:
        for theme in ("light", "dark"):
            page = await open_browser(browser, screen, theme, token)
            for name, (path, act) in scenes.items():
                if wanted and name not in wanted:
                    continue
                await page.goto(address + path)
                await page.locator(".me").wait_for(state="attached")  # tables on phones do not show it
                await page.wait_for_timeout(SETTLE)
                if act is not None:
                    await act(page)
                await shoot(page, f"{name}-{screen}-{theme}", QUALITY)
                if act is practise:
                    await page.get_by_role("link", name="Parlour home").click()  # ends the practice game
            await page.context.close()
            if not wanted or "sign-in" in wanted:
                guest = await open_browser(browser, screen, theme, None)
                await guest.goto(f"{address}/account")
                await guest.get_by_role("heading", name="Sign in").wait_for()
                await shoot(guest, f"sign-in-{screen}-{theme}", QUALITY)
                await guest.context.close()
            print(f"{screen}, {theme}", flush=True)


async def open_browser(browser: Browser, screen: str, theme: str, token: str | None) -> Page:
    """Open a browser for the player with this token, or for a guest."""
    width, height, scale = SCREENS[screen]
    context = await browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, has_touch=screen == "phone",
        color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce",
    )  # fmt: skip
    stored = {"parlour.preferences": {"game": "mapello"}} | ({} if token is None else {"parlour.token": token})
    for key, value in stored.items():
        await context.add_init_script(f"localStorage[{json.dumps(key)}] = {json.dumps(json.dumps(value))}")
    page = await context.new_page()
    page.set_default_timeout(4 * TIMEOUT)
    return page


async def main() -> None:
    with TemporaryDirectory() as folder:
        build_page(Path(folder))
        generous = ("--message-rate", "1000", "--message-burst", "5000", "--unlimited-networks", "127.0.0.0/8")
        server = ServerProcess(Path(folder) / "data", *generous)
        await server.start()
        PICTURES.mkdir(parents=True, exist_ok=True)
        try:
            async with AsyncExitStack() as stack:
                people = await connect(stack, server.url)
                rooms = await populate(people, Random(1))
                rooms["invitation"] = await invite(people)
                rooms["tournament"] = await hold_tournament(stack, server.url)
                token = people["fern"].connection.session.token
                assert token is not None
                playwright = await stack.enter_async_context(async_playwright())
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                await take_screenshots(browser, f"http://127.0.0.1:{server.port}", token, rooms)
                await browser.close()
        finally:
            await server.stop()


if __name__ == "__main__":
    asyncio.run(main())
