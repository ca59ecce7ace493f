"""No profile and no dump leaves a descriptor open in the program."""

import os
import signal
import time

import pytest

from attach import attach
from attach_target import Target
from builds import PLATFORM
from checks import check
from live_run import wait_until

SETTLES_S = 30  # a thread that never runs again loses its timer later

pytestmark = pytest.mark.skipif(PLATFORM != "linux", reason="looks into /proc/PID/fd")


def descriptors(pid):
    """What the descriptors of the process are of, without numbers that differ each time."""
    found = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            name = os.readlink(f"/proc/{pid}/fd/{number}")
        except FileNotFoundError:
            continue  # closed meanwhile
        found.append(name.split(":[")[0] if name.startswith(("socket:", "pipe:")) else name)
    return sorted(found)


def more_than(before, after):
    return [name for name in set(after) if after.count(name) > before.count(name)]


@pytest.mark.asan
@pytest.mark.parametrize("options", [
    "cpu=samples,interval=1,file=a", "cpu=samples,format=b,msa=n,file=a.gz",
    "cpu=times,msa=y,file=a", "cpu=old,file=a", "heap=sites,file=a",
    "heap=all,format=b,file=a", "heap=dump,depth=0,file=a", "monitor=y,msa=y,file=a",
    "cpu=samples,msa=y,timeline=y,messages=m,file=a"])
def test_nothing_stays_open_after_a_stop(java, options):
    """The first profile may make the JVM open what it then keeps."""
    target = Target(java)
    target.command("threads 3")
    known = []
    for _ in range(3):
        target.attach(options)
        target.command("calls 1000")
        target.command("make 1000")
        target.attach("stop")
        end = time.monotonic() + SETTLES_S
        now = descriptors(target.live.process.pid)
        while known and more_than(known[-1], now) and time.monotonic() < end:
            time.sleep(0.05)
            now = descriptors(target.live.process.pid)
        known.append(now)
    run = target.end()
    left = more_than(known[0], known[1]) + more_than(known[1], known[2])
    check(not left, run, f"{options}: descriptors of {left} are left, more with each profile")


@pytest.mark.parametrize("options", ["heap=all", "heap=dump,depth=0,format=b", "cpu=times,msa=y",
                                     "monitor=y"])
def test_nothing_stays_open_after_a_dump(java, options):
    live = java.start("SleepThenExit", options, 600_000)
    live.wait_stdout("ready=1")
    known = []
    for _ in range(3):
        before = live.stderr_count("hprof: ")
        live.signal(signal.SIGQUIT)
        wait_until(lambda: live.stderr_count("hprof: ") > before
                   and "done" in live.error_lines[-1], live)
        known.append(descriptors(live.process.pid))
    check(attach(live, "stop") == 0, live.run, "the profile was not ended")
    run = live.kill()
    left = more_than(known[0], known[1]) + more_than(known[1], known[2])
    check(not left, run, f"{options}: descriptors of {left} are left, more with each dump")
