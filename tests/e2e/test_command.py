"""The hprof command: its results for profiles are compared with the independent readers, and
its effects on JVMs with what the JVMs report."""

import gzip
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest

from readers import hprof_binary, hprof_text
from support import processes
from support.builds import COMMAND, JDKS, PLATFORM
from support.checks import check_cpu, samples
from support.command import clean_environment, collapsed, expected_stacks, hprof, java_command
from support.live_run import TIMEOUT_S
from support.runner import Runner

SVG = "{http://www.w3.org/2000/svg}"


def check_svg(path, *arguments, total, unit):
    """The picture is XML that needs nothing else, and its root frame has all costs."""
    hprof("report", "--flame", "-o", path, *arguments)
    assert path.stat().st_mode & 0o777 == 0o600
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0] == f"all ({total} {unit}, 100.00%)"
    for element in root.iter():
        for name, value in element.attrib.items():
            assert "href" not in name and "url(" not in value and "//" not in value, value
    assert "".join(element.text or "" for element in root.iter(f"{SVG}script")).strip()
    return titles


# ---- profiles ----------------------------------------------------------------------------

@pytest.fixture
def run(class_path, tmp_path):
    """Runs a program under one JDK: what is asked here is not the JVM."""
    runner = Runner(JDKS[-1], class_path, tmp_path)
    yield lambda main, options, *args: runner.run(main, f"{options},verbose=n", *args)
    runner.close()


@pytest.mark.emulated
@pytest.mark.parametrize("options", [
    pytest.param("cpu=samples,interval=1,depth=20,thread=y", marks=pytest.mark.asan),
    "heap=sites", "heap=dump",
    pytest.param("heap=all,depth=0,cpu=samples", marks=pytest.mark.asan)])
def test_binary_profiles_pass_the_check_and_are_counted(run, options):
    done = run("Burn", f"{options},format=b", 100)
    said = hprof("check", done.output).stdout.decode()
    assert said.endswith(": no errors\n"), said
    counts = Counter(hprof_binary.parse(done.output.read_bytes()).tags)
    for name, tag in (("STRING", 1), ("LOAD CLASS", 2), ("STACK FRAME", 4), ("STACK TRACE", 5),
                      ("ALLOC SITES", 6), ("CPU SAMPLES", 13), ("HEAP DUMP SEGMENT", 28)):
        row = re.search(rf"^{name} +(\d+) ", said, re.M)
        assert (int(row[1]) if row else 0) == counts[tag], (name, said)


@pytest.mark.any_jvm
def test_broken_and_compressed_files_are_distinguished(run, tmp_path):
    data = run("Hello", "heap=dump,format=b").output.read_bytes()
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(data[:5000]) + gzip.compress(data[5000:]))
    hprof("check", packed)
    broken = tmp_path / "broken"
    broken.write_bytes(data[:-30])
    said = hprof("check", broken, exit_code=1).stdout.decode()
    assert re.search(r": offset \d+: .*the file ends inside it$", said, re.M), said
    broken.write_bytes(data[:100] + data[120:])
    hprof("check", broken, exit_code=1)
    hprof("check", "-", stdin=subprocess.DEVNULL, exit_code=1)


@pytest.mark.any_jvm
@pytest.mark.asan
@pytest.mark.parametrize("form", ["a", "b"])
def test_stacks_of_samples_are_those_of_the_file(run, tmp_path, form):
    done = run("Burn", f"cpu=samples,interval=1,depth=20,format={form},cutoff=0", 300)
    profile = done.profile()
    wanted = expected_stacks(profile.rows, lambda row: row.count)
    assert sum(wanted.values()) == profile.total > 0
    check_cpu(done, "Burn.work", samples(profile, "Burn.work"), done.truth["work.cpu_ns"])
    assert collapsed(done.output) == wanted
    titles = check_svg(tmp_path / "flame.svg", done.output, total=profile.total, unit="samples")
    most = max(wanted, key=wanted.get)
    assert any(title.startswith(most.split(";")[-1] + " (") for title in titles)
    text = hprof("report", done.output, "--top", 0).stdout.decode()
    rows = re.findall(r"^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) \S", text, re.M)
    assert [(int(count), int(trace)) for count, trace in rows] == [
        (row.count, row.trace.serial) for row in profile.rows]


@pytest.mark.any_jvm
def test_stacks_of_times_and_sites_are_those_of_the_file(run):
    done = run("TimesCalls", "cpu=times,cutoff=0", 1000)
    section = done.profile().titled("CPU TIME")[0]
    above = 0
    costs = {}
    for row in section.rows:
        accumulated = round(row.accum_percent * 100)
        costs[row.rank] = section.total * (accumulated - above) * 100
        above = accumulated
    wanted = expected_stacks(section.rows, lambda row: costs[row.rank])
    assert above == 10000 and sum(wanted.values()) == section.total * 1000000
    assert collapsed("--of", "times", done.output) == wanted

    done = run("Burn", "heap=sites,cutoff=0", 10)
    sites = done.profile().sites[-1]
    wanted = expected_stacks(sites.rows, lambda row: row.live_bytes,
                             lambda row: [row.class_name])
    assert collapsed(done.output) == wanted


@pytest.mark.any_jvm
@pytest.mark.parametrize("form", ["a", "b"])
def test_a_heap_dump_is_a_histogram_by_class(run, form):
    done = run("HeapGraph", f"heap=dump,depth=0,format={form}", 500)
    heap = done.profile().heaps[0]
    text = hprof("report", "--top", 0, done.output).stdout.decode()
    rows = re.findall(r"^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) (\S.*)$", text, re.M)
    counts = {name: int(objects) for objects, _, name in rows}
    assert sum(counts.values()) == len(heap.objects)
    assert counts["HeapGraph$Node"] == int(done.truth["nodes"])
    hprof("report", "--collapsed", done.output, exit_code=1)


@pytest.mark.any_jvm
def test_what_exists_is_never_written_over(run, tmp_path):
    done = run("Hello", "cpu=samples")
    there = tmp_path / "there.svg"
    there.write_text("mine")
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "target")
    for name in (there, link):
        said = hprof("report", "-o", name, done.output, exit_code=1).stderr
        assert said.startswith(b"hprof: ") and said.count(b"\n") == 1
    assert there.read_text() == "mine" and not (tmp_path / "target").exists()


# ---- JVMs --------------------------------------------------------------------------------

@pytest.mark.any_jvm
def test_run_is_java_with_the_agent(jdk, class_path, tmp_path):
    done = hprof("run", "cpu=samples", "--", *java_command(jdk, class_path, "ExitCode"),
                 cwd=tmp_path, exit_code=3, env=clean_environment())
    assert b"exiting" in done.stdout
    hprof_text.parse((tmp_path / "java.hprof.txt").read_bytes())
    done = hprof("run", "cpu=bogus", "--", *java_command(jdk, class_path, "Hello"), exit_code=1,
                 env=clean_environment())
    assert b"option cpu=bogus" in done.stderr


@pytest.mark.any_jvm
def test_a_signal_to_run_is_one_to_java(jdk, class_path, tmp_path):
    with processes.start([COMMAND, "run", "cpu=samples,verbose=n", "--",
                          *java_command(jdk, class_path, "SleepThenExit", 60000)],
                         cwd=tmp_path, stdout=subprocess.PIPE, env=clean_environment()) as live:
        while b"ready=1" not in live.stdout.readline():
            assert live.poll() is None
        live.send_signal(signal.SIGTERM)
        assert live.wait(TIMEOUT_S) == 128 + signal.SIGTERM
    assert b"CPU SAMPLES END" in (tmp_path / "java.hprof.txt").read_bytes()


def test_attach_profiles_a_jvm_that_runs(jdk, java, tmp_path):
    live = java.start("SleepThenExit", None, 60000)
    live.wait_stdout("ready=1")
    output = tmp_path / "with blank.txt"
    pid = live.process.pid
    home = clean_environment(JAVA_HOME=str(jdk.home))
    hprof("attach", pid, f"cpu=samples,interval=1,file={output}", env=home)
    hprof("attach", pid, "stop", env=home)
    assert hprof_text.parse(output.read_bytes()).created
    said = hprof("attach", pid, "stop", env=home, exit_code=1).stderr
    assert b"refused" in said and str(pid).encode() in said
    live.kill()
    said = hprof("attach", pid, "stop", env=home, exit_code=1).stderr
    assert str(pid).encode() in said and said.count(b"\n") == 1, said


class Listener:
    """A `hprof listen`, on a port of the system's choice unless address says otherwise."""

    def __init__(self, *arguments, address="localhost:0"):
        self.process = processes.start([COMMAND, "listen", *arguments, address],
                                       stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stderr.readline().strip()
        if address.startswith("unix:"):
            assert line.decode() == f"hprof: listening on {address}"
        else:
            self.port = int(re.search(rb":(\d+)$", line)[1])

    def finish(self, exit_code=0):
        said = self.process.communicate(timeout=TIMEOUT_S)[1]
        assert self.process.returncode == exit_code, said
        return said


@pytest.mark.any_jvm
@pytest.mark.ports
@pytest.mark.parametrize("kind", [pytest.param("path", marks=pytest.mark.asan), "abstract"])
def test_a_stream_within_this_system_by_the_name_of_a_socket(jdk, java, tmp_path, kind):
    if kind == "abstract" and PLATFORM != "linux":
        pytest.skip("abstract names are Linux's")
    name = str(tmp_path / "s") if kind == "path" else f"@hprof-test-{os.getpid()}-{jdk.version}"
    output = tmp_path / "stream.hprof"
    listener = Listener("-o", output, "--send", "dump heap", address=f"unix:{name}")
    if kind == "path":
        assert (tmp_path / "s").stat().st_mode & 0o777 == 0o600
    run = java.run("Hello", f"heap=dump,format=b,verbose=n,net=unix:{name}")
    assert not run.agent_lines, run.stderr
    listener.finish()
    assert not (tmp_path / "s").exists()
    assert hprof_binary.parse(output.read_bytes()).heaps


@pytest.mark.any_jvm
def test_no_profile_for_whom_the_user_has_not_chosen(jdk, java, tmp_path):
    """Nobody listens; another user does. The program does not begin."""
    names = [tmp_path / "nobody"]
    if os.geteuid() == 0 and PLATFORM == "linux":
        script = ("import os, socket, sys; s = socket.socket(socket.AF_UNIX); "
                  "os.setgid(65534); os.setuid(65534); s.bind('\\0' + sys.argv[1]); s.listen(); "
                  "print('ready', flush=True); c, _ = s.accept(); print(c.recv(9))")
        name = f"hprof-planted-{os.getpid()}-{jdk.version}"
        names.append(f"@{name}")
        planted = processes.start([sys.executable, "-c", script, name], stdout=subprocess.PIPE)
        planted.stdout.readline()
    for name in names:
        run = java.run("Hello", f"cpu=samples,net=unix:{name}", exit_code=1)
        assert run.stdout == "" and len(run.agent_lines) == 1, run.stderr
        assert f"can't connect to unix:{name}" in run.stderr
    if len(names) > 1:
        assert "another user" in run.stderr
        assert planted.communicate(timeout=TIMEOUT_S)[0] == b"b''\n"


@pytest.mark.any_jvm
@pytest.mark.asan
def test_listen_takes_the_stream_and_sends_commands(jdk, java, tmp_path):
    output = tmp_path / "stream.hprof"
    listener = Listener("-o", output)
    live = java.start("Commanded", "cpu=samples,interval=1,heap=dump,format=b,"
                      f"net=localhost:{listener.port}", stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    listener.process.stdin.write(b"dump traces\nno such command\ncontrol depth 7\n"
                                 b"cpu samples\ndump heap\nheap summary\neof\n")
    listener.process.stdin.flush()
    said = listener.finish()
    assert b"unknown command no such command" in said
    assert live.alive()
    live.kill()
    assert output.stat().st_mode & 0o777 == 0o600
    profile = hprof_binary.parse(output.read_bytes())
    assert profile.settings[-1].depth == 7
    assert profile.sections and profile.heaps and profile.summaries
    hprof("check", output)


@pytest.mark.any_jvm
def test_listen_sends_what_its_options_say(jdk, java, tmp_path):
    output = tmp_path / "stream.hprof"
    listener = Listener("-o", output, "--send", "heap summary", "--send", "exit")
    run = java.start("Commanded", "cpu=samples,format=b,verbose=n,"
                     f"net=localhost:{listener.port}", stdin=subprocess.PIPE).finish()
    listener.finish()
    assert run.exit_code == 0
    assert hprof_binary.parse(output.read_bytes()).summaries


@pytest.mark.any_jvm
def test_listen_is_for_this_machine_only_unless_requested(tmp_path):
    listener = Listener("-o", tmp_path / "out", address="0")
    with listener.process as process:
        tables = [Path(f"/proc/net/{name}").read_text(encoding="ascii") for name in ("tcp", "tcp6")]
        process.kill()
    addresses = re.findall(rf"^ *\d+: (\w+):{listener.port:04X} ", "".join(tables), re.M)
    assert addresses == ["0100007F"]
