"""A program to which agents are attached while it does what the test asks for."""

import re
import subprocess
import time

import pytest

from .attach import attach
from .checks import check

# What attach() returns.
DONE, REFUSED = 0, -1

QUIET = r"WARNING: |hprof: |OpenJDK 64-Bit Server VM warning"


class Target:
    """A program that executes commands from its standard input, and the agents in it."""

    def __init__(self, java, options=None, main="Attached", args=(), **how):
        self.live = java.start(main, options, *args, stdin=subprocess.PIPE, **how)
        self.live.wait_stdout("ready=1")

    def command(self, command):
        """Has the program execute the command. Returns the CPU time that it took."""
        before = len(self.live.lines)
        self.live.send_line(command)
        name = command.split()[0]
        while True:
            done = [m for m in (re.match(rf"did {name}=(\d+)", line)
                                for line in self.live.lines[before:]) if m]
            if done:
                return int(done[0][1])
            if not self.live.alive():
                pytest.fail(self.live.finish().describe(f"died of {command}"), pytrace=False)
            time.sleep(0.002)

    def attach(self, options, wanted=DONE):
        code = attach(self.live, options)
        if code != wanted:
            self.live.kill()
        check(code == wanted, self.live.run, f"attach with {options} returned {code}")

    def number(self, key):
        """The last value that the program printed for the key."""
        return [int(line.split("=")[1]) for line in self.live.lines
                if line.startswith(key + "=")][-1]

    def end(self):
        self.live.send_line("end")
        run = self.live.finish()
        check(run.exit_code == 0, run, f"exit code {run.exit_code}")
        odd = [line for line in run.stdout.splitlines()
               if not re.match(r"[\w.-]+=\d+$|did \w+=\d+$", line)]
        check(not odd, run, f"the program's output differs: it has {odd[:3]}")
        odd = [line for line in run.stderr.splitlines() if not re.match(QUIET, line)]
        check(not odd, run, f"the program's output differs: standard error has {odd[:3]}")
        return run

    def profile(self, options):
        """The file that options name, parsed."""
        run = self.live.run
        run.options = options
        run.binary = "format=b" in options
        return run.profile(run.directory / re.search(r"file=([^,]+)", options)[1])
