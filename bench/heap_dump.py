"""How long a heap dump of many objects takes, beside the JVM's own, and what memory
the agent needs for it; see README.md beside this file.

    HPROF_AGENT=build/libhprof.so python3 bench/heap_dump.py
"""

import argparse
import re
import shutil
import signal
import statistics
import subprocess
import time

from lib.agents import agent, agent_original
from lib.jdks import add_jdk_option, compile_java, find_jdks
from lib.workplace import BENCH, WORK, BenchError, run_as_script

UNTRACKED = "heap=dump,depth=0"
TRACKED = "heap=dump"
WAIT_S = 600


class Holder:
    """A JVM under the agent whose program holds its objects from when it prints held=
    until its standard input ends. program: the arguments of java."""

    def __init__(self, jdk, options, program, directory):
        self.jdk = jdk
        self.log = directory / "log.txt"
        self.profile = directory / "java.hprof"
        command = [str(jdk.home / "bin" / "java"), "-Xms4g", "-Xmx4g",
                   f"-agentpath:{agent()}={options},format=b,doe=n,verbose=y,"
                   f"file={self.profile}", *map(str, program)]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        self.wait_for(r"^held=", 1)

    def wait_for(self, pattern, count):
        """Until the program and the agent have written so many lines like that."""
        deadline = time.monotonic() + WAIT_S
        while len(re.findall(pattern, self.text(), re.M)) < count:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise BenchError(f"no {pattern!r} in {self.log}")
            time.sleep(0.005)

    def text(self):
        """What both have written."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def dump(self, number):
        """Seconds of the agent's dump."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGQUIT)
        self.wait_for(r"^hprof: Dumping .* done\.$", number)
        return time.monotonic() - start

    def jcmd(self, *words):
        """Seconds of a command to the JVM."""
        start = time.monotonic()
        subprocess.run([self.jdk.home / "bin" / "jcmd", str(self.process.pid), *words],
                       stdout=subprocess.DEVNULL, check=True, timeout=WAIT_S)
        return time.monotonic() - start

    def memory(self, what):
        """Bytes of VmRSS (now) or VmHWM (the most since reset_peak())."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(rf"^{what}:\s+(\d+) kB", status.read(), re.M)[1]) * 1024

    def reset_peak(self):
        """Starts VmHWM again at VmRSS."""
        with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as refs:
            refs.write("5")

    def end(self):
        """Ends the program."""
        self.process.stdin.close()
        if self.process.wait(WAIT_S) != 0:
            raise BenchError(f"the program failed; see {self.log}")


def held_heap(objects):
    """The program with so many objects."""
    return ["-cp", WORK / "classes", "HeldHeap", objects]


def measure(jdk, options, objects, rounds):
    """Dumps by the JVM and by the agent in turns. Returns the memory that was in use
    before the first."""
    directory = WORK / "heap_dump"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    holder = Holder(jdk, options, held_heap(objects), directory)
    try:
        attach_s = statistics.median(holder.jcmd("VM.version") for _ in range(3))
        before = holder.memory("VmRSS")
        vm_s, agent_s = [], []
        growth = 0
        for number in range(1, rounds + 1):
            vm_file = directory / f"vm{number}.hprof"
            vm_s.append(holder.jcmd("GC.heap_dump", str(vm_file)) - attach_s)
            vm_bytes = vm_file.stat().st_size
            vm_file.unlink()  # the system is not to be busy writing it to the disk
            resting = holder.memory("VmRSS")
            holder.reset_peak()
            agent_s.append(holder.dump(number))
            growth = max(growth, holder.memory("VmHWM") - resting)
        agent_bytes = holder.profile.stat().st_size // rounds
        holder.end()
    finally:
        holder.process.kill()
        shutil.rmtree(directory)
    ratio = statistics.median(agent_s) / statistics.median(vm_s)
    print(f"{jdk.version:>3} {options:<18} jcmd {list_of(vm_s)} s, {vm_bytes / 1e6:.0f} MB; "
          f"agent {list_of(agent_s)} s, {agent_bytes / 1e6:.0f} MB; ratio of medians {ratio:.2f}; "
          f"memory at the dump +{growth / objects:.1f} bytes an object", flush=True)
    return before


def prepare(jdks):
    """The agent and the programs that hold something, where runs take them from."""
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.copy(agent_original(), agent())
    compile_java(jdks, [BENCH / "HeldHeap.java", BENCH / "HoldAtEnd.java"],
                         WORK / "classes")


def list_of(seconds):
    """Several times as one word."""
    return "/".join(f"{value:.2f}" for value in seconds)


def main():
    """Both kinds of dump on every JDK; true when all went well."""
    parser = argparse.ArgumentParser(description="Heap dumps; see bench/README.md.")
    parser.add_argument("--objects", type=int, default=18_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    add_jdk_option(parser)
    arguments = parser.parse_args()
    jdks = find_jdks(arguments.jdk)
    prepare(jdks)
    for jdk in jdks:
        untracked = measure(jdk, UNTRACKED, arguments.objects, arguments.rounds)
        tracked = measure(jdk, TRACKED, arguments.objects, arguments.rounds)
        print(f"{jdk.version:>3} to follow the objects: {(tracked - untracked) / arguments.objects:.1f} "
              "bytes an object", flush=True)
    return True


if __name__ == "__main__":
    run_as_script(main)
