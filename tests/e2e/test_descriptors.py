"""No profile and no dump leaves a descriptor open in the program; and when the program closes all
descriptors, those that it opens then are its own."""

import os
import signal
import time

import pytest

from support.attach import attach
from support.attach_target import Target
from support.builds import PLATFORM
from support.checks import check
from support.live_run import wait_until
from support.net_peer import Peer

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


LOST = "the program has closed its descriptor"


def take_all(run_java, native_library, tmp_path, options):
    directory = tmp_path / "theirs"
    directory.mkdir()
    run = run_java("DescriptorsTaken", options, native_library("descriptors_taken"), directory,
                   8, 80)
    check(run.truth["harmed"] == 0, run, f"{run.truth['harmed']} of the program's files are not "
          "as it left them")
    lines = [line for line in run.agent_lines if LOST in line]
    check(len(lines) == 1, run, "it should be reported once")
    return run


@pytest.mark.parametrize("options", [
    "cpu=samples", "cpu=times,msa=y", "heap=all,format=b",
    pytest.param("cpu=samples,file=p.gz", marks=pytest.mark.thorough),
    pytest.param("cpu=samples,engine=clock,format=b", marks=pytest.mark.thorough),
    pytest.param("cpu=samples,msa=y,timeline=y,messages=m", marks=pytest.mark.thorough),
    pytest.param("cpu=old", marks=pytest.mark.thorough),
    pytest.param("heap=sites", marks=pytest.mark.thorough),
    pytest.param("heap=dump,depth=0", marks=pytest.mark.thorough),
    pytest.param("monitor=y,msa=y", marks=pytest.mark.thorough)])
def test_files_that_get_our_numbers_are_the_programs(run_java, native_library, tmp_path, options):
    take_all(run_java, native_library, tmp_path, options)


def test_files_that_get_the_number_of_our_connection_are_the_programs(
        run_java, native_library, tmp_path):
    peer = Peer()
    take_all(run_java, native_library, tmp_path, f"cpu=samples,format=b,net=127.0.0.1:{peer.port}")
    peer.all()
