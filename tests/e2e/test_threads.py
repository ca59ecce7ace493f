"""Threads: many, short-lived, and with unusual names."""

import re
import subprocess

import pytest

from support.checks import at_least, at_most, check, check_stacks, samples
from support.command import hprof
from support.live_run import sigquit

CROWD = ("ManyThreads", "cpu=samples,cutoff=0,depth=16,lineno=n", 2000, 200, 8000, 3000)

# The names that OddNames gives its threads.
ODD_NAMES = [
    'quote " inside',
    'forged", group="fake")\nTHREAD END (id = 200001)',
    "line\nbreak\r\tand tab",
    "back\\slash",
    "Grüße 日本語",
    "emoji 😀 pair",
    None,  # with half a surrogate pair, which UTF-8 can't say
    "nul \0 inside",
    "escape \x1b[31m red",
    "",
    "long " + "x" * 3000,
]


def test_two_thousand_threads_start_and_end_in_balance(jdk, shared_run):
    run = shared_run(jdk, *CROWD)
    check(run.truth["ended"] == 2000 and run.truth["most_alive"] >= 200, run,
          "the program did not do what the test needs")
    many = [t for t in run.profile().threads.values() if t.name.startswith("many-")]
    check(sorted(t.name for t in many) == sorted(f"many-{i}" for i in range(2000)), run,
          f"{len(many)} threads started in the file")
    alive = [t.name for t in many if not t.ended]
    check(not alive, run, f"{len(alive)} threads never ended: {alive[:5]}")


def test_two_thousand_threads_leave_no_descriptor_timer_or_memory_behind(jdk, shared_run):
    run = shared_run(jdk, *CROWD)
    truth = run.truth
    for what, slack in (("fds", 4), ("timers", 4), ("tasks", 10), ("rss_kb", 64 * 1024)):
        before, after = truth[f"before.{what}"], truth[f"after.{what}"]
        check(after <= before + slack, run, f"{what} rose from {before} to {after}")


def test_threads_shorter_than_the_interval_are_counted_fairly(jdk, shared_run):
    """Each thread has 3 ms of CPU time and the interval is 10: two thousand of
    them must still show 6 s, as far from it as a fair lottery of as many draws may be."""
    run = shared_run(jdk, *CROWD)
    profile = run.profile()
    shown = samples(profile, "ManyThreads.body")
    real_ns, threads = run.truth["workers.cpu_ns"], run.truth["ended"]
    share = real_ns / run.interval_ns / threads
    least, most = at_least(threads, share), at_most(threads, share)
    check(least <= shown <= most, run, f"{shown} samples, should be {least} to {most} for "
                                       f"{real_ns / 1e6:.0f} ms that the threads measured")
    check_stacks(run, profile)


@pytest.mark.asan
def test_odd_thread_names_stay_on_their_line_in_text(run_java):
    run = run_java("OddNames", "cpu=samples,cutoff=0")
    found = {thread.name: thread for thread in run.profile().threads.values()}
    for name in ODD_NAMES:
        if name is not None and name.isprintable() and not re.search(r'["\\]', name):
            check(name in found, run, f"no thread {name!r} among {sorted(found)}")
    for part in ("quote", "forged", "line", "back", "lone", "nul", "escape"):
        (match,) = [name for name in found if name.startswith(part)]
        check(found[match].ended and found[match].group == "main", run, f"{match!r} did not end")
    check(not any(thread.group == "fake" for thread in found.values()), run, "a forged group")


@pytest.mark.asan
def test_odd_thread_names_are_exact_in_binary(run_java):
    run = run_java("OddNames", "cpu=samples,cutoff=0,format=b")
    found = {thread.name: thread for thread in run.profile().threads.values()}
    missing = [name for name in ODD_NAMES if name is not None and name not in found]
    check(not missing, run, f"no threads {missing} among {sorted(found)}")
    lone = [name for name in found if name.startswith("lone ") and name.endswith(" surrogate")]
    check(len(lone) == 1, run, "no thread for the name with half a surrogate pair")
    check(all(found[name].ended for name in ODD_NAMES if name is not None), run,
          "not all threads ended")


@pytest.mark.parametrize("form", ["a", "b"])
def test_a_renamed_thread_has_its_last_name(run_java, form):
    """In its records, in its row of microstates, and in reports of what it did."""
    msa = ",msa=y" if form == "a" else ""
    run = run_java("Renamed", f"cpu=samples,interval=1,thread=y,cutoff=0,format={form}{msa}")
    profile = run.profile()
    names = [thread.name for thread in profile.threads.values()]
    check({"last ended", "last alive", "never"} <= set(names), run, f"{names}")
    check(not any(name.startswith(("first", "middle")) for name in names), run, f"{names}")
    for rows in profile.lives if form == "a" else []:
        listed = [row.thread.name for row in rows]
        check({"last ended", "last alive", "never"} <= set(listed), run, f"{listed}")
    said = hprof("report", "--by", "thread", run.output).stdout.decode()
    for name in ("last ended", "last alive", "never"):
        serial = next(thread.id for thread in profile.threads.values() if thread.name == name)
        check(re.search(rf" {serial} {name}$", said, re.M), run, said)
    check("first" not in said and "middle" not in said, run, said)


def test_a_dump_has_the_names_of_that_time(java):
    live = java.start("Renamed", "cpu=samples,msa=y,thread=y", "wait", stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    sigquit(live)
    live.send_line("go")
    run = live.finish()
    run.profile()
    sections = [set(re.findall(r'"(.*)"$', part.partition("THREAD MICROSTATES (ms) END")[0], re.M))
                for part in run.output.read_text().split("\nTHREAD MICROSTATES (ms) BEGIN ")[1:]]
    check(len(sections) == 2, run, f"{len(sections)} sections")
    check({"last ended", "middle alive", "never"} <= sections[0], run, f"{sections[0]}")
    check({"last alive", "never"} <= sections[1] and "middle alive" not in sections[1], run,
          f"{sections[1]}")
