"""Types of command-line arguments that are checked like settings, with the same error messages."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from parlour.server.configuration.setting_types import SettingType


def checked(kind: SettingType) -> Callable[[str], Any]:
    """Return the `type` for `add_argument` that accepts what the setting type allows."""

    def parse(text: str) -> Any:
        try:
            return kind.parse(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"it must be {kind.allowed}") from None

    return parse
