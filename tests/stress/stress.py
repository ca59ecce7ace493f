"""Programs that are hard on the agent, in its modes, on all JDKs and collectors.

    stress.py LIBRARY WORK [--seconds N] [--seed N] [--only TEXT | --case LINE]

Without --seconds each case runs once; with it, cases in an order by chance until the time
is over. Every case must end as without the agent, with no line of the agent's on stderr
and a profile that the readers of the end-to-end tests accept whole. What failed stays in
WORK, with the stacks of a JVM that stood still. Exit code 1 when a case failed; with
HPROF_CHECK_FAILURES those are recorded as tests/check/failures.py says.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parent / "check")]
os.environ["HPROF_AGENT"] = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""

import pytest  # noqa: E402

import failures  # noqa: E402
from readers import hprof_old  # noqa: E402
from support import attach, builds, jdks  # noqa: E402
from support.runner import Runner  # noqa: E402

TIMEOUT_S = 300
MODES = ["cpu=samples,interval=1,depth=16", "cpu=samples,interval=1,format=b",
         "cpu=samples,interval=1,engine=clock", "cpu=times", "cpu=times,msa=y", "cpu=old",
         "heap=sites", "heap=sites,live=n", "heap=dump", "heap=all,format=b",
         "cpu=samples,interval=1,heap=all,format=b,file=profile.hprof.gz",
         "monitor=y,msa=y,cpu=samples,interval=1"]
VIRTUAL_MODES = [f"{mode},vthreads=y,thread=y" for mode in (
    "cpu=samples,interval=1,timeline=y", "cpu=samples,interval=1,msa=y", "cpu=times,costs=y",
    "cpu=times,msa=y", "heap=sites", "monitor=y")]
HEAP_MODES = [mode for mode in MODES if "heap=" in mode]
COLLECTORS = ["Serial", "Parallel", "G1", "Shenandoah", "Z"]
QUITS = 40
QUITS_OF_TIMED = 5  # as reading 40 dumps takes half a minute
CYCLES = 20
EARLY_S = 0.002  # between two requests; so is the next
BURST_S = 0.1  # many dumps take longer
BURST_HEAP_MODES = ["heap=all,format=b,depth=40", "heap=all,depth=40",
                    "heap=all,format=b,depth=40,dumper=jvmti",
                    "cpu=samples,interval=1,heap=all,format=b,depth=40,file=profile.hprof.gz"]
# What requests come to: name, program with arguments for longer than that, modes.
BURSTS = [("burst, classes", ("Storm", 600_000, 4), BURST_HEAP_MODES),
          ("burst, new stacks", ("Paths", 600_000, 4), BURST_HEAP_MODES),
          ("burst, monitors", ("Contenders", 600_000, 8), [
              "monitor=y", "monitor=y,heap=all", "monitor=y,msa=y,cpu=samples,interval=1",
              "monitor=y,cpu=times"])]


@dataclass(frozen=True)
class Case:
    name: str
    jdk: object
    options: str
    run: object  # function of the runner and the case
    java_opts: tuple = ()

    def __str__(self):
        return " ".join([self.name, repr(self.jdk), self.options, *self.java_opts])


# ---- what must hold ----------------------------------------------------------------------

def _fail(run, reason):
    pytest.fail(run.describe(reason), pytrace=False)


def check_sound(run, exit_code=0, whole=True, quiet=True):
    """The run ended as the program does; its profile, if it must be whole, is valid."""
    # The JVM can be in the middle of a line of a thread dump when the program prints its own.
    if run.exit_code != exit_code or "done" not in run.stdout:
        _fail(run, f"exit code {run.exit_code}, should be {exit_code}, with the word done")
    if quiet and run.agent_lines:
        _fail(run, "lines of the agent on stderr")
    if list(run.directory.glob("hs_err*")):
        _fail(run, "the JVM left an error file")
    return check_profile(run) if whole else None


def check_profile(run):
    if "cpu=old" in run.options:
        try:
            return hprof_old.parse(run.output.read_bytes())
        except (OSError, hprof_old.FormatError) as error:
            _fail(run, str(error))
    if run.binary:
        checked = subprocess.run([builds.AGENT.with_name("hprof"), "check", run.output],
                                 capture_output=True, text=True, check=False,
                                 timeout=TIMEOUT_S)
        if checked.returncode:
            _fail(run, f"hprof check: {checked.stdout[-2000:]}{checked.stderr}")
    if run.output.suffix == ".gz":
        unpacked = run.output.with_suffix("")
        with open(unpacked, "wb") as file:
            subprocess.run(["gzip", "-dc", run.output], stdout=file, check=True)
        return run.profile(unpacked)
    return run.profile()


# ---- cases ---------------------------------------------------------------------------------

def _program(main, *arguments, exit_code=0, whole=True):
    def run(runner, case):
        check_sound(runner.run(main, f"{case.options},verbose=n", *arguments,
                               exit_code=None, java_opts=case.java_opts,
                               timeout_s=TIMEOUT_S), exit_code, whole)
    return run


def _quits(runner, case, count):
    """Each request is answered by a dump before the next one is sent."""
    live = runner.start("Churner", case.options, 600_000, 3, java_opts=case.java_opts,
                        timeout_s=TIMEOUT_S)
    live.wait_stdout("ready=1")
    for number in range(count):
        before = _dumps(live)
        live.signal(3)
        end = time.monotonic() + 60
        while _dumps(live) == before:
            if time.monotonic() > end or not live.alive():
                live.kill()
                _fail(live.run, f"request {number + 1} was not answered")
            time.sleep(0.01)
    live.signal(15)
    run = live.finish()
    if run.exit_code != 128 + 15:
        _fail(run, f"exit code {run.exit_code}")
    _check_dumps(run, count)


def _burst(runner, case, program, count):
    """Requests come whether or not those before have been answered. Each that the JVM passes on,
    after its own thread dump, is answered in the end."""
    live = runner.start(program[0], case.options, *program[1:], java_opts=case.java_opts,
                        timeout_s=TIMEOUT_S)
    live.wait_stdout("ready=1")
    for _ in range(count):
        live.signal(3)
        time.sleep(BURST_S)
    end = time.monotonic() + TIMEOUT_S / 2
    answered = _dumps(live)
    while answered == 0 or _requests(live) != answered:
        if time.monotonic() > end or not live.alive():
            live.kill()
            _fail(live.run, f"{_requests(live)} requests, {answered} answers")
        time.sleep(0.01)
        answered = _dumps(live)
    live.signal(15)
    run = live.finish()
    if run.exit_code != 128 + 15:
        _fail(run, f"exit code {run.exit_code}")
    _check_dumps(run, answered)


def _early(runner, case):
    """Requests from the moment on in which the JVM takes them, when the profile is not yet set up,
    until the program has ended."""
    live = runner.start("Storm", f"{case.options},verbose=n", 20, 2, java_opts=case.java_opts,
                        timeout_s=TIMEOUT_S)
    while live.alive():
        if attach.handles_sigquit(live.process.pid):
            live.signal(3)
        time.sleep(EARLY_S)
    check_sound(live.finish())


def _check_dumps(run, least):
    """The profile is valid and has what that many dumps of its modes write, or more."""
    profile = check_profile(run)
    counts = {"heap": len(profile.heaps)} if "heap=" in run.options else {}
    if "monitor=y" in run.options:
        counts["monitor"] = len(profile.monitor_dumps)
    for kind, count in counts.items():
        if count < least:
            _fail(run, f"{count} {kind} dumps, should be {least} or more")


def _requests(live):
    """Thread dumps that the JVM has begun: it passes the request on after each."""
    with live.changed:
        return sum(line.startswith("Full thread dump") for line in live.lines)


def _dumps(live):
    """Lines that a dump prints at its end."""
    with live.changed:
        return sum("done" in line for line in live.error_lines if line.startswith("hprof: "))


def _attach_cycles(runner, case):
    live = runner.start("Churner", None, 600_000, 2, java_opts=case.java_opts,
                        timeout_s=TIMEOUT_S)
    live.wait_stdout("ready=1")
    options = re.sub(r",file=[^,]*", "", case.options)
    output = live.run.directory / ("cycle.hprof" if "format=b" in options else "cycle.txt")
    for number in range(CYCLES):
        started = attach.attach(live, f"{options},verbose=n,file={output}")
        stopped = attach.attach(live, "stop")
        if started != 0 or stopped != 0:
            live.kill()
            _fail(live.run, f"cycle {number + 1}: returned {started}, {stopped}")
    live.signal(15)
    run = live.finish()
    if run.exit_code != 128 + 15 or run.agent_lines or list(run.directory.glob("hs_err*")):
        _fail(run, f"exit code {run.exit_code}")
    run.options, run.output, run.binary = options, output, "format=b" in options
    check_profile(run)


def _has_collector(jdk, name):
    shown = subprocess.run([jdk.java, f"-XX:+Use{name}GC", "-version"], capture_output=True,
                           check=False, timeout=TIMEOUT_S)
    return shown.returncode == 0


def _make_cases(jdk, retransformer, quits):
    def dumps(runner, case):
        _quits(runner, case, quits)

    def burst(program):
        return lambda runner, case: _burst(runner, case, program, quits)

    for name, program, modes in BURSTS:
        for mode in modes:
            yield Case(name, jdk, mode, burst(program), ("-Xmx96m",))
    for mode in MODES:
        yield Case("classes", jdk, mode, _program("Storm", 300, 4), ("-Xmx128m",))
        yield Case("threads", jdk, mode, _program("Crowd", 2000), ("-Xmx256m",))
        yield Case("exit", jdk, mode, _program("Endings", "exit", exit_code=5))
        # halt: the VM ends without a word to agents, so what is written may be a part.
        yield Case("halt", jdk, mode, _program("Endings", "halt", exit_code=5, whole=False))
        yield Case("children", jdk, mode, _program("Endings", "children", exit_code=5))
        yield Case("retransforming agent", jdk, mode, _program("Storm", 100, 2),
                   (f"-javaagent:{retransformer}",))
        yield Case("jdwp", jdk, mode, _program("Storm", 100, 2),
                   ("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",))
        yield Case("attach", jdk, mode, _attach_cycles)
        yield Case("early requests", jdk, mode, _early)
    if jdk.version >= builds.VIRTUAL_THREADS:
        for mode in MODES + VIRTUAL_MODES:
            yield Case("virtual threads", jdk, mode, _program("VirtualCrowd", 50_000),
                       ("-Xmx512m",))
        for mode in VIRTUAL_MODES:
            yield Case("threads", jdk, mode, _program("Crowd", 2000), ("-Xmx256m",))
            yield Case("attach", jdk, mode, _attach_cycles)
    for collector in COLLECTORS:
        if _has_collector(jdk, collector):
            for mode in HEAP_MODES:
                yield Case("small heap", jdk, mode, _program("Churner", 2000, 3),
                           (f"-XX:+Use{collector}GC", "-Xmx48m"))
            for mode in ["heap=all,format=b,depth=20", "heap=all,depth=20"]:
                yield Case("dumps", jdk, mode, dumps,
                           (f"-XX:+Use{collector}GC", "-Xmx96m"))


# ---- the run ----------------------------------------------------------------------------------

def _compile(found, work):
    """Directories of the compiled programs, and the retransforming agent."""
    classes = [work / "classes", work / "classes21"]
    newest = found[-1]
    failure = jdks.compile_java(found[0], jdks.OLDEST, (HERE / "java").glob("*.java"), classes[0])
    if not failure and newest.version >= builds.VIRTUAL_THREADS:
        failure = jdks.compile_java(newest, builds.VIRTUAL_THREADS,
                                    (HERE / "java" / "jdk21").glob("*.java"), classes[1],
                                    classes[:1])
    if failure:
        sys.exit(failure)
    agent = work / "retransformer.jar"
    with zipfile.ZipFile(agent, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF",
                         "Manifest-Version: 1.0\nPremain-Class: Retransformer\n"
                         "Can-Retransform-Classes: true\n\n")
        for path in classes[0].glob("Retransformer*.class"):
            archive.write(path, path.name)
    return classes, agent


def _run(case, classes, work):
    """Runs a case; why it failed, or None."""
    directory = work / re.sub(r"\W+", "_", str(case))[:120]
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    runner = Runner(case.jdk, classes, directory)
    begun = time.monotonic()
    try:
        case.run(runner, case)
        failure = None
    except pytest.fail.Exception as error:
        failure = str(error)
    except (subprocess.SubprocessError, OSError, RuntimeError) as error:
        failure = repr(error)
    finally:
        runner.close()
    print(f"{'FAILED' if failure else 'ok':6} {case} ({time.monotonic() - begun:.1f} s)",
          flush=True)
    if not failure:
        shutil.rmtree(directory, ignore_errors=True)
    return failure


def _by_turns(cases, chance):
    """All cases: one of each name by chance, then another one of each."""
    by_name = {}
    for case in cases:
        by_name.setdefault(case.name, []).append(case)
    for same in by_name.values():
        chance.shuffle(same)
    ordered = []
    while any(by_name.values()):
        turn = [same.pop() for same in by_name.values() if same]
        chance.shuffle(turn)
        ordered += turn
    return ordered


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("library")
    parser.add_argument("work", type=lambda text: Path(text).resolve())
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--case", help="the case of that line alone")
    options = parser.parse_args()
    recorded = failures.are_recorded()
    found = builds.JDKS
    if not found:
        sys.exit("no JDK was found")
    options.work.mkdir(parents=True, exist_ok=True)
    classes, agent = _compile(found, options.work)
    quits = QUITS_OF_TIMED if options.seconds else QUITS
    cases = [case for jdk in found for case in _make_cases(jdk, agent, quits)
             if options.only in str(case) and options.case in (None, str(case))]
    cases = _by_turns(cases, random.Random(options.seed))
    end = time.monotonic() + options.seconds
    print(f"seed {options.seed}, {len(cases)} cases"
          + (f", for {options.seconds} s" if options.seconds else ""), flush=True)
    ran, failed = {}, []
    for case in cases:
        if options.seconds and time.monotonic() >= end:
            break
        failure = _run(case, classes, options.work)
        name = ran.setdefault(case.name, [0, 0])
        name[0] += 1
        if failure:
            name[1] += 1
            failed.append(f"=== {case}\n{failure}")
            if recorded:
                failures.record(f"stress {case}", failure, [
                    sys.executable, __file__, options.library, options.work, "--case", str(case)],
                    Path.cwd())
    print(f"{'case':22} {'runs':>5} {'failed':>7}")
    for name, (runs, bad) in sorted(ran.items()):
        print(f"{name:22} {runs:5} {bad:7}")
    print("\n".join(failed))
    sys.exit(1 if failed and not recorded else 0)


if __name__ == "__main__":
    main()
