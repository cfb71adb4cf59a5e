"""`parlour worker`: compute the moves of the built-in bots, separately from the nodes."""

from __future__ import annotations

import argparse
from importlib import import_module

from parlour.cli.commands import add_command
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.server import logging_setup
from parlour.server.configuration.setting_sources import SettingError

DESCRIPTION = """\
Compute the moves of the built-in bots for all nodes that share a Redis, on any number of machines. Nodes do this
themselves unless started with --bot-workers 0. A worker may be killed at any time: another one takes over its jobs.
"""

EPILOG = """\
examples:
  parlour worker --redis redis://localhost:6379
  PARLOUR_REDIS=redis://:password@db:6379 parlour worker --bot-workers 8

  parlour worker --redis redis://localhost:6379 --monitoring 9464
        health at http://127.0.0.1:9464/readyz, metrics at /metrics

Settings come from the same file and environment variables as those of `parlour serve`.
"""

OPTIONS = frozenset({
    "redis", "key_prefix", "archive", "data", "bot_workers", "bot_pace", "bot_pace_alone", "node_name", "log_format",
    "log_level", "monitoring",
})  # fmt: skip


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "worker",
        usage="parlour worker --redis URL [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    add_setting_options(parser, OPTIONS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments).settings
    if settings.redis is None:
        raise SettingError("A worker needs the Redis of the nodes: give --redis or PARLOUR_REDIS.")
    if settings.bot_workers == 0:
        raise SettingError("With --bot-workers 0 a worker has nothing to do.")
    logging_setup.configure(settings.log_format, settings.log_level, settings.node_name)
    code: int = import_module("parlour.server.app").run_worker(settings)
    return code
