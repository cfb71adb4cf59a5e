"""The schema's revision is the newest migration."""

from __future__ import annotations

from alembic.config import Config
from alembic.script import ScriptDirectory

from parlour.server.archive.database.migrate import FOLDER
from parlour.server.archive.database.schema import REVISION


def test_the_newest_revision() -> None:
    """There is one line of revisions, which ends with the one that nodes expect."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]
