"""A wrong build: commands are applied, published and acknowledged before the store has confirmed them."""

from __future__ import annotations

import sys

from parlour.cli import main
from parlour.server.rooms.effects import Append, Effect
from parlour.server.rooms.work_queue import WorkQueue
from parlour.server.store.room_log import Appended

perform = WorkQueue._perform


def assume_success(queue: WorkQueue, effect: Effect) -> None:
    if type(effect) is not Append:
        perform(queue, effect)
        return
    log = queue._services.room_log
    log.append(queue._room, effect.first_seq, effect.entries, lambda _: None, deadline=effect.wake_at)
    queue._resume(Appended.OK)


if __name__ == "__main__":
    WorkQueue._perform = assume_success  # type: ignore[assignment, method-assign]
    sys.exit(main())
