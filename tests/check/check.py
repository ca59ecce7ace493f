"""Runs the stages of the checks, and says in its last lines all that came of them.

    check.py STAGE...                runs them, and prints the summary
    check.py --go-on STAGE...        runs them, and adds them to those that have run; no summary
    check.py --ran STAGE CODE S LOG  adds a stage that has run: exit code, seconds, log
    check.py --summary               prints the summary of all stages that have run

A stage is a target of make; stages joined by '+' run side by side. Each has a log of its own,
build/check/STAGE.log. All run, whatever came of those before.

A test that has failed runs again, alone, after all stages, twice at most. It is red if it fails
each time; if it passes it is unstable, and the checks stay green. Not run again, but red at once:
what failures.FINAL lists, all of a stage of which more than CHANCES tests failed, and a stage that
failed otherwise than by tests. The exit code is 1 if anything is red, of --go-on always 0.

Environment: HPROF_CHECK_BUILD (build), MAKE (make), HPROF_CHECK_LIMIT (seconds of a stage).
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import failures

# Not called BUILD, which a stage for another system then takes for its own.
WORK = Path(os.environ.get("HPROF_CHECK_BUILD", "build")) / "check"
RESULTS = WORK / "results.jsonl"
TRIES = 2  # of a failed test, after its first run
CHANCES = 10
LIMIT_S = int(os.environ.get("HPROF_CHECK_LIMIT", "2400"))  # several times the longest stage
TEST_LIMIT_S = 900  # of one test that runs again: more than its own limits
LINES_MOST = 60  # of the summary
LINE_MOST = 240  # characters of a line of it
SHOWN_MOST = 6000  # characters of what a red test printed

# Why a stage failed, if that was no test: the first line of the first kind that its log has.
TROUBLES = [re.compile(pattern, re.M) for pattern in (
    r"^.*: (?:fatal )?error: .*$", r"^E: .*$", r"^.*: command not found.*$", r"^.* not found: .*$",
    r"^.*: warning: .*$", r"^\*\*\* .*$", r"^ERROR .*$", r"^(?!make).*: \*\*\* .*$", r"^make.* \*\*\* .*$")]


@dataclass
class Test:
    """What came of a failed test."""
    name: str
    reason: str
    kind: str | None  # of failures.FINAL
    runs: int = 1


@dataclass
class Stage:
    """What came of a stage."""
    name: str
    seconds: int = 0
    code: int = 0
    log: str = ""
    trouble: str = ""  # why it failed, if that is no test
    beside: bool = False  # it ran beside one that took longer
    red: list = field(default_factory=list)  # of Test
    unstable: list = field(default_factory=list)

    @property
    def result(self):
        if self.trouble or self.red:
            return f"RED ({len(self.red)})" if self.red else "RED"
        return f"unstable ({len(self.unstable)})" if self.unstable else "green"


# ---- running ------------------------------------------------------------------------------

def _log_of(name):
    return WORK / f"{name}.log"


def _begin(command, log, failed):
    """Starts a command in a group of its own. Its output goes to the open file log, and its failed
    tests to the directory, which is emptied."""
    shutil.rmtree(failed, ignore_errors=True)
    failed.mkdir(parents=True)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                            env={**os.environ, failures.VARIABLE: str(failed.resolve())},
                            start_new_session=True)


def _start(name):
    """Starts a stage."""
    print(f"== {name} ...", flush=True)
    with open(_log_of(name), "wb") as log:
        return _begin([os.environ.get("MAKE", "make"), "-k", name], log, WORK / f"{name}.failed")


def _end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _wait(running):
    """Waits for the processes of some stages; their exit codes and seconds by name. A stage that
    takes too long is ended."""
    begun = time.monotonic()
    done = {}
    try:
        while len(done) < len(running):
            for name, process in running.items():
                if name in done:
                    continue
                seconds = time.monotonic() - begun
                if process.poll() is None and seconds > LIMIT_S:
                    _end(process)
                    with open(_log_of(name), "a", encoding="utf-8") as log:
                        log.write(f"*** {name} was still running after {LIMIT_S} s, and was ended\n")
                if process.poll() is not None:
                    done[name] = process.returncode, round(seconds)
            time.sleep(0.05)
    finally:
        for process in running.values():
            _end(process)
    return done


def _trouble(log):
    """The line of a log that says why a stage failed."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    found = next(filter(None, (pattern.search(text) for pattern in TROUBLES)), None)
    return " ".join((found[0] if found else (text.splitlines() or ["no output"])[-1]).split())


def _judged(name, code, seconds):
    """The stage, and its failures that are to run again."""
    stage = Stage(name, seconds, code, str(_log_of(name)))
    failed = failures.read(WORK / f"{name}.failed")
    chance = len(failed) <= CHANCES
    again = []
    for failure in failed:
        if failure.kind is None and chance:
            again.append(failure)
        else:
            stage.red.append(Test(failure.test, failure.reason, failure.kind))
            _show(failure)
    if code != 0:
        stage.trouble = _trouble(Path(stage.log))
    return stage, again


def _show(failure):
    """Prints what a red test printed: the logs are not always where the summary is read."""
    text = failure.text
    if len(text) > SHOWN_MOST:
        text = f"{text[:SHOWN_MOST // 2]}\n[...]\n{text[-SHOWN_MOST // 2:]}"
    print(f"---- {failure.test} ({failure.again})\n{text}", flush=True)


def _run_again(stage, failure):
    """Runs a failed test again, alone, until it passes, TRIES times at most."""
    test = Test(failure.test, failure.reason, None)
    last = failure
    for test.runs in range(2, TRIES + 2):
        directory = WORK / "again"
        with open(stage.log, "ab") as log:
            log.write(f"\n== again, alone: {failure.test}\n".encode())
            log.flush()
            process = _begin(["sh", failure.again], log, directory)
            try:
                code = process.wait(TEST_LIMIT_S)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(process)
        again = failures.read(directory)
        if code == 0 and not again:
            stage.unstable.append(test)
            print(f"== {failure.test}: passed in run {test.runs}, alone", flush=True)
            return
        last = again[0] if again else last
        test.kind = "hang" if code is None else last.kind
        if test.kind:
            test.reason = last.reason
            break
    stage.red.append(test)
    _show(last)


def run(names):
    """Runs the stages, then again what failed."""
    stages = []
    again = []
    for group in names:
        running = {name: _start(name) for name in group.split("+")}
        done = _wait(running)
        longest = max(done, key=lambda name: done[name][1])
        for name, (code, seconds) in done.items():
            stage, failed = _judged(name, code, seconds)
            stage.beside = name != longest
            stages.append(stage)
            again += [(stage, failure) for failure in failed]
            left = f", {len(failed)} to run again" if failed else ""
            print(f"== {name}: {stage.result} after {seconds} s{left}", flush=True)
    begun = time.monotonic()
    for stage, failure in again:
        _run_again(stage, failure)
    if again:
        stages.append(Stage("failed tests again", round(time.monotonic() - begun)))
    return stages


# ---- the summary -----------------------------------------------------------------------------

def _grouped(tests):
    """One of the tests for each function and kind, with the number of its others: a fault often
    shows with all parameters."""
    groups = {}
    for test in tests:
        groups.setdefault((test.name.split("[")[0], test.kind), []).append(test)
    return [(group[0], len(group) - 1) for group in groups.values()]


def _line(word, stage, test, more):
    others = f" (and {more} more)" if more else ""
    return f"{word:9} {stage.name}: {test.name}{others}: {test.reason}"


def is_red(stages):
    return any(stage.trouble or stage.red for stage in stages)


def summary(stages):
    """The lines: a table of the stages; each red and each unstable test with its reason, what can
    be no chance first; the verdict."""
    wide = max(len(stage.name) for stage in stages)
    lines = [f"{'stage':{wide}} {'s':>5}  {'result':13} log"]
    lines += [f"{stage.name:{wide}} {stage.seconds:5}  {stage.result:13} {stage.log}".rstrip()
              for stage in stages]
    lines.append(f"{'all':{wide}} {sum(stage.seconds for stage in stages if not stage.beside):5}")
    tests = [f"RED       {stage.name}: {stage.trouble}" for stage in stages if stage.trouble]
    red = [(stage, *group) for stage in stages for group in _grouped(stage.red)]
    red.sort(key=lambda item: item[1].kind is None)
    tests += [_line("RED", *item) for item in red]
    tests += [_line("unstable", stage, *group) for stage in stages
              for group in _grouped(stage.unstable)]
    room = LINES_MOST - len(lines) - 1
    if len(tests) > room:
        tests = tests[:room - 1] + [f"... and {len(tests) - room + 1} more lines: see the logs"]
    verdict = "RED" if is_red(stages) else "green"
    if unstable := sum(len(stage.unstable) for stage in stages):
        verdict += f"; {unstable} unstable, which passed when run again, alone"
    return [line[:LINE_MOST] for line in lines + tests] + [verdict]


# ---- what is kept between calls ------------------------------------------------------------------

def _keep(stages):
    with open(RESULTS, "a", encoding="utf-8") as file:
        for stage in stages:
            file.write(json.dumps(asdict(stage)) + "\n")


def _kept():
    rows = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    stages = []
    for row in map(json.loads, rows):
        for part in ("red", "unstable"):
            row[part] = [Test(**test) for test in row[part]]
        stages.append(Stage(**row))
    return stages


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--ran", nargs=4)
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("stages", nargs="*")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    if options.ran:
        name, code, seconds, log = options.ran
        trouble = _trouble(Path(log)) if int(code) else ""
        _keep([Stage(name, int(seconds), int(code), log, trouble)])
        return 0
    if options.stages:
        if not options.go_on:
            RESULTS.unlink(missing_ok=True)
        _keep(run(options.stages))
    if options.go_on:
        return 0
    stages = _kept()
    print("\n".join(["", *summary(stages)]))
    return 1 if is_red(stages) else 0


if __name__ == "__main__":
    sys.exit(main())
