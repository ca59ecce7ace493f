"""How often hprof check --baseline raises a false alarm, and whether it finds what was added.

Five programs do the same work in every run: three of bench/java, the Java compiler on a file, and
the Closure compiler, which optimizes a module of lodash. See README.md beside this file.

    python3 bench/gate.py record --first 1 --last 20    # runs of each program on each JDK
    python3 bench/gate.py judge --first 2               # each run from 2 on against the first
    python3 bench/gate.py mutate                        # add calls and allocations at random places
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from lib.agents import agent_original
from lib.fetch import fetch
from lib.jdks import add_jdk_option, find_javac, find_jdks
from lib.programs.closure import PACKAGES
from lib.workplace import BENCH, ROOT, WORK, BenchError

JAVA = BENCH / "java"
SMALL = {"JsonWork": "JsonWork*", "CollectionsWork": "CollectionsWork*",
         "TemplateWork": "TemplateWork*"}
OPTIONS = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y,verbose=n"
RUN_TIMEOUT_S = 900
LODASH_MODULE = "chunk.js"
JAVA_SOURCE = ROOT / "tests" / "java" / "GateWork.java"
# Without --whole, the program's own methods are recorded, and what the default patterns look for.
PATTERN_FRAMES = ["java.lang.ClassLoader.*", "jdk.internal.loader.*",
                  "java.lang.invoke.MethodHandleNatives.*", "jdk.internal.reflect.*",
                  "java.util.ImmutableCollections*", "*.<clinit>", "java.util.concurrent.locks.*",
                  "java.util.concurrent.ThreadPoolExecutor.*", "java.util.concurrent.FutureTask.*",
                  "java.util.concurrent.ConcurrentHashMap.*", "java.util.HashMap.treeifyBin",
                  "java.util.zip.ZipFile$*", "java.lang.Class.*", "java.lang.ref.ReferenceQueue.*"]
REAL = {"javac": "com.sun.tools.javac.*", "closure": "com.google.javascript.jscomp.*"}
CHANCE = 20  # additions of each kind
REACHED = 42  # exit code of a program that comes to a place


def execute(command, **how):
    """Runs a command in a process group of its own; all of it ends when its time is over."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True, **how) as process:
        try:
            out, errors = process.communicate(timeout=RUN_TIMEOUT_S)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise BenchError(f"not done after {RUN_TIMEOUT_S} s: {words}") from error
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, errors)


def compiled(jdk, sources, target):
    """Whether javac accepts the sources."""
    target.mkdir(parents=True, exist_ok=True)
    return execute([find_javac([jdk]), "-nowarn", "--release", "11", "-d", target, *sources]).returncode == 0


class Bench:
    """The programs, and the files of their runs."""

    def __init__(self, directory, chosen, jdks, whole):
        self.directory = directory.resolve()
        self.whole = whole
        self.programs = chosen
        self.jdks = jdks
        self.command = Path(os.environ.get("HPROF_COMMAND", agent_original().with_name("hprof")))
        self.classes = self.directory / "classes"
        self.output = self.directory / "out"
        self.empty = self.directory / "empty"
        self.empty.mkdir(parents=True, exist_ok=True)
        if not compiled(jdks[0], [JAVA / f"{name}.java" for name in SMALL], self.classes):
            raise BenchError(f"javac does not compile {JAVA}")

    def run_path(self, program, jdk, number):
        return self.directory / "runs" / program / str(jdk.version) / f"{number:02}.txt.gz"

    def arguments(self, program, classes):
        """Of java, after the options of the agent."""
        if program == "javac":
            # It looks at the JDK's modules in an order that differs between JVMs; one has no order.
            return ["-m", "jdk.compiler/com.sun.tools.javac.Main", "-proc:none",
                    "--limit-modules", "java.base", "-cp", self.empty,
                    "-d", self.output, JAVA_SOURCE]
        if program == "closure":
            jar, source = fetch(PACKAGES[0]), fetch(PACKAGES[1], LODASH_MODULE)
            return ["-jar", jar, "--env", "CUSTOM", "--compilation_level", "SIMPLE", "--js",
                    source, "--js_output_file", self.output / "out.js"]
        return ["-cp", classes, program]

    def record(self, program, jdk, target, classes=None):
        """Runs a program under the agent, at low priority."""
        target.parent.mkdir(parents=True, exist_ok=True)
        # Compilers look at what is already there.
        shutil.rmtree(self.output, ignore_errors=True)
        self.output.mkdir()
        options = OPTIONS
        if not self.whole:
            own = {**SMALL, **REAL}[program]
            options += "".join(f",include={name}" for name in [own, "Added", *PATTERN_FRAMES])
        done = execute(["nice", jdk.home / "bin" / "java", "-Xmx2g",
                        f"-agentpath:{agent_original()}={options},file={target.name}",
                        *self.arguments(program, classes or self.classes)], cwd=target.parent)
        if done.returncode != 0:
            target.unlink(missing_ok=True)
            raise BenchError(f"{program} on JDK {jdk.version} ended with {done.returncode}: "
                             f"{done.stderr[-500:]}")

    def check(self, program, old, new, *more):
        """Exit code and output of the gate."""
        classes = ["--classes", REAL[program]] if program in REAL else []
        done = execute(["nice", self.command, "check", "--baseline", old, *classes, *more, new])
        if done.returncode > 1:
            raise BenchError(done.stderr)
        return done.returncode, done.stdout


def record(bench, first, last):
    for number in range(first, last + 1):
        for program in bench.programs:
            for jdk in bench.jdks:
                path = bench.run_path(program, jdk, number)
                if not path.exists():
                    bench.record(program, jdk, path)
                    print(path, flush=True)


def shares(text):
    """Of calls and of allocated bytes compared, in per cent."""
    return [float(share) for share in re.findall(r"^(?:calls|allocated bytes): +([\d.]+)%", text,
                                                 re.MULTILINE)]


def upper_bound(alarms, runs):
    """95% bound of the rate, one-sided, by Clopper and Pearson: 1 - 0.05^(1/runs) for none."""
    low, high = alarms / runs, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        term, total = (1 - rate) ** runs, 0.0
        for count in range(alarms + 1):
            total += term
            term *= (runs - count) / (count + 1) * rate / max(1 - rate, 1e-300)
        low, high = (rate, high) if total > 0.05 else (low, rate)
    return high


def judge(bench, first, budget):
    """The runs of each program from the first number on, against the one before them."""
    print("program JDK runs alarms bound | least and greatest share of calls, of bytes")
    for program in bench.programs:
        for jdk in bench.jdks:
            paths = sorted(bench.run_path(program, jdk, 0).parent.glob("*.gz"))
            baselines = [path for path in paths if int(path.name[:2]) < first]
            judged = [path for path in paths if int(path.name[:2]) >= first]
            if not baselines or not judged:
                continue
            alarms, compared, differing = 0, [], set()
            for path in judged:
                code, text = bench.check(program, baselines[0], path, *budget)
                alarms += code
                compared.append(shares(text))
                grew_or_shrank = re.findall(r"(\d+) grew, (\d+) shrank", text)
                if any(count != "0" for pair in grew_or_shrank for count in pair):
                    differing.add(path.name[:2])
                if code:
                    print(f"--- {path}\n{text}")
            bound = 100 * upper_bound(alarms, len(judged))
            ranges = ", ".join(f"{min(share):.2f}-{max(share):.2f}%" for share in zip(*compared))
            print(f"{program} {jdk.version} {len(judged)} {alarms} <{bound:.1f}% | {ranges}; "
                  f"runs with any difference: {sorted(differing) or 'none'}", flush=True)


# ---- mutations -----------------------------------------------------------------


ADDED = """final class Added {
	static Object kept;
	static int calls;
	static void call() { calls++; }
	static void probe() { Runtime.getRuntime().halt(%d); }
}
""" % REACHED
STATEMENTS = {"call": "Added.call();", "allocation": "Added.kept = new byte[0];"}


def places(lines):
    """Lines before which a statement may stand; javac has the last word."""
    return [number for number in range(1, len(lines))
            if lines[number].startswith("\t\t") and lines[number].rstrip().endswith((";", "{"))
            and lines[number - 1].rstrip().endswith((";", "{", "}", ":"))
            and not lines[number].strip().startswith(("case ", "default", "}", "@", "static ", "else"))]


def variant(bench, program, lines, number, statement, directory):
    """Compiles the program with a statement before a line. False if that is no program."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    source = directory / f"{program}.java"
    source.write_text("\n".join([*lines[:number], statement, *lines[number:]]) + "\n")
    (directory / "Added.java").write_text(ADDED)
    # By the compiler of the baseline: another one may write other bytecode.
    return compiled(bench.jdks[0], [source, directory / "Added.java"], directory / "classes")


def reached_place(bench, jdk, program, chance, directory):
    """A random line that the program comes to."""
    lines = (JAVA / f"{program}.java").read_text().splitlines()
    while True:
        number = chance.choice(places(lines))
        if not variant(bench, program, lines, number, "Added.probe();", directory):
            continue
        java = jdk.home / "bin" / "java"
        if execute([java, "-cp", directory / "classes", program]).returncode == REACHED:
            return lines, number


def mutate(bench, seed, count):
    """Adds a call or an allocation of 16 bytes at a random place, and asks the gate."""
    chance = random.Random(seed)
    directory = bench.directory / "mutation"
    caught = {kind: 0 for kind in STATEMENTS}
    for number in range(count):
        for kind, statement in STATEMENTS.items():
            program = list(SMALL)[number % len(SMALL)]
            jdk = bench.jdks[number // len(SMALL) % len(bench.jdks)]
            baseline = min(bench.run_path(program, jdk, 0).parent.glob("*.gz"))
            lines, line = reached_place(bench, jdk, program, chance, directory)
            assert variant(bench, program, lines, line, statement, directory)
            new = directory / "new.txt.gz"
            bench.record(program, jdk, new, directory / "classes")
            code, text = bench.check(program, baseline, new, "--top", "0")
            name = "Added.call" if kind == "call" else "new byte[]"
            found = code == 1 and f"\n\t{name}\n" in text
            caught[kind] += found
            print(f"{kind} {program} JDK {jdk.version} before line {line + 1} "
                  f"({lines[line].strip()[:50]}): {'caught' if found else 'MISSED'}", flush=True)
            if not found:
                print("\n".join(row for row in text.splitlines() if row.startswith("not compared")))
    print(", ".join(f"{caught[kind]} of {count} added {kind}s caught" for kind in caught))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "judge", "mutate"])
    parser.add_argument("--directory", type=Path, default=WORK / "gate")
    parser.add_argument("--program", action="append", choices=[*SMALL, *REAL])
    add_jdk_option(parser)
    parser.add_argument("--whole", action="store_true", help="record libraries' methods too")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=50)
    parser.add_argument("--budget", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=CHANCE)
    options = parser.parse_args()
    try:
        bench = Bench(options.directory, options.program or [*SMALL, *REAL],
                      find_jdks(options.jdk), options.whole)
        if options.what == "record":
            record(bench, options.first, options.last)
        elif options.what == "judge":
            judge(bench, options.first, [w for name in options.budget for w in ("--budget", name)])
        else:
            mutate(bench, options.seed, options.count)
    except BenchError as error:
        print(f"gate.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
