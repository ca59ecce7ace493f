"""The programs that exports of profiles are for, as make readers has fetched them.

Environment
    HPROF_READERS   their directory (default build/readers)
"""

import os
from pathlib import Path

import pytest

from support.builds import ROOT

READERS = Path(os.environ.get("HPROF_READERS", ROOT / "build" / "readers"))


def fetched(name):
    """A file of theirs; without it the test is skipped."""
    path = READERS / name
    if not path.is_file():
        pytest.skip(f"{path} is not here: make readers fetches it")
    return path
