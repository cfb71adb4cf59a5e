"""Each game in windows of several sizes, compared with the text that it should be.

To regenerate the expected texts after an intended change, delete them, run this file, and review what it wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.protocol.types import Terms
from tests.terminal.full_screen.screens import opened, signed_in

EXPECTED = Path(__file__).parent / "expected"

# A position of each game with something to see, and the picks of a half-chosen turn.
SCREENS = {
    "isaac": (
        "Da3-a5,Dc2-c5,Dc9-e9,Dd2-h2,Dd5-g5,De3-g3,Df7-f10,Di1-i4,Di7-i9,Dj8-j10,La7-a9,Lb1-b4,Lb6-g6,Lb7-b10,"
        "Lc10-e10,Ld1-f1,Lf4-h4,Lg8-g10,Lh5-h8,Lj1-j6 d s 00221,01301 55,39 0,0 -",
        ("c9",),
        {},
    ),
    "mitsudomoe": (
        ".,.,w,ww,b/.,.,.,.,bB/b,.,.,bwW,bB/wW,.,wW,bB,./.,w,.,.,. b 1,2",
        ("a3", "b1"),
        {},
    ),
    "mapello": (
        "####J#####/##.*..O.##/#.O..O#..#/J*#OOOXOOJ/J..OOXXX.#/#.OOOXXX*#/#OOOOXO#.J/JOX#XOOOO#/##.X..OX##/"
        "###J###J## b 9,6",
        (),
        {},
    ),
    "replica": (".....wwW/...www../....Www./.bb....w/..b...ww/bbb.b.../..b...../B.bbb... w", ("e6",), {}),
    "replica-12": (None, (), {"size": 12}),
    "replica-16": (None, (), {"size": 16}),
}


SIZES = ((60, 24), (80, 24), (120, 40), (200, 60))
SHOTS = [
    *((name, size, True) for name in SCREENS for size in SIZES if size == (80, 24) or name.isalpha()),
    *((name, (80, 24), False) for name in SCREENS),
]


@pytest.mark.parametrize(("name", "size", "unicode"), SHOTS, ids=str)
async def test_the_screen_of_a_game(
    name: str, size: tuple[int, int], unicode: bool, address: str, tmp_path: Path
) -> None:
    """The board, the players, the turn in the making and the keys are where they should be, and nothing is clipped."""
    position, picks, options = SCREENS[name]
    terms = Terms(name.partition("-")[0], dict(options))
    # Names are taken once, and all of the same length.
    name_here = f"Ann{SHOTS.index((name, size, unicode)):02}"
    async with signed_in(address, tmp_path, name_here) as session:
        seat = 1 if position is not None and position.split()[1] == "b" and name == "mitsudomoe" else 0
        table = await session.client.play_computer(terms, "1", seat, position)
        view = await session.view(table)
        async with opened(session, tmp_path, view=view, unicode=unicode, size=size) as shown:
            await shown.my_turn()
            for number, pick in enumerate(picks, 1):
                await shown.press("colon", *pick, "enter")
                await shown.until(lambda n=number: view.turn is not None and len(view.turn.picks) == n)  # type: ignore[misc]
            text = await shown.shows(name_here, "q leave")
            text = text.replace(name_here, "Ann00").replace(shown.app.server_label("connected"), "connected") + "\n"

    path = EXPECTED / f"{name}-{size[0]}-{'unicode' if unicode else 'ascii'}.txt"
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    assert unicode or text.isascii()
    lines = text.splitlines()
    assert all(len(line) <= size[0] for line in lines)
    assert len(lines) == size[1]
    assert lines[-1].endswith("? keys  q leave")
