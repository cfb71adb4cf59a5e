"""Options for the settings of a node, in `parlour serve` and `parlour worker`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Container
from pathlib import Path

from parlour.server.configuration.setting_sources import FILE, Loaded, load
from parlour.server.configuration.settings import SECTIONS, SETTINGS, Settings


def add_setting_options(parser: argparse.ArgumentParser, names: Container[str] = SETTINGS) -> None:
    """Add `--config` and an option for each of the settings, in their sections."""
    parser.add_argument(
        "--config", metavar="FILE", help=f"read settings from this TOML file (default: {FILE}, if it exists)"
    )
    defaults = Settings()
    group = parser.add_argument_group()
    for name, setting in SETTINGS.items():
        if name in SECTIONS:
            group = parser.add_argument_group(SECTIONS[name])
        if name in names:
            default = setting.default or setting.type.format(getattr(defaults, name))
            group.add_argument(
                setting.option,
                dest=name,
                metavar=setting.type.metavar,
                action="append" if setting.type.is_list else "store",
                help=f"{setting.help} (default: {default}; {setting.variable})".replace("%", "%%"),
            )


def load_settings(arguments: argparse.Namespace) -> Loaded:
    """Return the settings from the command line, the environment and the file, or raise SettingError."""
    return load(vars(arguments), os.environ, Path.cwd())
