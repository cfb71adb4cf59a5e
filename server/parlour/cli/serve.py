"""`parlour serve`: run a node, which serves browsers, terminals and bots on one port."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from parlour.cli.commands import add_command
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.server import logging_setup, tracing
from parlour.server.configuration.setting_sources import SettingError, to_toml

DESCRIPTION = """\
Start a server and print the address to open. Nothing else needs to be installed or running: without --redis the server
starts an embedded store and keeps every game in the data folder, so games continue after a restart or a crash.
"""

EPILOG = """\
Every option can also be set by the environment variable named at the end of its help, and by a key in a TOML file, for
example max_connections = 500. The command line takes precedence over the environment, the environment over the file.
The file is the one named by --config or PARLOUR_CONFIG, else parlour.toml in the current folder, if it exists.
Separate the items of a list with commas, or repeat the option. Sizes may be written 64k or 1M, times 500ms, 30s or 2m.

examples:
  parlour serve
        on a laptop: play at http://127.0.0.1:8765; other machines cannot connect

  parlour serve --host 0.0.0.0
        for everyone on the local network: they open this computer's address, port 8765

  parlour serve --host 0.0.0.0 --workers auto
        the same with one process per processor core, for many players

  parlour serve --port 8001 --redis redis://localhost:6379 --nodes ws://10.0.0.5:8001/ws,ws://10.0.0.5:8002/ws
  parlour serve --port 8002 --redis redis://localhost:6379 --nodes ws://10.0.0.5:8001/ws,ws://10.0.0.5:8002/ws
        a cluster of two nodes: players may connect to either one, and fail over to the other

  PARLOUR_REDIS=redis://:password@db:6379 parlour serve --public-url https://play.example.org --trusted-proxies 10.0.0.2
        behind a TLS proxy: limits apply to the addresses of the players, not to that of the proxy

  parlour serve --check
        print every setting, its value and its source, in the format of the TOML file
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "serve",
        usage="parlour serve [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--check", action="store_true", help="print the settings and their sources, and exit")
    add_setting_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    loaded = load_settings(arguments)
    if arguments.check:
        for line in to_toml(loaded):
            print(line)
        return 0
    settings = loaded.settings
    is_shared = settings.workers > 1
    logging_setup.configure(settings.log_format, settings.log_level, settings.node_name, is_shared=is_shared)
    if settings.workers > 1 and sys.platform != "linux":
        raise SettingError("Only Linux can spread connections over several workers: use --workers 1.")
    tracing.exporter()  # refuses a wrong environment here, and not in each worker
    # Imported late: it takes longer than all of --help and --check.
    main = "parlour.server.workers.supervisor" if settings.workers > 1 else "parlour.server.app"
    code: int = import_module(main).run(settings)
    return code
