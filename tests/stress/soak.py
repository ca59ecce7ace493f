"""A server under load, profiled in each mode in turn: does anything grow, does it slow down?

    soak.py LIBRARY WORK MINUTES

MINUTES are divided among the modes, on the newest JDK. The load comes from threads of this
program, over loopback. Memory (RSS), descriptors, threads and answered requests are measured
after the start and at the end; the exit code is 1 where one is beyond its limit, the program
did not end as usual, or the profile is not valid:

    memory       at most 10% and 24 MB more at the end (the heap is of fixed size)
    descriptors  at most 5 more
    threads      at most 5 more
    requests     at least 70% of the first number for each second of the server's CPU time,
                 which other load on the machine changes little
"""

import http.client
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
sys.path.insert(0, str(HERE))

import stress  # noqa: E402 (takes the library from the command line)
import pytest  # noqa: E402
from support import builds, jdks  # noqa: E402
from support.runner import Runner  # noqa: E402

CLIENTS = 3
HEAP = ("-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
MODES = [None, *stress.MODES]  # None: no agent, for comparison
WARM_UP = 0.3  # of a mode's time, before the first measurement
WINDOW = 0.2  # of a mode's time: how long a measurement takes
MORE_MEMORY, MORE_MEMORY_KB, MORE_COUNT, SLOWEST = 0.10, 24 * 1024, 5, 0.7


@dataclass
class Measured:
    memory_kb: int
    descriptors: int
    threads: int
    rate: float  # requests a second
    per_cpu: float  # requests for each second of CPU time


class Load:
    """Clients that ask for pages until they are ended."""

    def __init__(self, port):
        self.port = port
        self.answered = [0] * CLIENTS
        self.failures = []
        self.ended = threading.Event()
        self.clients = [threading.Thread(target=self._ask, args=(number,), daemon=True)
                        for number in range(CLIENTS)]
        for client in self.clients:
            client.start()

    def _ask(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            while not self.ended.is_set():
                path = f"/page{self.answered[number] % 20}"
                connection.request("GET", path)
                answer = connection.getresponse()
                if answer.status != 200 or not answer.read().startswith(path.encode()):
                    raise http.client.HTTPException(f"{path}: {answer.status}")
                self.answered[number] += 1
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(repr(error))
        finally:
            connection.close()

    def end(self):
        self.ended.set()
        for client in self.clients:
            client.join(60)


def _cpu_s(pid):
    """CPU time of the process until now."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _measure(pid, load, seconds):
    begun, cpu, before = time.monotonic(), _cpu_s(pid), sum(load.answered)
    time.sleep(seconds)
    answered = sum(load.answered) - before
    rate = answered / (time.monotonic() - begun)
    per_cpu = answered / max(_cpu_s(pid) - cpu, 0.01)
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    values = dict(line.split(":", 1) for line in status.splitlines())
    return Measured(int(values["VmRSS"].split()[0]), len(os.listdir(f"/proc/{pid}/fd")),
                    int(values["Threads"]), rate, per_cpu)


def _problems(first, last, load):
    problems = list(load.failures)
    if last.memory_kb > first.memory_kb * (1 + MORE_MEMORY) + MORE_MEMORY_KB:
        problems.append("memory grows")
    if last.descriptors > first.descriptors + MORE_COUNT:
        problems.append("descriptors grow")
    if last.threads > first.threads + MORE_COUNT:
        problems.append("threads grow")
    if last.per_cpu < first.per_cpu * SLOWEST:
        problems.append("it becomes slower")
    return problems


def _soak(runner, mode, seconds):
    """One mode; what was measured first and last, and what is wrong."""
    options = f"{mode},verbose=n" if mode else None
    live = runner.start("Served", options, java_opts=HEAP, timeout_s=seconds + 600,
                        stdin=subprocess.PIPE)
    load = Load(int(live.wait_stdout(r"port=(\d+)")[1]))
    time.sleep(seconds * WARM_UP)
    first = _measure(live.process.pid, load, seconds * WINDOW)
    time.sleep(seconds * (1 - WARM_UP - 2 * WINDOW))
    last = _measure(live.process.pid, load, seconds * WINDOW)
    load.end()
    problems = _problems(first, last, load)
    live.process.stdin.close()
    run = live.finish()
    try:
        if mode:
            stress.check_sound(run)
    except pytest.fail.Exception as error:
        problems.append(str(error))
    return first, last, problems


def main():
    work, minutes = Path(sys.argv[2]).resolve(), float(sys.argv[3])
    jdk = builds.JDKS[-1]
    work.mkdir(parents=True, exist_ok=True)
    classes = work / "classes"
    if failure := jdks.compile_java(jdk, jdks.OLDEST, [HERE / "java" / "Served.java"], classes):
        sys.exit(failure)
    seconds = minutes * 60 / len(MODES)
    print(f"{jdk}, {seconds:.0f} s in each mode; first and last of each value\n"
          f"{'mode':64} {'MB':>11} {'descriptors':>12} {'threads':>9} {'requests/s':>12} "
          f"{'per CPU s':>12}")
    failures = []
    for mode in MODES:
        runner = Runner(jdk, [classes], work / f"{time.time_ns()}")
        try:
            first, last, problems = _soak(runner, mode, seconds)
        except pytest.fail.Exception as error:
            failures.append(f"=== {mode}\n{error}")
            continue
        finally:
            runner.close()
        print(f"{mode or 'no agent':64} {first.memory_kb // 1024:5}{last.memory_kb // 1024:6} "
              f"{first.descriptors:6}{last.descriptors:6} {first.threads:4}{last.threads:5} "
              f"{first.rate:6.0f}{last.rate:6.0f} {first.per_cpu:6.0f}{last.per_cpu:6.0f}",
              flush=True)
        failures += [f"=== {mode}\n{problem}" for problem in problems]
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
