"""What a move does, read off the texts of the positions before and after it.

A second implementation of the facts of the four games, which shares nothing with the one in their folders.
"""

from __future__ import annotations

from collections.abc import Callable

from parlour.games.api import Fact

VALUES = {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


# -- cells


def at(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def name(cell: tuple[int, int]) -> str:
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def between(start: str, end: str) -> list[str]:
    """The cells strictly between two cells of one line."""
    (x, y), (to_x, to_y) = at(start), at(end)
    step_x, step_y = sign(to_x - x), sign(to_y - y)
    found = []
    while (x + step_x, y + step_y) != (to_x, to_y):
        x, y = x + step_x, y + step_y
        found.append(name((x, y)))
    return found


def grid(game: str, position: str) -> dict[str, str]:
    """What stands on each cell of the three games whose positions are rows."""
    rows = position.split(" ", maxsplit=1)[0].split("/")
    cells = {}
    for down, row in enumerate(rows):
        for column, stands in enumerate(row.split(",") if game == "mitsudomoe" else row):
            cells[name((column, len(rows) - 1 - down))] = stands
    return cells


# -- what a move does, by game


def isaac_bars(position: str) -> dict[str, str]:
    field = position.split(" ", maxsplit=1)[0]
    return {} if field == "." else {text[1:]: text[0] for text in field.split(",")}


def bar_cells(bar: str) -> list[str]:
    low, high = bar.split("-")
    return [low, *between(low, high), high]


def counter(seat: int, score: int) -> str | None:
    if score > 99:
        return None
    index = score if seat else 99 - score
    return name((index % 10, index // 10))


def isaac(before: str, move: str, after: str) -> dict[str, Fact]:
    bars, fields = isaac_bars(before), before.split(" ")
    seat = "dl".index(fields[1])
    then = after.split(" ")
    begins = fields[2] == "p" and then[2] == "s"
    if not move.startswith("x"):
        return {"laid": len(bar_cells(move)), "lifted": 0, "starts_lifting": begins}
    bar, walked = move[1:].split("+")
    cells = bar_cells(bar)
    upright = cells[0][0] == cells[1][0]
    line = {name((at(cells[0])[0], n)) if upright else name((n, at(cells[0])[1])) for n in range(10)}
    scores = [int(n) for n in fields[4].split(",")]
    stand = [counter(0, scores[0]), counter(1, scores[1])]
    counted = [other for other in bars if other != bar and line & set(bar_cells(other))]
    counters = sum(cell in line for cell in stand)
    points = VALUES[len(cells)] * len(counted) * 2**counters
    now = counter(seat, scores[seat] + int(walked))
    left = isaac_bars(after)
    longest = [int(n) for n in then[5].split(",")]
    enemy = "LD"[seat]
    pinned = [
        other
        for other, who in left.items()
        if who == enemy and now in bar_cells(other) and len(bar_cells(other)) >= longest[1 - seat]
    ]
    usable = [other for other, who in left.items() if who == "DL"[seat] and len(bar_cells(other)) >= longest[seat]]
    return {
        "laid": 0,
        "lifted": len(cells),
        "bar": bar,
        "value": VALUES[len(cells)],
        "counted": len(counted),
        "counters": counters,
        "points": points,
        "walked": int(walked),
        "on": now or "off the board",
        "score_now": scores[seat] + int(walked),
        "pins": len(pinned),
        "usable": len(usable),
        "starts_lifting": False,
    }


def mapello(before: str, move: str, after: str) -> dict[str, Fact]:
    cells, mover = grid("mapello", before), "XO"["bw".index(before.split(" ")[1])]
    enemy = "XO"[mover == "X"]
    turned = by_joker = lines = 0
    flips: list[str] = []
    for step_x, step_y in AROUND:
        (x, y), run = at(move), 0
        while cells.get(name((x + step_x, y + step_y))) == enemy:
            x, y, run = x + step_x, y + step_y, run + 1
        end = cells.get(name((x + step_x, y + step_y)))
        if run and end in (mover, "J"):
            turned, lines = turned + run, lines + 1
            by_joker += run if end == "J" else 0
            flips += [name((at(move)[0] + n * step_x, at(move)[1] + n * step_y)) for n in range(1, run + 1)]
    there = grid("mapello", after)
    flipped = sum(cells[cell] == enemy and there[cell] == mover for cell in cells)
    if flipped != turned:
        raise ValueError(f"{move}: {turned} discs counted, but the position says {flipped}")
    return {
        "turned": turned,
        "lines": lines,
        "by_joker": by_joker,
        "flips": ", ".join(sorted(flips)),
        "bonus": 3 * (cells[move] == "*"),
    }


def mitsudomoe(before: str, move: str, after: str) -> dict[str, Fact]:
    cells, seat = grid("mitsudomoe", before), "wb".index(before.split(" ")[1])
    ring, ball, *sent = move.split(" ")
    start, landing = ball.split("-")
    (x, y), (to_x, to_y) = at(start), at(landing)
    vaulted = between(start, landing) if max(abs(to_x - x), abs(to_y - y)) > 1 else []
    mine, theirs = "WB"[seat], "BW"[seat]
    over_enemy = [cell for cell in vaulted if cells[cell][-1] == theirs]
    goals = ({"e5", "d5", "e4"}, {"a1", "b1", "a2"})
    forward = (1, -1)[seat]

    def height(position: dict[str, str], letter: str) -> int:
        return sum(sum(at(cell)) for cell, stack in position.items() if stack[-1] == letter)

    there = grid("mitsudomoe", after)
    home = goals[1 - seat]
    return {
        "ring": "supply" if ring.startswith("+") else "moved",
        "ring_to": ring[1:] if ring.startswith("+") else ring.split("-")[1],
        "covers": cells[ring[1:] if ring.startswith("+") else ring.split("-")[1]] != ".",
        "ball": "vault" if vaulted else "step",
        "over_own": len(vaulted) - len(over_enemy),
        "over_enemy": len(over_enemy),
        "sent": ", ".join(sent[0][1:].split(",")) if sent else "",
        "arrives": landing in goals[seat],
        "arrived": sum(there[cell][-1] == mine for cell in goals[seat]),
        "progress": forward * (height(there, mine) - height(cells, mine)),
        "pushed": forward * (height(there, theirs) - height(cells, theirs)),
        "full_home": all(there[cell][-1] in "WB" for cell in home),
    }


def replica(before: str, move: str, after: str) -> dict[str, Fact]:
    cells, mover = grid("replica", before), before.split(" ")[1]
    if move.endswith("=K"):
        return {"kind": "crown", "over": 0, "captures": 0, "takes": "", "piece": "man"}
    start, end = move.split("-")
    taken = cells[end]
    over = between(start, end)
    if any(cells[cell].lower() != mover for cell in over):
        raise ValueError(f"{move} jumps over something that is not a friend")
    return {
        "kind": "jump" if over else "step",
        "over": len(over),
        "captures": int(taken != "."),
        "takes": {".": ""}.get(taken, "king" if taken.isupper() else "man"),
        "piece": "king" if cells[start].isupper() else "man",
    }


FACTS: dict[str, Callable[[str, str, str], dict[str, Fact]]] = {
    "isaac": isaac,
    "mapello": mapello,
    "mitsudomoe": mitsudomoe,
    "replica": replica,
}
