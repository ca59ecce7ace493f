"""vthreads=y: virtual threads have records, names and traces of their own."""

import subprocess
from collections import Counter

import pytest

from support import net_peer
from support.attach import attach
from support.builds import VIRTUAL_THREADS
from support.checks import TIMES_JUDGED, at_least, at_most, check, check_cpu, check_time, samples
from support.live_run import let_use, wait_until
from support.net_peer import Peer
from support.net_session import Session

DONE = 0  # what attach() returns
OWN = "thread=y,vthreads=y"
CPU = "cpu=samples,interval=1,cutoff=0,depth=32,lineno=n"
SITES = "heap=sites,cutoff=0,depth=8"
CARRIERS = ("-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=4")
PARTS = 4
# monitor=y records some of the virtual threads itself, and has no binary format.
SITES_WAYS = [("", "a"), ("", "b"), (",live=n", "a"), (",live=n", "b"), (",stacks=vm", "b"),
              (",stacks=check", "a"), (",monitor=y", "a")]
thorough = pytest.mark.thorough


@pytest.fixture(autouse=True)
def virtual(jdk):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")


def check_records(run, profile, prefix, count, at_least_one=False):
    """The names of virtual threads are those of one THREAD START each, which has its end. The
    parsers check that a THREAD START precedes all that refers to it. at_least_one: not all must
    have been sampled."""
    named = [thread for thread in profile.threads.values() if thread.name.startswith(prefix)]
    names = {thread.name for thread in named}
    every = {f"{prefix}{i}" for i in range(count)}
    check(len(names) == len(named), run, f"names twice: {sorted(t.name for t in named)}")
    check(names == every or (at_least_one and names and names < every), run,
          f"{len(named)} threads, should be {count}: {sorted(names)}")
    alive = [thread.name for thread in named if not thread.ended]
    check(not alive, run, f"{len(alive)} threads have no end: {alive[:10]}")


def thread_of(profile, trace):
    """The name of a trace's thread; the readers have its id."""
    return profile.threads[trace.thread].name if trace.thread in profile.threads else None


def by_thread(profile, method):
    """Samples with a method in any frame, by thread name."""
    counts = Counter()
    for row in profile.rows:
        if method in row.names:
            counts[thread_of(profile, row.trace)] += row.count
    return counts


def spun_ns(run, threads=8):
    """The CPU time that each worker has measured."""
    return [run.truth[f"worker-{i}.cpu_ns"] for i in range(threads)]


def check_shares(run, counts, threads):
    """Each worker has the share of the samples that it has of the CPU time."""
    total = sum(counts.values())
    for i, used_ns in enumerate(spun_ns(run, threads)):
        share = used_ns / sum(spun_ns(run, threads))
        count = counts[f"worker-{i}"]
        least, most = at_least(total, share), at_most(total, share)
        check_time(least <= count <= most, run, f"worker-{i}: {count} of {total} samples, "
                   f"should be {least} to {most}: {counts}")


def check_busy(run, counts, some):
    """Each of the threads that never park has samples; where times are judged, more than that."""
    busy = [counts["busy-0"], counts["busy-1"]]
    check(min(busy) > (some if TIMES_JUDGED else 0), run,
          f"{busy} samples of threads that never park: {counts}")


@pytest.mark.parametrize("engine, form", [
    pytest.param("async", "a", marks=[pytest.mark.asan, pytest.mark.emulated_more]),
    pytest.param("async", "b", marks=[thorough, pytest.mark.emulated_more]),
    pytest.param("clock", "a", marks=[pytest.mark.alone, pytest.mark.emulated_more]),
    pytest.param("clock", "b", marks=pytest.mark.alone)])
def test_each_virtual_thread_has_its_samples(jdk, shared_run, engine, form):
    threads = 8
    run = shared_run(jdk, "VirtualNamed", f"{CPU},{OWN},engine={engine},format={form}", "work",
                     threads, 60, java_opts=CARRIERS)
    check(run.truth["carriers.count"] >= 2, run, "the threads stayed on one carrier")
    profile = run.profile()
    check_records(run, profile, "worker-", threads)
    counts = by_thread(profile, "VirtualNamed.spin")
    total = sum(counts.values())
    own = sum(count for name, count in counts.items() if name.startswith("worker-"))
    check_time(own >= at_least(total, 0.995), run,
               f"{own} of {total} are of the workers: {counts}")
    check_shares(run, counts, threads)
    if engine == "async":
        check_cpu(run, "spin", total, sum(spun_ns(run, threads)))


def test_without_the_option_the_carriers_have_the_same_samples(jdk, shared_run):
    own = shared_run(jdk, "VirtualNamed", f"{CPU},{OWN},engine=async,format=a", "work", 8, 60,
                     java_opts=CARRIERS)
    run = shared_run(jdk, "VirtualNamed", f"{CPU},thread=y", "work", 8, 60, java_opts=CARRIERS)
    counts = by_thread(run.profile(), "VirtualNamed.spin")
    check(all(name.startswith("ForkJoinPool-1-worker") for name in counts), run, f"{counts}")
    check_cpu(run, "spin", sum(counts.values()), sum(spun_ns(run)))
    check_cpu(own, "spin", samples(own.profile(), "VirtualNamed.spin"), sum(spun_ns(own)))
    names = {thread.name for thread in run.profile().threads.values()}
    check(not any(name.startswith("worker-") for name in names), run, f"{names}")


def test_stacks_of_resumed_virtual_threads_are_whole(jdk, shared_run):
    run = shared_run(jdk, "VirtualNamed", f"{CPU},{OWN},engine=async,format=a", "work", 8, 60,
                     java_opts=CARRIERS)
    rows = [row for row in run.profile().rows if "VirtualNamed.work" in row.names]
    total = sum(row.count for row in rows)
    whole = sum(row.count for row in rows
                if any(name.startswith("VirtualNamed.lambda") for name in row.names))
    check(whole >= at_least(total, 0.95), run, f"{whole} of {total} samples have the callers")


@pytest.mark.parametrize("engine, more, form", [
    pytest.param("async", "", "a", marks=thorough),
    pytest.param("async", "", "b", marks=pytest.mark.asan),
    pytest.param("async", ",monitor=y", "a", marks=pytest.mark.asan),
    *[pytest.param("clock", more, form, marks=pytest.mark.alone)
      for more, form in (("", "a"), ("", "b"), (",monitor=y", "a"))]])
def test_virtual_threads_that_run_at_an_attach_are_named(java, engine, more, form):
    # A worker spins for 0.3 ms or more in each round, of which one in four is then sampled.
    live = java.start("VirtualNamed", None, "attached", 20, 1500, 80, stdin=subprocess.PIPE,
                      java_opts=("-Djdk.virtualThreadScheduler.parallelism=4",))
    live.wait_stdout("ready=1")
    options = f"{CPU},{OWN},engine={engine}{more},format={form},file=a"
    check(attach(live, options) == DONE, live.run, "attach")
    live.send_line("go")
    run = live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    run.options, run.binary = options, form == "b"
    profile = run.profile(run.directory / "a")
    check_records(run, profile, "worker-", 20,
                  at_least_one=engine == "clock" or not TIMES_JUDGED)
    check_records(run, profile, "busy-", 2)
    counts = by_thread(profile, "VirtualNamed.spin")
    own = sum(count for name, count in counts.items() if name.startswith(("worker-", "busy-")))
    check_time(own >= at_least(sum(counts.values()), 0.99), run, f"{counts}")
    check_busy(run, counts, 5)


@pytest.mark.asan
def test_each_of_two_profiles_names_the_virtual_threads(java):
    """The carriers, and the virtual threads on them, remain from one to the next."""
    live = java.start("VirtualNamed", None, "attached", 4, 700, stdin=subprocess.PIPE,
                      java_opts=("-Djdk.virtualThreadScheduler.parallelism=4",))
    live.wait_stdout("ready=1")
    options = f"{CPU},{OWN},verbose=n"
    check(attach(live, f"{options},file=a") == DONE, live.run, "attach")
    let_use(live, 0.5)
    check(attach(live, "stop") == DONE, live.run, "stop")
    let_use(live, 0.3)
    check(attach(live, f"{options},file=b") == DONE, live.run, "second attach")
    live.send_line("go")
    run = live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    run.options = options
    for name in ("a", "b"):
        profile = run.profile(run.directory / name)
        counts = by_thread(profile, "VirtualNamed.spin")
        total = sum(counts.values())
        own = sum(counts[thread] for thread in counts if thread.startswith(("worker-", "busy-")))
        check_time(own >= at_least(total, 0.99), run, f"{name}: {counts}")
        check_busy(run, counts, 5)


def storm(shared_run, jdk, more, count, mode=CPU):
    return shared_run(jdk, "VirtualNamed", f"{more}{mode},{OWN}", "storm", count,
                      java_opts=(*CARRIERS, "-Xmx128m", "-Xms128m", "-XX:+AlwaysPreTouch"))


@pytest.mark.parametrize("more, count", [
    ("", 100_000), pytest.param("monitor=y,", 20_000, marks=pytest.mark.asan),
    pytest.param("heap=sites,", 20_000, marks=pytest.mark.asan)])
def test_short_virtual_threads_have_one_record_if_any(jdk, shared_run, more, count):
    run = storm(shared_run, jdk, more, count)
    profile = run.profile()
    short = [thread for thread in profile.threads.values() if thread.name.startswith("short-")]
    check(len({t.name for t in short}) == len(short), run, "a name has two THREAD STARTs")
    alive = [thread.name for thread in short if not thread.ended]
    check(not alive, run, f"{len(alive)} threads have no end: {alive[:10]}")
    if more == "":
        check(0 < len(short) <= profile.total, run,
              f"{len(short)} threads have records, {profile.total} samples")


def test_short_virtual_threads_leave_no_memory_behind(jdk, shared_run):
    run = storm(shared_run, jdk, "", 100_000)
    grown = run.truth["after.rss_kb"] - run.truth["before.rss_kb"]
    check(grown < 16 * 1024, run, f"{grown} kB more after 80,000 more threads")


@pytest.mark.parametrize("mode", [
    "cpu=times", pytest.param("cpu=times,msa=y", marks=thorough)])
def test_calls_of_short_virtual_threads_leave_little_memory_behind(jdk, shared_run, mode):
    """Their names, and the costs that the table can show; all of their costs take 10 KB each."""
    run = storm(shared_run, jdk, "", 90_000, mode)
    grown = run.truth["after.rss_kb"] - run.truth["before.rss_kb"]
    check(grown < 72_000, run, f"{grown} kB more after 72,000 more threads")
    check(run.profile().rows, run, "the table has no rows")


# check-more has these with vthreads=y, and the others without it.
NAMED_WAYS = {("", "b"): pytest.mark.asan, (",live=n", "a"): pytest.mark.asan,
              (",stacks=check", "a"): pytest.mark.asan, (",monitor=y", "a"): ()}


@pytest.mark.parametrize("more, form", [
    pytest.param(*way, marks=NAMED_WAYS.get(way, thorough)) for way in SITES_WAYS])
def test_objects_count_for_the_virtual_thread_that_allocates_them(run_java, more, form):
    threads = 8
    run = run_java("VirtualNamed", f"{SITES},{OWN}{more},format={form}", "allocate", threads, 100,
                   java_opts=CARRIERS)
    profile = run.profile()
    check_records(run, profile, "worker-", threads)
    counts = objects_by_thread(profile)
    parts = {f"worker-{i}": (i % PARTS + 1) * 100 for i in range(threads)}
    check(counts == parts, run, f"{counts}, should be {parts}")
    if form == "b":
        check_loaders(run, profile)


def objects_by_thread(profile):
    counts = Counter()
    for row in profile.sites[-1].rows:
        name = row.loaded.name if hasattr(row, "loaded") else row.class_name
        if name == "VirtualNamed$Item" and row.trace.frames[0].name == "VirtualNamed.allocate":
            counts[thread_of(profile, row.trace)] += row.allocated_objects
    return counts


def check_loaders(run, profile):
    """A class has the trace of the virtual thread that loaded it."""
    for number in (0, 1):
        loaded = next(c for c in profile.classes.values() if c.name == f"VirtualNamed$Late{number}")
        trace = loaded.trace
        check(thread_of(profile, trace) == f"worker-{number}", run,
              f"{loaded} was loaded by {thread_of(profile, trace)}")


@pytest.mark.parametrize("more", ["", ",live=n"])
def test_sampled_objects_have_virtual_threads_too(run_java, more):
    run = run_java("VirtualNamed", f"{SITES},{OWN},heapinterval=512{more}", "allocate", 8, 4000,
                   java_opts=CARRIERS)
    counts = objects_by_thread(run.profile())
    check(counts and all(name.startswith("worker-") for name in counts), run, f"{counts}")


@pytest.mark.parametrize("more, form", [
    *[pytest.param(*way, marks=thorough if way in NAMED_WAYS else ()) for way in SITES_WAYS],
    (",cpu=samples,engine=clock", "b")])
def test_without_the_option_objects_count_for_carriers(run_java, more, form):
    run = run_java("VirtualNamed", f"{SITES},thread=y{more},format={form}", "allocate", 8, 100,
                   java_opts=CARRIERS)
    profile = run.profile()
    counts = objects_by_thread(profile)
    check(sum(counts.values()) == 2000, run, f"{counts}, should be 2000 in all")
    check(all(name.startswith("ForkJoinPool-1-worker") for name in counts), run, f"{counts}")
    if form == "b":
        for loaded in profile.classes.values():
            if loaded.name.startswith("VirtualNamed$Late"):
                name = thread_of(profile, loaded.trace)
                check(name.startswith("ForkJoinPool-1"), run, f"{loaded} was loaded by {name}")


class NamedSession(Session):
    """Virtual threads under a peer; four work and park, two never park."""

    def __init__(self, java):
        self.peer = Peer()
        self.live = java.start("VirtualNamed", f"{CPU},{OWN},format=b,"
                               f"net=127.0.0.1:{self.peer.port}", "attached", 4, 100,
                               stdin=subprocess.PIPE,
                               java_opts=("-Djdk.virtualThreadScheduler.parallelism=4",))
        self.live.wait_stdout("ready=1")
        self.peer.wait(lambda: any(tag == net_peer.SETTINGS for tag, _ in self.peer.records()),
                       "CONTROL SETTINGS")

    def by_thread(self, *busy):
        """Samples from now on, by thread name, once there are some hundreds, and more than 20 of each
        of these threads, which get a CPU at last."""
        self.peer.control(net_peer.CLEAR)
        self.let_have(300)
        wait_until(lambda: min(self.counts()[name] for name in busy) > 20, self.live)
        return self.counts()

    def counts(self):
        rows = self.samples()[1]
        profile = self.profile()
        counts = Counter()
        for count, serial in rows:
            counts[thread_of(profile, profile.traces[serial])] += count
        return counts


@pytest.mark.asan
def test_the_peer_switches_off_one_virtual_thread(java):
    session = NamedSession(java)
    run = session.live.run
    check_busy(run, session.by_thread("busy-0", "busy-1"), 20)
    session.peer.control(net_peer.SAMPLING_OFF, session.thread_id("busy-0"))
    counts = session.by_thread("busy-1")
    check(counts["busy-0"] == 0 and counts["busy-1"] > 20, run, f"{counts} after the command")
    session.peer.control(net_peer.SAMPLING_ON, session.thread_id("busy-0"))
    check_busy(run, session.by_thread("busy-0", "busy-1"), 20)
    session.end()
