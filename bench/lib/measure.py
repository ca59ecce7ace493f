"""Runs of the suite's programs in turns, each with a check of what the program put out."""

import shutil

from lib.contestants import runs_on
from lib.machine import load
from lib.order import turns
from lib.runs import JavaRun
from lib.workplace import FAILURES, WORK, BenchError

DIRECTORY = WORK / "suite"


class ProgramRun(JavaRun):
    """A run of a program on a JDK with some of the JVM's options."""

    def __init__(self, program, jdk, size, words):
        self.program = program
        self.jdk = jdk
        self.size = size
        self.directory = DIRECTORY / "run"
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        super().__init__([str(jdk.home / "bin" / "java"), *words, *program.arguments(size)],
                         self.directory, self.directory / "log.txt",
                         self.directory / "stdout.txt")
        self.digest = program.digest(self.directory)
        self.scores = program.scores(self.directory, self.wall)

    def meanwhile(self, process):
        self.program.drive(process, self.jdk, self.directory, self.size)

    def keep(self, name):
        """Moves the files to where no other run deletes them."""
        kept = DIRECTORY / name
        shutil.rmtree(kept, ignore_errors=True)
        self.directory.rename(kept)
        return kept

    def record(self):
        """The figures of the run."""
        return {**{name: round(value, 4) for name, value in self.scores.items()},
                "wall": round(self.wall, 4), "user": round(self.user, 4),
                "system": round(self.system, 4), "cpu": round(self.cpu, 4),
                "rss_mb": round(self.rss_kb / 1024, 1)}


def prepare(programs, jdks):
    """The programs that can run, and the reason for each of the others."""
    ready, missing = [], {}
    for program in programs:
        try:
            program.prepare(jdks)
            ready.append(program)
        except BenchError as reason:
            missing[program.name] = str(reason)
            print(f"{program.name}: not available: {reason}", flush=True)
    return ready, missing


class Measurement:
    """All runs, and what failed."""

    def __init__(self, size):
        self.size = size
        self.runs = []
        self.failures = []
        self.references = {}

    def fail(self, program, jdk, label, reason):
        """Takes note of a failure; the other runs go on."""
        print(f"{program.name} JDK {jdk.version} {label}: FAIL: {reason}", flush=True)
        self.failures.append({"program": program.name, "jdk": jdk.version, "column": label,
                              "reason": str(reason)})

    def add_references(self, programs, jdks):
        """A run of each program without an agent, which does not count: it fills the page cache
        and has the output that the others must have. Returns the programs that ran on all."""
        for program in programs:
            for jdk in jdks:
                try:
                    run = ProgramRun(program, jdk, self.size, [])
                    self.references[program, jdk] = run.digest
                    print(f" - {program.name:<8} {jdk.version:>3} {'first run':<30} "
                          f"{run.scores['seconds']:7.2f} s", flush=True)
                except FAILURES as reason:
                    self.fail(program, jdk, "none", reason)
        return [program for program in programs
                if all((program, jdk) in self.references for jdk in jdks)]

    def measure(self, programs, jdks, columns, rounds, save):
        """All turns; calls save after each, so that a measurement of hours can be stopped."""
        for number, turn in enumerate(turns(rounds, columns, programs, jdks, runs_on)):
            for contestant in turn.columns:
                self._run(number, turn, contestant)
            save()

    def _run(self, number, turn, contestant):
        label = contestant.label if contestant else "none"
        before = load()
        try:
            run = ProgramRun(turn.program, turn.jdk, self.size,
                             contestant.words if contestant else [])
            if run.digest != self.references[turn.program, turn.jdk]:
                kept = run.keep(f"differs-{turn.program.name}-{turn.jdk.version}")
                raise BenchError("the output differs from that of the first run without an agent; "
                                 f"it is in {kept}")
        except FAILURES as reason:
            self.fail(turn.program, turn.jdk, label, reason)
            return
        self.runs.append({"turn": number, "round": turn.round, "program": turn.program.name,
                          "jdk": turn.jdk.version, "column": contestant and label, "load": before,
                          **run.record()})
        print(f"{turn.round + 1:>2} {turn.program.name:<8} {turn.jdk.version:>3} {label:<30} "
              f"{run.scores['seconds']:7.2f} s, user {run.user:7.2f}, system {run.system:5.2f}, "
              f"{run.rss_kb / 1024:6.0f} MB", flush=True)
