"""`parlour completion`: scripts for shells."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parlour.cli.completion import SHELLS


def script(shell: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "completion", shell], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_known(shell: str) -> None:
    """The script knows the commands and their options."""
    text = script(shell)
    for word in ("play", "completion", "second-name", "token-file"):
        assert word in text


def test_bash_completes_a_command() -> None:
    """Bash offers the commands and the options that begin like what was typed."""
    typed = (
        f"{script('bash')}\n"
        "COMP_WORDS=(parlour pl); COMP_CWORD=1; COMP_TYPE=9; _shtab_parlour; echo ${COMPREPLY[@]}\n"
        "COMP_WORDS=(parlour token --out); COMP_CWORD=2; _shtab_parlour; echo ${COMPREPLY[@]}\n"
    )
    done = subprocess.run(["bash", "--norc"], input=typed, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.split() == ["play", "--output"]
