"""Add the protocol, which is in a folder of its own in the repository, to the distribution parlour-client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface[Any]):
    """The hook that hatchling calls for sdists, wheels and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        protocol = Path(self.root).parent / "protocol" / "parlour" / "protocol"
        # An sdist has it inside, and an editable install finds it by its path.
        if protocol.is_dir() and version != "editable":
            build_data["force_include"][str(protocol)] = "parlour/protocol"
