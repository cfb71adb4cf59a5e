"""How large the update of a move is on the wire, with everything in it, over the moves of the golden games.

Run as `python -m bench.updates` from the root of the repository.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from parlour import games
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Moved
from parlour.protocol.scene import diff, scene_hash

GOLDEN = Path(__file__).parent.parent / "tests" / "games" / "golden"
TARGET = 60

# A game in full swing: a room's name, the hundredth event, and five minutes on the clock.
ROOM, EPOCH, SEQ, CLOCK = "kQ7x2R", 1, 100, 300_000


def frame_size(payload: bytes) -> int:
    """With the header that a WebSocket server puts before it."""
    return len(payload) + (2 if len(payload) < 126 else 4)


def sizes(key: str) -> Iterator[int]:
    """The sizes of the updates of one game's golden moves."""
    game = games.find(key)
    with gzip.open(GOLDEN / f"{key}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in map(json.loads, file):
            if "played" not in line:
                continue
            before = game.parse(line["position"], game.options(line.get("options", {})))
            move = game.read(before, line["played"])
            after = game.apply(before, move)
            old, new = game.scene(before), game.scene_after(before, move, after)
            update = Moved(ROOM, EPOCH, SEQ, scene_hash(new), line["played"], CLOCK, diff(old, new))
            yield frame_size(MSGPACK.encode(update))


def main() -> None:
    print("| game | moves | smallest | median | 90 % | 99 % | largest | within 60 bytes |")
    print("|:--|--:|--:|--:|--:|--:|--:|--:|")
    for key in sorted(path.name.partition(".")[0] for path in GOLDEN.glob("*.jsonl.gz")):
        found = sorted(sizes(key))
        percent = quantiles(found, n=100)
        within = sum(size <= TARGET for size in found) / len(found)
        print(
            f"| {key} | {len(found):,} | {found[0]} | {median(found):.0f} | {percent[89]:.0f} | {percent[98]:.0f} "
            f"| {found[-1]} | {within:.0%} |"
        )
    print(f"\nBytes of one `moved` frame, header included. A typical move should take at most {TARGET}.")


if __name__ == "__main__":
    main()
