"""`parlour serve`: a node, which holds games and serves people, programs and browsers on one port."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from itertools import groupby
from pathlib import Path

from parlour.server import config, log

DESCRIPTION = """\
Starts a server and prints the address to open. Nothing else has to be installed or running: without --redis it starts
a store of its own and keeps every game in the data folder, so that after a stop, or a crash, everything goes on.
"""

EPILOG = """\
Every option is also a variable in the environment, named at its end, and a key of a TOML file: max_connections = 500.
The command line wins over the environment, the environment over the file, the file over the default. The file is the
one given with --config or PARLOUR_CONFIG, else parlour.toml in the current folder, if there is one.
Lists are separated by commas, or the option is given again. Sizes may be written 64k or 1M, times 500ms, 30s or 2m.

examples:
  parlour serve
        on a laptop: play at http://127.0.0.1:8765, nobody else can connect

  parlour serve --host 0.0.0.0
        for everybody in the same network: others open this computer's address, port 8765

  parlour serve --port 8001 --redis redis://localhost:6379 --nodes ws://10.0.0.5:8001/ws,ws://10.0.0.5:8002/ws
  parlour serve --port 8002 --redis redis://localhost:6379 --nodes ws://10.0.0.5:8001/ws,ws://10.0.0.5:8002/ws
        two nodes, one parlour: any player may sit at any node, and goes on at the other one if a node dies

  PARLOUR_REDIS=redis://:password@db:6379 parlour serve --public-url https://play.example.org --trusted-proxies 10.0.0.2
        behind a proxy that speaks TLS: limits count the visitors' own addresses, not the proxy's

  parlour serve --check
        every setting, its value and where that comes from, written as in a TOML file
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "serve",
        help="start a server",
        usage="parlour serve [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--config", metavar="FILE", help=f"read settings from this TOML file (default: {config.FILE}, if it exists)"
    )
    parser.add_argument("--check", action="store_true", help="print the settings and where they come from, and exit")
    defaults = config.Settings()
    for topic, settings in groupby(config.SETTINGS.values(), key=lambda setting: setting.topic):
        group = parser.add_argument_group(topic)
        for setting in settings:
            default = setting.default or setting.kind.write(getattr(defaults, setting.name))
            group.add_argument(
                setting.option,
                dest=setting.name,
                metavar=setting.kind.metavar,
                action="append" if setting.kind.many else "store",
                # argparse takes % for a place to put something.
                help=argparse.SUPPRESS
                if setting.hidden
                else f"{setting.help} (default: {default}; {setting.variable})".replace("%", "%%"),
            )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        loaded = config.load(vars(arguments), os.environ, Path.cwd())
    except config.BadSetting as bad:
        print(f"parlour: {bad}", file=sys.stderr)
        return 2
    if arguments.check:
        for line in config.written(loaded):
            print(line)
        return 0
    settings = loaded.settings
    log.setup(settings.log_format, settings.log_level, settings.node_name)
    # Only now, since it takes longer to import than --help and --check take altogether.
    code: int = import_module("parlour.server.app").run(settings)
    return code
