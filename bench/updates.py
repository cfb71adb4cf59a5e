"""The size of a move's update on the wire: `python -m bench.updates`, from the root of the repository.

It measures the complete frame for each move of the golden games.
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

# Typical values in the middle of a game: the hundredth event, and five minutes on the clock.
ROOM, EPOCH, SEQ, CLOCK = "kQ7x2R", 1, 100, 300_000


def frame_size(payload: bytes) -> int:
    """Return the size of a server's WebSocket frame, header included."""
    return len(payload) + (2 if len(payload) < 126 else 4)


def sizes(key: str) -> Iterator[int]:
    """Yield the size of the update for each golden move of a game."""
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
    print("| game | moves | smallest | median | p90 | p99 | largest | within 60 bytes |")
    print("|:--|--:|--:|--:|--:|--:|--:|--:|")
    for key in sorted(path.name.partition(".")[0] for path in GOLDEN.glob("*.jsonl.gz")):
        found = sorted(sizes(key))
        percent = quantiles(found, n=100)
        within = sum(size <= TARGET for size in found) / len(found)
        print(
            f"| {key} | {len(found):,} | {found[0]} | {median(found):.0f} | {percent[89]:.0f} | {percent[98]:.0f} "
            f"| {found[-1]} | {within:.0%} |"
        )
    print(f"\nBytes of one `moved` frame, header included. A typical move should take at most {TARGET} bytes.")


if __name__ == "__main__":
    main()
