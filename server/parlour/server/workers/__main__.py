"""A worker process: `python -m parlour.server.workers FD [STORE_URL]`, with its settings in the environment.

The supervisor starts it. FD is its end of their channel, STORE_URL the address of the supervisor's embedded store.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from parlour import games
from parlour.server import app, logging_setup
from parlour.server.configuration.setting_sources import load
from parlour.server.workers.link import WorkerLink


def main(fd: str, store_url: str | None = None) -> int:
    """Serve until told to stop, or until the supervisor ends; return the exit code."""
    for folder in os.environ.get("PARLOUR_GAMES", "").split(os.pathsep):
        if folder:
            games.add_folder(Path(folder))
    settings = load({}, os.environ, Path.cwd()).settings
    logging_setup.configure(settings.log_format, settings.log_level, settings.node_name, is_shared=True)
    os.set_inheritable(int(fd), False)  # or its own children would keep the channel open
    return app.run(settings, lambda: WorkerLink(socket.socket(fileno=int(fd)), store_url))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
