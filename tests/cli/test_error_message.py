"""What went wrong, on standard error."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from parlour.cli.error_message import print_error

SENTENCE = "Nothing listens at 127.0.0.1:9. Check the address and that the server is running."


def test_a_pipe_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs that read it need not join lines."""
    print_error(SENTENCE)
    assert capsys.readouterr().err == f"parlour: {SENTENCE}\n"


def test_a_terminal_gets_whole_words() -> None:
    """The sentence is wrapped to the width of the window."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    program = f"from parlour.cli.error_message import print_error; print_error({SENTENCE!r})"
    subprocess.run([sys.executable, "-c", program], stderr=follower, check=True)
    os.close(follower)
    lines = os.read(leader, 4096).decode().splitlines()
    os.close(leader)
    assert " ".join(lines) == f"parlour: {SENTENCE}"
    assert max(map(len, lines)) <= 40
