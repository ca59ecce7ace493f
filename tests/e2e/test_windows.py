"""The agent and the command in a JVM for Windows (`make e2e-windows`): every mode, with programs
that know the right answer, small enough for Wine, where each reading of a thread's CPU time and each
wait is a request to another process. Times are judged where the limits are of the run's own clocks."""

import math
import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

import test_heap_dump as heap_dump
import test_monitors as monitors
import test_net_commands as net_commands
import test_net_heap as net_heap
import test_output as output
from readers import hprof_text
from support.attach import jcmd
from support.builds import AGENT, PLATFORM, VIRTUAL_THREADS
from support.checks import check, check_cpu, check_refused, samples
from support.command import clean_environment, hprof
from support.live_run import let_use, sigquit
from test_cpu_old import run_pairs
from test_cpu_times import run_calls
from test_heap_sites import check_truth, last_sites, sums
from test_microstates import check_life, life_of

pytestmark = pytest.mark.skipif(PLATFORM != "windows", reason="in a JVM for Windows")

SITES = "heap=sites,cutoff=0"


# ---- calls ---------------------------------------------------------------------------------

@pytest.mark.parametrize("main, count, options", [
    ("TimesCalls", 300, "depth=16"), ("TimesThrows", 300, "depth=6"), ("TimesWays", 20, "depth=8"),
    ("TimesCalls", 3, "depth=16,msa=y")])
def test_calls_are_counted_at_their_trace(run_java, main, count, options):
    run_calls(run_java, main, count, options=f",{options}")


def test_calls_of_virtual_threads_are_counted(jdk, run_java):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads")
    run_calls(run_java, "TimesVirtual", 50, 4, 20, options=",depth=5")


@pytest.mark.parametrize("main, count", [("TimesCalls", 300), ("TimesThrows", 300)])
def test_calls_are_counted_at_their_pair(run_java, main, count):
    run_pairs(run_java, main, count)


# ---- samples -------------------------------------------------------------------------------

@pytest.mark.parametrize("format_", ["a", "b"])
def test_samples_are_the_cpu_time_that_the_program_measured(run_java, format_):
    run = run_java("Burn", f"cpu=samples,cutoff=0,depth=16,format={format_}", 1500)
    count = samples(run.profile(), "Burn.work")
    check(count > 0, run, "no samples of Burn.work")
    check_cpu(run, "Burn.work", count, run.truth["work.cpu_ns"], judge=check)


def test_microstates_are_the_times_that_the_program_measured(run_java):
    run = run_java("Lives", "cpu=samples,msa=y", "mixed", 1000)
    profile = run.profile()
    check_life(run, life_of(run, profile, "mixed"), "mixed", judge=check)


# ---- allocations ---------------------------------------------------------------------------

@pytest.mark.parametrize("more, count", [("", 100), (",live=n", 100), (",stacks=check", 12)])
def test_objects_are_counted_at_their_site(run_java, more, count):
    run = run_java("SitesTruth", f"{SITES}{more}", count)
    check_truth(run, last_sites(run), count, live="live=n" not in more)


def plain_rows(run):
    """The rows of the objects of SitesTruth$Plain, in either format."""
    return [row for row in run.profile().sites[-1].rows
            if (row.loaded.name if run.binary else row.class_name) == "SitesTruth$Plain"]


def test_binary_records_have_the_sites(run_java):
    run = run_java("SitesTruth", f"{SITES},format=b", 100)
    rows = plain_rows(run)
    check(sums(rows) == (200 * 24, 200, 800 * 24, 800), run, f"{sums(rows)}")


# ---- heap dumps ----------------------------------------------------------------------------

@pytest.mark.parametrize("dumper", heap_dump.DUMPERS)
def test_a_binary_dump_has_all_values(run_java, dumper):
    heap_dump.test_a_binary_dump_has_all_values(run_java, dumper)


@pytest.mark.parametrize("dumper", heap_dump.DUMPERS)
def test_a_text_dump_has_objects_and_roots(run_java, dumper):
    run = run_java("HeapGraph", heap_dump.options(dumper), heap_dump.NODES)
    heap = heap_dump.only_heap(run)
    heap_dump.check_known_objects(run, heap)
    heap_dump.check_roots(run, run.profile(), heap)
    left = [file.name for file in run.directory.iterdir() if file != run.output]
    check(not left, run, f"other files: {left}")


@pytest.mark.parametrize("dumper", heap_dump.DUMPERS)
def test_a_peer_receives_a_binary_dump_at_the_end(run_java, dumper):
    listener = output.Listener()
    run = run_java("HeapGraph", f"{heap_dump.options(dumper, 'b')},net=127.0.0.1:{listener.port}",
                   heap_dump.NODES)
    profile = run.parse(listener.close())
    check(len(profile.heaps) == 1, run, f"{len(profile.heaps)} heap dumps, should be one")
    heap_dump.check_known_objects(run, profile.heaps[0])
    heap_dump.check_roots(run, profile, profile.heaps[0])


@pytest.mark.parametrize("format_", ["a", "b"])
def test_heap_all_has_the_sites_and_a_dump(run_java, format_):
    run = run_java("SitesTruth", f"heap=all,cutoff=0,format={format_}", 100)
    rows = plain_rows(run)
    check(sums(rows) == (200 * 24, 200, 800 * 24, 800), run, f"{sums(rows)}")
    dumped = heap_dump.only_heap(run).histogram().get("SitesTruth$Plain", 0)
    check(dumped == 200, run, f"{dumped} objects of SitesTruth$Plain are in the dump, 200 live")


# ---- monitors, and requests of Ctrl-Break --------------------------------------------------

def test_waits_for_monitors_take_as_long_as_the_threads_waited(run_java):
    run = run_java("Monitors", "monitor=y,cutoff=0", "contend", 60)
    monitors.check_times(run, run.profile(), judge=check)


def test_lines_of_waits_tell_how_long_each_took(java):
    run, profile, _ = monitors.dump_of(java, "Monitors", "wait", 700)
    for name in ("notified", "notified-too", "interrupted", "timed"):
        waited, = (wait for wait in profile.waits if wait.kind == "WAITED"
                   and (wait.thread.name, wait.monitor) == (name, "LMonitors$Bell;"))
        least_ms, most_ms = monitors.waited_ms(run, name)
        check(math.floor(least_ms) <= waited.ms <= most_ms, run,
              f"{name} waited {waited.ms} ms, from {least_ms:.3f} to {most_ms:.3f}")


def test_ctrl_break_dumps_the_monitors_of_a_deadlock(java):
    monitors.test_a_dump_shows_the_cycle_of_a_deadlock(java)


def test_ctrl_break_adds_sections(java):
    live = java.start("Lives", "cpu=times,monitor=y,cutoff=0", "sleep", 10, 1, "stays",
                      stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    sigquit(live)
    sigquit(live)
    live.send_line("end")
    run = live.finish()
    profile = run.profile()
    check(len(profile.sections) == 3, run, f"{len(profile.sections)} sections, should be 3")
    check(run.exit_code == 0, run, "exit code")


def test_all_modes_work_together(run_java):
    run = run_java("Hello", "cpu=times,heap=all,monitor=y,msa=y,cutoff=0,depth=8")
    profile = run.profile()
    check([len(part) for part in (profile.sections, profile.monitor_times, profile.lives,
                                  profile.sites, profile.heaps)] == [2, 1, 1, 1, 1], run,
          "there should be CPU TIME, OFF-CPU TIME and one section of each other mode")


# ---- net= ----------------------------------------------------------------------------------

@pytest.mark.parametrize("format_", ["a", "b"])
def test_a_socket_receives_a_whole_stream(run_java, format_):
    output.test_a_socket_receives_one_whole_valid_stream(run_java, format_)


def test_the_peer_has_traces_of_all_threads(java):
    net_commands.test_dump_traces_tells_where_all_threads_are_each_time_it_is_asked(java)


def test_the_peer_has_the_sites(java):
    net_heap.test_alloc_sites_answers_with_what_the_flags_ask_for(java)


def test_the_peer_has_dumps_and_ends_the_program(java):
    net_heap.test_dump_heap_sends_a_whole_dump_each_time_it_is_asked(java)


def test_an_unreachable_peer_is_refused(run_java):
    run = run_java("Hello", "cpu=times,net=127.0.0.1:1", exit_code=None)
    check_refused(run, ["127.0.0.1:1", "Connection refused"])


# ---- files ---------------------------------------------------------------------------------

def test_names_get_a_suffix_and_files_stay(java, tmp_path):
    output.test_force_n_never_writes_over_a_file_but_adds_a_suffix(java, tmp_path, "a",
                                                                   "java.hprof.txt")


# ---- attach --------------------------------------------------------------------------------

@pytest.fixture
def burning(jdk, java):
    """A JVM that uses one CPU, and its pid on Windows."""
    if not (jdk.home / "bin" / "jcmd").exists():
        pytest.skip("this image has no jcmd")
    live = java.start("Burn", None, 600_000)
    pid = live.wait_stdout(r"pid=(\d+)")[1]
    live.wait_stdout("ready=1")
    return live, pid


def test_jcmd_attaches_again_and_again(jdk, burning):
    live, pid = burning
    for number in (1, 2):
        path = live.run.directory / f"{number}.txt"
        text = jcmd(jdk, live, "JVMTI.agent_load", f"{AGENT}",
                    f'"cpu=samples,cutoff=0,file={path}"', pid=pid)
        assert "return code: 0" in text, text
        let_use(live, 0.5)
        text = jcmd(jdk, live, "JVMTI.agent_load", f"{AGENT}", "stop", pid=pid)
        assert "return code: 0" in text, text
        profile = hprof_text.parse(path.read_bytes(), cutoff=0)
        check(samples(profile, "Burn.work") > 0, live.run, f"no samples of Burn.work in {number}")


@pytest.mark.package
def test_hprof_attach_profiles_a_jvm_and_its_messages_come(burning, image):
    live, pid = burning
    directory = live.run.directory
    done = hprof("attach", "-d", "1", "-o", "out.txt", pid, cwd=directory,
                 env=clean_environment(JAVA_HOME=image))
    said = done.stderr.decode().splitlines()
    assert len(said) == 1 and "wrote out.txt" in said[0], said
    profile = hprof_text.parse((directory / "out.txt").read_bytes())
    check(samples(profile, "Burn.work") > 0, live.run, "no samples of Burn.work")
    assert live.alive()


@pytest.mark.package
def test_hprof_attach_takes_letters_beyond_ascii(burning, image, tmp_path):
    live, pid = burning
    home = tmp_path / "JDK für uns"
    home.symlink_to(image)
    hprof("attach", "-d", "1", "-o", "größer.txt", pid, cwd=tmp_path,
          env=clean_environment(JAVA_HOME=str(home)))
    profile = hprof_text.parse((tmp_path / "größer.txt").read_bytes())
    check(samples(profile, "Burn.work") > 0, live.run, "no samples of Burn.work")


# ---- the command ---------------------------------------------------------------------------

@pytest.fixture
def image(jdk):
    """The home of the image of Windows that the JDK's launcher starts."""
    words = jdk.java.read_text(encoding="utf-8").split()
    return os.path.dirname(os.path.dirname(next(w for w in words if w.endswith("java.exe"))))


@pytest.mark.package
def test_run_profiles_and_report_and_check_and_diff_read(class_path, image, tmp_path):
    def run(name, options):
        hprof("run", f"{options},cutoff=0,file={name}", "--", f"{image}/bin/java.exe", "-cp",
              ";".join(map(str, class_path)), "SitesTruth", 20, cwd=tmp_path, env=clean_environment())

    def lines(*arguments):
        return hprof(*arguments, cwd=tmp_path).stdout.decode().splitlines()

    run("old.txt", "heap=sites")
    run("new.txt", "heap=sites")
    assert any("SitesTruth.plain" in line for line in lines("report", "--collapsed", "new.txt"))
    assert any("SitesTruth.plain" in line for line in lines("diff", "old.txt", "new.txt"))
    hprof("report", "-o", "new.html", "new.txt", cwd=tmp_path)
    assert b"</html>" in (tmp_path / "new.html").read_bytes()
    hprof("report", "-o", "new.svg", "new.txt", cwd=tmp_path)
    assert ElementTree.parse(tmp_path / "new.svg").getroot().tag.endswith("}svg")
    said = hprof("report", "-o", "new.pb.gz", "new.txt", cwd=tmp_path, exit_code=None)
    assert said.returncode != 0 and b"protobuf-c" in said.stderr, said
    run("heap.hprof", "heap=all,format=b")
    assert lines("check", "heap.hprof")[-1].endswith(": no errors")


@pytest.mark.package
def test_paths_have_blanks_and_letters_beyond_ascii(class_path, image, tmp_path):
    place = tmp_path / "ein Pfad mit Blänks"
    classes = place / "Größen"
    for directory in class_path:
        shutil.copytree(directory, classes, dirs_exist_ok=True)

    def run(*arguments):
        return hprof("run", *arguments[:-2], "--", f"{image}/bin/java.exe", "-cp", classes, *arguments[-2:],
                     cwd=place, env=clean_environment())

    run(f"heap=sites,cutoff=0,file={place}/Größe.txt", "SitesTruth", 20)
    stacks = hprof("report", "--collapsed", place / "Größe.txt").stdout.decode()
    assert "SitesTruth.plain" in stacks
    said = run("-e", "live", "-o", "für uns.html", "SitesTruth", 20).stderr.decode()
    assert "wrote für uns.html" in said
    assert b"SitesTruth" in (place / "für uns.html").read_bytes()
    run("-e", "live", "-o", "буквы.txt", "SitesTruth", 20)
    assert b"SitesTruth.plain" in (place / "буквы.txt").read_bytes()
    run("-e", "dump", "-o", f"{place}/Größe.hprof", "SitesTruth", 20)
    assert hprof("check", "Größe.hprof", cwd=place).stdout.decode().endswith(": no errors\n")
