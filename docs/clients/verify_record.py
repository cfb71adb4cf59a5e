"""Check the hash chain of a Parlour record: `verify_record.py FILE`, or `-` for standard input. Needs no package."""

import json
import sys
from hashlib import blake2b
from pathlib import Path


def covered(player, salt, erased):
    if not salt:
        name = erased or player["name"]
    else:
        name = blake2b(player["name"].encode(), digest_size=16, key=salt.encode(), person=b"parlour name").hexdigest()
    return [name, player.get("rating"), *(player.get(flag, False) for flag in ("provisional", "bot", "guest"))]


def items(record):
    terms, result = record["terms"], record["result"]
    clock = {"kind": "none", "main": 0, "step": 0, "count": 0} | terms.get("clock", {})
    terms = [terms["game"], terms.get("options", {}), list(clock.values())[:4], terms.get("rated", False)]
    names = zip(record["players"], record.get("salts") or ["", ""], record.get("erased") or ["", ""], strict=True)
    players = [covered(*name) for name in names]
    yield [record["room"], terms, players, record["rules_version"], record["started"], record.get("position")]
    yield from (list(move[:2]) + [0] * (2 - len(move)) for move in record["moves"])
    unrated = [result["unrated"]] if result.get("unrated") else []
    yield [[result["winner"], result["reason"], result.get("scores", []), *unrated], record["ended"]]


record = json.loads(sys.stdin.read() if sys.argv[1] == "-" else Path(sys.argv[1]).read_text("utf-8"))
links = [b""]
for player, erased in zip(record["players"], record.get("erased") or ["", ""], strict=True):
    if erased and player["name"] != "Deleted player":
        sys.exit(f"Changed: the name of {player['name']} was erased.")
for item in items(record):
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    links.append(blake2b(links[-1] + text.encode(), digest_size=16, person=b"parlour record").digest())
expected = [link.hex()[:4] for link in links[2:-1]] + [links[-1].hex()]
found = record["chain"].split(".")
if len(found) != len(expected):
    sys.exit(f"Changed: the chain has {len(found)} links, but {len(expected)} are needed.")
for number, (wrong, right) in enumerate(zip(found, expected, strict=True), 1):
    if wrong != right:
        sys.exit(f"Changed: at link {number} of {len(expected)}, {wrong} should be {right}.")
print(f"The chain is valid: {len(expected) - 1} moves, last link {expected[-1]}.")
