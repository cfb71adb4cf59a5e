"""Files that only their owner can read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from parlour.protocol.errors import ErrorCode, Refusal


@contextmanager
def private_file(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that only its owner can read. If the caller fails, its content stays as it was."""
    existed = path.exists()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        os.fchmod(handle, 0o600)
    except OSError as error:
        raise Refusal(ErrorCode.OPTION_INVALID, f"{path} cannot be written: {error.strerror}.") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        try:
            yield file
        except BaseException:
            if not existed:
                path.unlink(missing_ok=True)
            raise
