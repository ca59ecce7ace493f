"""Where the benchmarks work, and how their scripts fail and end."""

import contextlib
import fcntl
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
ROOT = BENCH.parent
WORK = ROOT / "build" / "bench"


class BenchError(Exception):
    """The benchmark can't be run, or what it ran has failed."""


FAILURES = (BenchError, OSError, subprocess.SubprocessError)


@contextlib.contextmanager
def alone():
    """No other benchmark is at work in the directory meanwhile."""
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / "lock", "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BenchError(f"another benchmark is at work in {WORK}") from None
        yield


def run_as_script(script):
    """Exits as script, a function that returns whether all went well, ends."""
    try:
        sys.exit(0 if script() else 1)
    except FAILURES as failure:
        sys.exit(f"bench: {failure}")
