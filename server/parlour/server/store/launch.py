"""Starts a program that ends when its parent does. Run as a script: launch.py PARENT PROGRAM ARGUMENT…

A separate script, because to ask for this between fork and exec of the node itself is not safe beside its threads.
Only Linux knows how; elsewhere the program is started without, and the next start ends what is left of it.
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
        if os.getppid() != parent:  # it was faster
            return
    os.execv(program, sys.argv[2:])  # noqa: S606


if __name__ == "__main__":
    main()
