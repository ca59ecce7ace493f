"""The file of a measurement."""

import json
import subprocess

from lib.agents import sha256
from lib.jdks import runtime_version
from lib.workplace import ROOT, BenchError

FORM = 1


def commit():
    """The commit of the work tree, with a plus sign where files differ from it."""
    def git(*words):
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True,
                              check=False)
        return done.stdout.strip() if done.returncode == 0 else None
    head = git("rev-parse", "HEAD")
    return head and head + ("+" if git("status", "--porcelain") else "")


def new_result(machine, jdks, programs, agents, columns):
    """What all runs have in common. agents: {name: library}"""
    return {"form": FORM, "commit": commit(), "machine": machine,
            "agents": {name: sha256(library) for name, library in agents.items()},
            "jdks": [{"version": jdk.version, "runtime": runtime_version(jdk.home)}
                     for jdk in jdks],
            "programs": {program.name: program.version for program in programs},
            "columns": columns}


def write(path, result):
    """The result as JSON."""
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def read(path):
    """A result that write() has written."""
    result = json.loads(path.read_text(encoding="utf-8"))
    if result.get("form") != FORM or "runs" not in result:
        raise BenchError(f"{path} is not a result of bench/suite.py")
    return result
