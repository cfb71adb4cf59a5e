"""Run a program that ends with its parent process. Usage: launch.py PARENT_PID PROGRAM ARGUMENT…

This is a separate script because calling prctl between fork and exec in the node is unsafe with its threads. Only Linux
supports it; elsewhere the program may outlive its parent, and the next start of the node shuts it down.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, program = int(sys.argv[1]), sys.argv[2]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # the parent ended before prctl took effect
            return
    os.umask(0o077)  # the files it creates are for this user only
    os.execv(program, sys.argv[2:])  # noqa: S606


if __name__ == "__main__":
    main()
