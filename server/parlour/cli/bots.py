"""`parlour bots`: lends processors to the computer, beside the nodes of a parlour."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

from parlour.server import config, log

DESCRIPTION = """\
Does the computer's thinking for all nodes on one Redis, on any number of machines. A node thinks by itself too unless
it is started with --bot-workers 0. A worker may be killed at any moment: another one takes over what it was at.
"""

EPILOG = """\
examples:
  parlour bots --redis redis://localhost:6379
  PARLOUR_REDIS=redis://:password@db:6379 parlour bots --bot-workers 8

Settings come from the same file and environment as those of parlour serve.
"""

OPTIONS = ("redis", "bot_workers", "bot_pace", "bot_pace_alone", "node_name", "log_format", "log_level")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bots",
        help="think for the computer, beside the nodes of a parlour",
        usage="parlour bots --redis URL [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--config", metavar="FILE", help=f"read settings from this TOML file (default: {config.FILE})")
    for name in OPTIONS:
        setting = config.SETTINGS[name]
        text = f"{setting.help} ({setting.variable})".replace("%", "%%")
        parser.add_argument(setting.option, dest=name, metavar=setting.kind.metavar, help=text)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        settings = config.load(vars(arguments), os.environ, Path.cwd()).settings
    except config.BadSetting as bad:
        print(f"parlour: {bad}", file=sys.stderr)
        return 2
    if settings.redis is None:
        print("parlour: say which Redis the nodes use, with --redis or PARLOUR_REDIS.", file=sys.stderr)
        return 2
    if settings.bot_workers == 0:
        print("parlour: with --bot-workers 0 there is nothing to do here.", file=sys.stderr)
        return 2
    log.setup(settings.log_format, settings.log_level, settings.node_name)
    code: int = import_module("parlour.server.app").run_bots(settings)
    return code
