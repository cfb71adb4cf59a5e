"""Each game on a screen of 80 x 24, compared with the text that it should be.

To regenerate the expected texts after an intended change, delete them, run this file, and review what it wrote.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.protocol.types import Terms
from tests.client.terminal.screens import opened, signed_in

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


@pytest.mark.parametrize("unicode", [True, False], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", SCREENS)
async def test_the_screen_of_a_game(name: str, unicode: bool, address: str, tmp_path: Path) -> None:
    """The board, the players, the turn in the making and the keys are where they should be."""
    position, picks, options = SCREENS[name]
    terms = Terms(name.partition("-")[0], dict(options))
    # Names are taken once, and all of the same length.
    name_here = f"Ann{2 * list(SCREENS).index(name) + unicode:02}"
    async with signed_in(address, tmp_path, name_here) as session:
        seat = 1 if position is not None and position.split()[1] == "b" and name == "mitsudomoe" else 0
        table = await session.client.play_computer(terms, "1", seat, position)
        view = await session.view(table)
        async with opened(session, tmp_path, view=view, unicode=unicode) as shown:
            await shown.my_turn()
            for number, pick in enumerate(picks, 1):
                await shown.press("colon", *pick, "enter")
                await shown.until(lambda n=number: view.turn is not None and len(view.turn.picks) == n)  # type: ignore[misc]
            text = (await shown.shows(name_here)).replace(name_here, "Ann00") + "\n"

    path = EXPECTED / f"{name}-{'unicode' if unicode else 'ascii'}.txt"
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    assert unicode or text.isascii()
    assert all(len(line) <= 80 for line in text.splitlines())
    assert len(text.splitlines()) == 24
