"""The agent's library that runs: a copy, so that a build meanwhile changes nothing."""

import hashlib
import os
import shutil
from pathlib import Path

from lib.workplace import ROOT, WORK, BenchError

NO_AGENT = "none"


def agent_original():
    """The agent's library as it was built."""
    path = Path(os.environ.get("HPROF_AGENT", ROOT / "build" / "libhprof.so")).resolve()
    if not path.is_file():
        raise BenchError(f"no agent at {path}: run make, or set HPROF_AGENT")
    return path


def agent():
    """The copy of it that runs."""
    return WORK / "libhprof.so"


def sha256(path):
    """Digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copy_agent():
    """Makes the copy of the agent that runs, and prints which it is."""
    shutil.copy(agent_original(), agent())
    show_agent(agent())


def show_agent(library):
    """Prints which agent runs."""
    print(f"agent: {agent_original()}, SHA-256 {sha256(library)[:16]}", flush=True)
