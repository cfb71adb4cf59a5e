"""A bot that plays one rated game: python bot.py ACCOUNT BOT. The first time, it makes the account and its bot."""

import asyncio
import os
import sys
from pathlib import Path

from parlour.client import Bot, connect

SERVER = os.environ.get("PARLOUR_SERVER", "http://127.0.0.1:8765")
ACCOUNT, BOT = sys.argv[1:]


class RandomBot(Bot):
    def choose(self, position):
        return position.random_turn()


async def make_token():
    async with connect(SERVER) as client:
        await client.register(ACCOUNT, os.environ["PARLOUR_PASSWORD"])
        return (await client.create_bot(BOT)).token


file = Path(f"{BOT}.token")
if not file.exists():
    file.touch(mode=0o600)
    file.write_text(asyncio.run(make_token()))
RandomBot().run(SERVER, file.read_text(), games=["mapello"], max_games=1)
