"""Makes calls of the system fail under the agent, one after the other, and judges what
happens to the program and to its profile.

    driver.py LIBRARY PRELOAD WORK [--sample COUNT] [--seed N] [--jobs N] [--only TEXT]
              [--repeat KEY]

KEY names a point, JDK/MODE/CALL/..., or JDK/MODE/ the run of a mode without a fault.

LIBRARY is the agent, PRELOAD failing_calls.c compiled, WORK a directory for what is kept:
results of the whole walk, which goes on where it stopped when it is started again, and all
files of failed points. Verdicts of a point:

    refused    the JVM ended before main, with exit code 1 and one line
    reported   one line of the agent on stderr, or a NOTE in the profile; else as without it.
               Where all calls from one on fail, a second fault may have a line of its own
    unharmed   the profile is whole
    dead, hung, other output, silent loss    never

The exit code is 1 when there was one of the last; with HPROF_CHECK_FAILURES those are recorded as
tests/check/failures.py says.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("e2e", "check")]

import failures  # noqa: E402
from modes import CALLS, ITEMS, KEPT, MODES, Incomplete, differences  # noqa: E402
from points import GROUPS, REPORT_BYTES, Report, all_points, sample  # noqa: E402
from support import jdks, processes  # noqa: E402
from support.net_peer import Peer  # noqa: E402

PROGRAM = Path(__file__).resolve().parent / "Faulted.java"
TIMEOUT_S = 60
STEPS = 100_000_000  # of Faulted.burn: about 0.1 s
EXIT_CODE = 3
OUTPUT = f"calls={CALLS} items={ITEMS} kept={KEPT}\n"
TRUTH = {"calls": CALLS, "calls with states": CALLS, "allocated": ITEMS, "main": 1,
         "contended": 1, "burnt": True, "slept": True}
LEAST = {"instances": KEPT, "samples": 40}
GOOD = ("refused", "reported", "unharmed")
BAD = ("dead", "hung", "other output", "silent loss", "broken file")


class Outcome:
    """What one run showed."""

    def __init__(self, exit_code, stdout, stderr, data, report):
        self.exit_code = exit_code
        self.stdout = stdout
        self.stderr = stderr
        self.data = data  # the profile, or None
        self.report = report


class Bench:
    """Runs the program under the agent."""

    def __init__(self, library, preload, work, classes):
        self.library = library
        self.preload = preload
        self.work = work
        self.classes = classes

    def _command(self, jdk, mode, peer):
        where = f"net=127.0.0.1:{peer.port}" if peer else f"file={mode.file}"
        agent = f"-agentpath:{self.library}={mode.options},verbose=n,{where}"
        return [jdk.java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
                agent, "-cp", self.classes, "Faulted", STEPS if mode.burns else 1, EXIT_CODE]

    def run(self, jdk, mode, directory, faults=None):
        """One run in that directory; stacks.txt there shows where a hung one stood."""
        report = directory / "report"
        report.write_bytes(b"\0" * REPORT_BYTES)
        peer = Peer() if mode.net else None
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")}
        environment.update({"LD_PRELOAD": str(self.preload), "FAULTS_REPORT": str(report),
                            "FAULTS_LIBRARY": self.library.name,
                            "FAULTS_DENIED": mode.denied, **(faults or {})})
        with open(directory / "out", "wb") as out, open(directory / "err", "wb") as err:
            process = processes.start(self._command(jdk, mode, peer), cwd=directory,
                                      env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                      stderr=err)
            try:
                exit_code = process.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                (directory / "stacks.txt").write_text(
                    processes.stacks(process.pid, jdk.part("bin/jcmd")), encoding="utf-8")
                exit_code = None
            finally:
                processes.end_group(process)
        return Outcome(exit_code, (directory / "out").read_text("utf-8", "backslashreplace"),
                       (directory / "err").read_text("utf-8", "backslashreplace"),
                       self._profile(mode, directory, peer), Report.read(report.read_bytes()))

    @staticmethod
    def _profile(mode, directory, peer):
        if peer:
            if not peer.connection:
                peer.listener.close()
            else:
                peer.thread.join(10)
            return bytes(peer.data)
        path = directory / mode.file
        return path.read_bytes() if path.is_file() else None


# ---- verdicts --------------------------------------------------------------------------

def _foreign(lines):
    """Lines of stderr that are not the agent's. The JVM's own about a failed start are no
    fault of a refusal."""
    return [line for line in lines if not line.startswith("hprof: ")]


def _notes(data):
    """The kinds of NOTEs in the profile: their texts without numbers and details."""
    notes = re.findall(rb"^NOTE: ([^(\n]*)", data or b"", re.M)
    return {re.sub(r"[0-9]+", "N", note.decode("utf-8", "backslashreplace")) for note in notes}


def usual_of(mode, data):
    """What judge() compares with: facts and kinds of NOTEs of a profile without a fault."""
    return mode.read(data), _notes(data)


def judge_usual(mode, outcome):
    """The verdict on a run without a fault, and why: its facts must be TRUTH."""
    verdict, why = judge(mode, outcome, {})
    if verdict != "unharmed":
        return ("silent loss" if verdict in GOOD else verdict), f"without a fault: {why}"
    facts, _ = usual_of(mode, outcome.data)
    wrong = [f"{name} is {facts[name]}, should be {count}"
             for name, count in TRUTH.items() if facts.get(name, count) != count]
    wrong += [f"{name} is {facts[name]}, should be {least} or more"
              for name, least in LEAST.items() if facts.get(name, least) < least]
    return ("silent loss", f"without a fault: {'; '.join(wrong)}") if wrong else ("unharmed", "")


def line_of(row):
    """The line that says what came of a run; failures.py knows its words."""
    return f"{row['key']}: {row['verdict']}: {row['why']}"


def judge(mode, outcome, usual, usual_notes=frozenset(), onward=False):
    """The verdict and why. usual, usual_notes: of the run without a fault, whose NOTEs report
    no loss. onward: more than one call has failed."""
    lines = outcome.stderr.splitlines()
    if outcome.exit_code is None:
        return "hung", f"after {TIMEOUT_S} s"
    if outcome.exit_code == 1 and outcome.stdout == "" and len(lines) == 1 and not _foreign(lines):
        return "refused", lines[0]
    if outcome.exit_code != EXIT_CODE:
        return "dead", f"exit code {outcome.exit_code}: {' | '.join(lines[:3])}"
    if outcome.stdout != OUTPUT or _foreign(lines):
        return "other output", f"{outcome.stdout!r} {_foreign(lines)[:3]}"
    if len(set(lines)) != len(lines) or len(lines) > (2 if onward else 1):
        return "other output", f"{len(lines)} lines of the agent: {' | '.join(lines[:4])}"
    if lines:
        broken = mode.broken(outcome.data or b"")
        return ("broken file", broken) if broken else ("reported", lines[0])
    try:
        lost = differences(mode.read(outcome.data or b""), usual)
    except Incomplete as error:
        lost = [str(error)]
    if not lost:
        return "unharmed", ""
    notes = _notes(outcome.data) - usual_notes
    if notes:
        return "reported", f"a NOTE in the profile: {sorted(notes)[0]}"
    return "silent loss", "; ".join(lost)


# ---- the walk ----------------------------------------------------------------------------

class Walk:
    """Runs points and keeps what came of them."""

    def __init__(self, bench, found, results):
        self.bench = bench
        self.jdks = {repr(jdk): jdk for jdk in found}
        self.modes = {mode.name: mode for mode in MODES}
        self.usual = {}  # facts and kinds of NOTEs without faults, by JDK and mode
        self.results = results  # a file of one JSON object a line, or None
        self.lock = threading.Lock()
        self.rows = {}  # by key of the point
        self.unsound = []  # rows of modes whose run without a fault was not whole
        self.begun = time.monotonic()

    def begin(self, points_only):
        """Runs each mode without a fault; all points of those that are sound."""
        points = []
        for jdk in self.jdks.values():
            for mode in self.modes.values():
                key = f"{jdk}/{mode.name}/"
                if not key.startswith(points_only) and not points_only.startswith(key):
                    continue
                with tempfile.TemporaryDirectory(dir=self.bench.work) as directory:
                    outcome = self.bench.run(jdk, mode, Path(directory))
                verdict, why = judge_usual(mode, outcome)
                if verdict != "unharmed":
                    row = {"key": key, "verdict": verdict, "why": why}
                    print(line_of(row), flush=True)
                    self.unsound.append(row)
                    continue
                self.usual[repr(jdk), mode.name] = usual_of(mode, outcome.data)
                points += all_points(repr(jdk), mode.name, outcome.report, mode.denied)
        return [point for point in points if point.key.startswith(points_only)]

    def run(self, point):
        jdk, mode = self.jdks[point.jdk], self.modes[point.mode]
        directory = Path(tempfile.mkdtemp(dir=self.bench.work))
        outcome = self.bench.run(jdk, mode, directory, {
            "FAULTS_CALL": point.call, "FAULTS_AT": str(point.at),
            "FAULTS_ONWARD": "1" if point.onward else "0"})
        verdict, why = judge(mode, outcome, *self.usual[point.jdk, point.mode], point.onward)
        if not outcome.report.fired and verdict == "unharmed":
            verdict = "not reached"
        row = {"key": point.key, "call": point.call, "mode": point.mode, "verdict": verdict,
               "why": why[:400], "place": f"{outcome.report.place:#x}"}
        if verdict in BAD:
            kept = self.bench.work / "failed" / re.sub(r"[/ ]", "_", point.key)
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(exist_ok=True)
            shutil.move(directory, kept)
            row["kept"] = str(kept)
        else:
            shutil.rmtree(directory, ignore_errors=True)
        self._keep(row)

    def _keep(self, row):
        with self.lock:
            self.rows[row["key"]] = row
            if self.results:
                with open(self.results, "a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
            if row["verdict"] in BAD:
                print(line_of(row), flush=True)
            if len(self.rows) % 200 == 0:
                print(f"{len(self.rows)} points after {time.monotonic() - self.begun:.0f} s",
                      flush=True)

    def table(self):
        """Points by call and mode."""
        counts = {}
        for row in self.rows.values():
            if row["verdict"] != "not reached":
                cell = counts.setdefault((row["call"], row["mode"]), dict.fromkeys(GOOD + BAD, 0))
                cell[row["verdict"]] += 1
        lines = [f"{'call':16} {'mode':15} {'points':>7} {'refused':>8} {'reported':>9} "
                 f"{'unharmed':>9} {'others':>7}"]
        total = dict.fromkeys(GOOD + BAD, 0)
        order = [(call, mode.name) for call in GROUPS for mode in MODES]
        for call, mode in sorted(counts, key=order.index):
            cell = counts[call, mode]
            lines.append(_line(call, mode, cell))
            total = {name: total[name] + cell[name] for name in total}
        lines.append(_line("all", "", total))
        missed = sum(row["verdict"] == "not reached" for row in self.rows.values())
        lines.append(f"{missed} more points were not reached: the run made fewer calls")
        return "\n".join(lines)

    def bad(self):
        return self.unsound + [row for row in self.rows.values() if row["verdict"] in BAD]


def _line(call, mode, cell):
    return (f"{call:16} {mode:15} {sum(cell.values()):7} {cell['refused']:8} "
            f"{cell['reported']:9} {cell['unharmed']:9} {sum(cell[name] for name in BAD):7}")


def _resume(walk, path, library):
    """Takes the results of an earlier walk of the same library."""
    mark = {"library": hashlib.sha256(library.read_bytes()).hexdigest()}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    try:
        rows = [json.loads(line) for line in lines]
    except json.JSONDecodeError:
        rows = []
    if not rows or rows[0] != mark:
        path.write_text(json.dumps(mark) + "\n", encoding="utf-8")
        return
    walk.rows = {row["key"]: row for row in rows[1:]}
    print(f"{len(walk.rows)} points are known from an earlier start ({path})", flush=True)


def _arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("library", type=lambda text: Path(text).resolve())
    parser.add_argument("preload", type=lambda text: Path(text).resolve())
    parser.add_argument("work", type=lambda text: Path(text).resolve())
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="points whose key begins with this")
    parser.add_argument("--repeat", help="one point, or a mode without a fault, by its key")
    return parser.parse_args()


def _mode_of(key):
    """JDK/MODE/ of a key."""
    return "/".join(key.split("/")[:2]) + "/"


def _again(options, key):
    """The command that repeats the run of that key."""
    return [sys.executable, __file__, options.library, options.preload, options.work,
            "--repeat", key]


def main():
    options = _arguments()
    recorded = failures.are_recorded()
    found = jdks.find_jdks()
    if not found:
        sys.exit("no JDK was found")
    classes = options.work / "classes"
    classes.mkdir(parents=True, exist_ok=True)
    if failure := jdks.compile_java(found[0], jdks.OLDEST, [PROGRAM], classes):
        sys.exit(failure)
    results = None if options.sample or options.repeat else options.work / "walk.jsonl"
    walk = Walk(Bench(options.library, options.preload, options.work, classes), found, results)
    if results:
        _resume(walk, results, options.library)
    points = walk.begin(_mode_of(options.repeat) if options.repeat else options.only)
    if options.repeat:
        points = [point for point in points if point.key == options.repeat]
        if not points and not walk.usual and not walk.unsound:
            sys.exit(f"there is no point {options.repeat}")
    if options.sample:
        points = sample(points, options.sample, options.seed)
        print(f"seed {options.seed}: {len(points)} points", flush=True)
    else:
        random.Random(options.seed).shuffle(points)  # so that a part of the walk is a sample
    points = [point for point in points if point.key not in walk.rows]
    print(f"{len(points)} points to go", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(walk.run, points))
    print(walk.table())
    for row in walk.bad():
        print(f"{line_of(row)}\n  at {row.get('place')}, kept: {row.get('kept')}")
        if recorded:
            failures.record(row["key"], line_of(row), _again(options, row["key"]), Path.cwd())
    sys.exit(1 if walk.bad() and not recorded else 0)


if __name__ == "__main__":
    main()
