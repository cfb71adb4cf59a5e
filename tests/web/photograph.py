"""Takes the pictures in docs/pictures/web: every page, in both looks, on a desktop and on a phone.

`python -m tests.web.photograph` opens a server of its own, lets some people play there, and looks at them.
With names, such as `lobby table-isaac`, it takes only those pictures.
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

from playwright.async_api import Browser, Page, async_playwright

from parlour.client.connection import Connection
from parlour.protocol.messages import Accept, Challenge, Choices, Explore, Play, Register, Resign, Say, Seek, Welcome
from parlour.protocol.tables import Clock, OptionValue, Pick, Terms
from tests.client.web.building import build_page
from tests.e2e.people import Person
from tests.e2e.processes import ServerProcess
from tests.web.conftest import CHROMIUM, FLAGS, PATIENCE, ROOT

PICTURES = ROOT / "docs" / "pictures" / "web"
NAMES = ("fern", "heron", "lynx", "carp", "ibis", "moth", "wren", "otter")
CLOCK = Clock("fischer", 600_000, 5_000)
ROUNDS = 24  # of rated games, enough for a leaderboard
QUALITY = 50
SCREENS = {"desktop": (1366, 768, 1.0), "phone": (360, 740, 2.0)}  # width, height, points for each pixel
MOMENT = 1_500  # milliseconds in which whatever still moves comes to rest

Act = Callable[[Page], Awaitable[None]]


# -- the people


async def turn(person: Person, chance: Random) -> None:
    """Make any turn."""
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
    """At a table that everybody may see."""
    seek = (await first.does(Seek(id=0, terms=terms, seat="first"))).seek
    assert seek is not None
    room = (await second.does(Accept(id=0, seek=seek))).room
    assert room is not None
    for person in (first, second):
        await person.joins(room)
    return room


async def play(first: Person, second: Person, room: str, moves: int, chance: Random) -> None:
    """So many moves, if the game lasts as long."""
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


async def come(stack: AsyncExitStack, url: str) -> dict[str, Person]:
    """Everybody, with a name that is kept."""
    found = {}
    for name in NAMES:
        person = Person(await stack.enter_async_context(Connection([url])))
        await person.hears(Welcome)
        await person.asks(Register(id=0, name=name, password=f"pictures of {name}"))
        found[name] = person
    return found


async def populate(people: dict[str, Person], chance: Random) -> dict[str, str]:
    """Games in the past, games that are on, and open tables; the rooms to look at, by name."""
    order = list(people)
    for number in range(ROUNDS):
        chance.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=True):
            first, second = people[one], people[other]
            room = await meet(first, second, Terms("mapello", clock=CLOCK, rated=True))
            await play(first, second, room, 2, chance)
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
        rooms[game] = await meet(people["fern"], people[other], Terms(game, clock=CLOCK))
        await play(people["fern"], people[other], rooms[game], moves, chance)
    await people["heron"].does(Say(id=0, room=rooms["mitsudomoe"], text="Good luck"))
    await put_up(people)
    return rooms


async def put_up(people: dict[str, Person]) -> None:
    tables: tuple[tuple[str, str, dict[str, OptionValue]], ...] = (
        ("carp", "mapello", {"board": "random"}), ("otter", "replica", {"size": 12}), ("lynx", "isaac", {}),
    )  # fmt: skip
    for name, game, options in tables:
        await people[name].does(Seek(id=0, terms=Terms(game, options, CLOCK)))
    await people["ibis"].does(Challenge(id=0, terms=Terms("replica", clock=CLOCK), to="moth"))


# -- the pictures


async def shoot(page: Page, name: str, quality: int) -> None:
    """In a form that Playwright itself does not offer."""
    await page.wait_for_timeout(MOMENT)
    await page.evaluate("scrollTo(0, 0)")
    session = await page.context.new_cdp_session(page)
    shot = await session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
    await asyncio.to_thread((PICTURES / f"{name}.webp").write_bytes, base64.b64decode(shot["data"]))
    await session.detach()


async def review(page: Page) -> None:
    await page.get_by_role("button", name="Ask the computer").click()
    await page.get_by_role("button", name="Ask the computer").wait_for(state="detached")
    await page.get_by_text("best:").wait_for()


async def choose_half(page: Page) -> None:
    """The first thing that may be picked, so that a half-made turn is seen."""
    await page.locator(".slot.may, .cell.may").first.click()


async def draw(page: Page) -> None:
    await page.get_by_role("button", name="The usual map").click()


async def fill_in(page: Page) -> None:
    await page.get_by_role("button", name="New table").click()
    await page.get_by_role("dialog").get_by_label("Game").select_option("mapello")


async def try_out(page: Page) -> None:
    await page.get_by_role("button", name="Try Mitsudomoe").click()
    await page.locator(".trial .cells").wait_for()


async def photograph(browser: Browser, address: str, token: str, rooms: dict[str, str]) -> None:
    """Every page, for fern."""
    scenes: dict[str, tuple[str, Act | None]] = {
        "lobby": ("/", None),
        "new-table": ("/", fill_in),
        "table-isaac": (f"/table/{rooms['isaac']}", choose_half),
        "table-mapello": (f"/table/{rooms['mapello']}", None),
        "table-mitsudomoe": (f"/table/{rooms['mitsudomoe']}", choose_half),
        "table-replica": (f"/table/{rooms['replica']}", choose_half),
        "watch": ("/watch", None),
        "games": ("/games", None),
        "replay": (f"/game/{rooms['replay']}/17", review),
        "players": ("/players", None),
        "player": ("/players/heron/", None),
        "rules": ("/rules/mitsudomoe", try_out),
        "editor": ("/editor", draw),
        "account": ("/account", None),
        "settings": ("/settings", None),
    }
    wanted = sys.argv[1:]
    for screen in SCREENS:
        for look in ("light", "dark"):
            page = await visit(browser, screen, look, token)
            for name, (path, act) in scenes.items():
                if wanted and name not in wanted:
                    continue
                await page.goto(address + path)
                await page.locator(".me").wait_for()
                await page.wait_for_timeout(MOMENT)
                if act is not None:
                    await act(page)
                await shoot(page, f"{name}-{screen}-{look}", QUALITY)
                if act is try_out:
                    await page.get_by_role("link", name="Parlour, to the start").click()  # which ends the trial
            await page.context.close()
            if not wanted or "sign-in" in wanted:
                guest = await visit(browser, screen, look, None)
                await guest.goto(f"{address}/account")
                await guest.get_by_role("heading", name="Sign in").wait_for()
                await shoot(guest, f"sign-in-{screen}-{look}", QUALITY)
                await guest.context.close()
            print(f"{screen}, {look}", flush=True)


async def visit(browser: Browser, screen: str, look: str, token: str | None) -> Page:
    """Somebody with a browser: the one who has the token, or a guest."""
    width, height, scale = SCREENS[screen]
    context = await browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, has_touch=screen == "phone",
        color_scheme="dark" if look == "dark" else "light", reduced_motion="reduce",
    )  # fmt: skip
    kept = {"parlour.wish": {"game": "mapello"}} | ({} if token is None else {"parlour.token": token})
    for key, value in kept.items():
        await context.add_init_script(f"localStorage[{json.dumps(key)}] = {json.dumps(json.dumps(value))}")
    page = await context.new_page()
    page.set_default_timeout(4 * PATIENCE)
    return page


async def main() -> None:
    with TemporaryDirectory() as folder:
        build_page(Path(folder))
        generous = ("--message-rate", "1000", "--message-burst", "5000", "--seek-rate", "0", "--name-rate", "0")
        server = ServerProcess(Path(folder) / "data", *generous)
        await server.start()
        PICTURES.mkdir(parents=True, exist_ok=True)
        try:
            async with AsyncExitStack() as stack:
                people = await come(stack, server.url)
                rooms = await populate(people, Random(1))
                token = people["fern"].connection.session.token
                assert token is not None
                playwright = await stack.enter_async_context(async_playwright())
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                await photograph(browser, f"http://127.0.0.1:{server.port}", token, rooms)
                await browser.close()
        finally:
            await server.stop()


if __name__ == "__main__":
    asyncio.run(main())
