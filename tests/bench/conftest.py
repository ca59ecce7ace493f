"""Tests of the modules that the scripts of bench/ share; no program runs in them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
