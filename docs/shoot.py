"""Take the screenshots of the terminal client: `python -m docs.shoot`, from the top of the repository.

The real client plays against a local server in a headless terminal of 80 x 24 characters.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from pathlib import Path

from parlour.cli.local_server import local_server
from parlour.client.tokens import TokenFile
from parlour.protocol.types import Terms
from parlour.terminal.drawing import Colours, Style
from parlour.terminal.full_screen.app import ParlourApp
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.ui.player_session import PlayerSession
from parlour.terminal.ui.settings import Settings, SettingsFile
from parlour.terminal.ui.table_view import TableView

PICTURES = Path(__file__).parent / "pictures"

# For each game: a position, the picks of an unfinished turn, and the player's seat.
SHOTS = {
    "isaac": (
        "Da3-a5,Dc2-c5,Dc9-e9,Dd2-h2,Dd5-g5,De3-g3,Df7-f10,Di1-i4,Di7-i9,Dj8-j10,La7-a9,Lb1-b4,Lb6-g6,Lb7-b10,"
        "Lc10-e10,Ld1-f1,Lf4-h4,Lg8-g10,Lh5-h8,Lj1-j6 d s 00221,01301 55,39 0,0 -",
        "c9",
        0,
    ),
    "mitsudomoe": (".,.,w,ww,b/.,.,.,.,bB/b,.,.,bwW,bB/wW,.,wW,bB,./.,w,.,.,. b 1,2", "a3 b1", 1),
    "mapello": (
        "####J#####/##.*..O.##/#.O..O#..#/J*#OOOXOOJ/J..OOXXX.#/#.OOOXXX*#/#OOOOXO#.J/JOX#XOOOO#/##.X..OX##/"
        "###J###J## b 9,6",
        "",
        0,
    ),
    "replica": (".....wwW/...www../....Www./.bb....w/..b...ww/bbb.b.../..b...../B.bbb... w", "e6", 0),
}


async def shoot(session: PlayerSession, folder: Path, game: str) -> str:
    """Return a screenshot of one game, as SVG."""
    position, picks, seat = SHOTS[game]
    table = await session.client.play_computer(Terms(game), "3", seat, position)
    await table.my_turn()
    view: TableView = await session.view(table)
    for pick in picks.split():
        await view.play_text(pick)
    file = SettingsFile(folder / "terminal.json")
    file.write(Settings(own_side_below=False))
    app = ParlourApp(session, drawing=Style(unicode=True, colours=Colours.TRUE), settings=file, view=view)
    async with app.run_test(size=(80, 24)) as pilot:
        while not isinstance(app.screen, TableScreen):
            await pilot.pause(0.05)
        await pilot.pause(0.5)
        drawn = app.export_screenshot(title=f"parlour play {game}")
    await table.resign()  # the next picture would show that it is the player's turn here
    return slim(drawn, f"{game.capitalize()} in a terminal")


def slim(svg: str, title: str) -> str:
    """Return the SVG with a title, without anything that must be fetched, and without what a browser ignores."""
    svg = re.sub(r"(<svg[^>]*>)", rf"\1<title>{title}</title>", svg, count=1)
    svg = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<clipPath.*?</clipPath>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' clip-path="[^"]*"', "", svg)
    svg = re.sub(r' shape-rendering="crispEdges"', "", svg)
    svg = re.sub(r"(\d+\.\d\d?)\d*", r"\1", svg).replace("&#160;", "\u00a0")
    svg = re.sub(r"font-family:[^;]*;", "font-family: monospace;", svg)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    return re.sub(r"\n\s*", "\n", svg)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        home = Path(folder)
        async with (
            local_server() as (address, key),
            PlayerSession(address, token_key=key, name="fern", tokens=TokenFile(home / "tokens.json")) as session,
        ):
            for game in SHOTS:
                path = PICTURES / f"terminal-{game}.svg"
                path.write_text(await shoot(session, home, game), encoding="utf-8")
                print(f"{path.relative_to(PICTURES.parent.parent)}  {path.stat().st_size} bytes")


if __name__ == "__main__":
    asyncio.run(main())
