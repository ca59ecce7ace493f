"""One run of a Java program: its command, its output and the profile that it wrote."""

import re
import shlex

import pytest

from readers import hprof_binary, hprof_text

from .checks import samples_lost


def cut(text, most=6000):
    half = most // 2
    return text if len(text) <= most else text[:half] + "\n[...]\n" + text[-half:]


class Run:
    """One run of a Java program: its command and what it printed and wrote."""

    def __init__(self, jdk, command, directory, output, options, binary):
        self.jdk = jdk
        self.command = command
        self.directory = directory
        self.output = output
        self.options = options
        self.binary = binary
        self.exit_code = None
        self.stdout = ""
        self.stderr = ""
        self.wall_s = None
        self.lost = 0  # samples_lost() of the last profile parsed
        self.notes = []

    @property
    def parser(self):
        return hprof_binary if self.binary else hprof_text

    def option(self, name, default=None):
        """The value of one of the agent's options in this run."""
        found = re.search(rf"(?:^|,){name}=([^,]*)", self.options or "")
        return found[1] if found else default

    @property
    def truth(self):
        """The key=value lines of stdout; a value that is a number is an int."""
        pairs = re.findall(r"^([\w.-]+)=(.*)$", self.stdout, re.M)
        return {key: int(value) if re.fullmatch(r"-?\d+", value) else value
                for key, value in pairs}

    @property
    def agent_lines(self):
        """The agent's own lines on stderr."""
        return [line for line in self.stderr.splitlines() if line.startswith("hprof: ")]

    @property
    def interval_ns(self):
        return int(self.option("interval", "10")) * 1_000_000

    def profile(self, path=None):
        """The output, parsed strictly; an error in the format fails the test."""
        path = path or self.output
        if not path.is_file():
            files = sorted(file.name for file in self.directory.iterdir())
            pytest.fail(self.describe(f"no output at {path.name}; the directory contains {files}"),
                        pytrace=False)
        profile = self.parse(path.read_bytes())
        if not self.binary:
            self.notes = profile.notes + [
                note for section in profile.sections for note in section.notes]
        return profile

    def is_whole(self):
        """Whether the output has a section of samples or times, and ends where a record does."""
        try:
            profile = self.parser.parse(self.output.read_bytes())
        except self.parser.FormatError:
            return False
        return bool(profile.sections)

    def parse(self, data):
        cutoff = float(self.option("cutoff", "0.0001"))
        try:
            if self.binary:
                profile = hprof_binary.parse(data, cutoff=cutoff)
            else:
                profile = hprof_text.parse(data, cutoff=cutoff,
                                           thread_in_traces=self.option("thread", "n") == "y",
                                           native=self.option("native", "n") == "y")
        except self.parser.FormatError as error:
            kept = self.directory / "rejected-output"
            kept.write_bytes(data)
            pytest.fail(self.describe(f"output breaks the format: {error} (kept as {kept})"),
                        pytrace=False)
        self.lost = samples_lost(profile)
        return profile

    def describe(self, reason):
        """A message for a failed test: the reason, then the run."""
        crashes = [f"the JVM left {path.name}" for path in self.directory.glob("hs_err_pid*")]
        return "\n".join([reason, f"$ {cut(shlex.join(self.command), 2000)}",
                          f"in {self.directory}", *crashes,
                          f"exit code {self.exit_code} after {self.wall_s} s",
                          *[f"the output's note: {note}" for note in self.notes],
                          "--- stdout", cut(self.stdout), "--- stderr", cut(self.stderr)])
