"""Wine's server, which all programs for Windows share.

Environment
    WINE           the loader of Wine; beside it is the server
    WINEPREFIX     the directory of Wine that the server is of
    HPROF_COMMAND  starts the hprof command under Wine (tests/ports/windows/launchers.py)
"""

import os
import subprocess
from pathlib import Path

from .builds import COMMAND

LIMIT_S = 120


def _run(*command):
    nothing = subprocess.DEVNULL
    subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, timeout=LIMIT_S, check=False)


def _server(option):
    _run(Path(os.environ["WINE"]).with_name("wineserver"), option)


def start():
    """A server that stays between programs. The first program starts more of Wine, which keeps the
    program's streams open: none of a test."""
    stop()
    _server("-p")
    _run(COMMAND, "--version")


def stop():
    """Ends it, and with it all programs."""
    _server("-k")
