"""The library in a host that stands for a JVM (jvmti_host.c), on any system.

HPROF_HOST is the command that runs the host, HPROF_LIBRARY the library, as the host
names it; HPROF_HOST_OS the system (linux, windows). The profiles are read by the
readers of the end-to-end tests.
"""

import os
import pathlib
import shlex
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from readers import hprof_binary, hprof_text  # noqa: E402
from support.checks import TIMES_JUDGED  # noqa: E402

SYSTEM = os.environ["HPROF_HOST_OS"]
# What the systems can't tell of a thread's life.
UNTOLD = {"linux": {"trp", "tfl", "dfl"},
          "windows": {"trp", "tfl", "dfl", "lat", "vcx", "icx"}}[SYSTEM]
INTERVAL_MS = 5
# The kernel knows the beginning of a life to half of that.
TICK_MS = 10

TIMEOUT_S = 300  # three runs under Wine: windows/wine.sh


@dataclass
class Run:
    exit_code: int
    stdout: str
    stderr: str
    facts: dict = field(default_factory=dict)
    ms: dict = field(default_factory=dict)  # cpu_ms, most_cpu_ms and rested_ms, each by thread

    def seen(self):
        return f"exit code {self.exit_code}\nstdout:\n{self.stdout}\nstderr:\n{self.stderr}"


def run(directory, options, *arguments):
    command = [*shlex.split(os.environ["HPROF_HOST"]), os.environ["HPROF_LIBRARY"], options,
               *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, timeout=TIMEOUT_S, check=False,
                          stdin=subprocess.DEVNULL)
    result = Run(done.returncode, done.stdout.decode(errors="replace").replace("\r\n", "\n"),
                 done.stderr.decode(errors="replace").replace("\r\n", "\n"))
    for line in result.stdout.splitlines():
        words = line.split(" ")
        if words[0].endswith("_ms"):
            result.ms.setdefault(words[0], {})[" ".join(words[1:-1])] = float(words[-1])
        else:
            result.facts[words[0]] = words[1:]
    return result


def run_well(directory, options, *arguments):
    result = run(directory, options, *arguments)
    assert result.exit_code == 0 and "done" in result.facts, result.seen()
    assert result.facts["unknown_calls"] == ["0"], result.seen()
    assert result.facts["allocated"] == ["0"], result.seen()
    assert result.facts["local_frames"] == ["0"], result.seen()
    return result


def check_samples(result, section, method, thread):
    """The section has samples of a method that one thread alone runs; they stand for that
    thread's CPU time, but for an interval and those without a stack."""
    count = sum(row.count for row in section.rows if row.names[:1] == [method])
    assert count > 0, f"no samples of {method}\n{result.seen()}"
    if not TIMES_JUDGED:
        return
    shown_ms = count * INTERVAL_MS
    used_ms = result.ms["cpu_ms"][thread]
    stackless = sum(row.count for row in section.rows
                    if row.names[0].startswith(f"{hprof_text.NO_STACK}."))
    least_ms = used_ms - INTERVAL_MS * (1 + stackless)
    assert least_ms <= shown_ms <= result.ms["most_cpu_ms"][thread] + INTERVAL_MS, (
        f"{method}: {shown_ms} ms of samples, {thread} used {used_ms} ms\n{result.seen()}")


def check_two_dumps(result, profile):
    first, second = profile.sections
    check_samples(result, first, "app.Burner.burn", "burner")
    check_samples(result, second, "app.Late.spin", "late é")
    for section in profile.sections:
        resting = sum(row.count for row in section.rows if "app.Burner.rest" in row.names)
        assert not TIMES_JUDGED or (resting - 1) * INTERVAL_MS <= result.ms["most_cpu_ms"]["sleeper"], (
            f"a thread that sleeps has {resting} samples\n{result.seen()}")
    assert all("app.Late.spin" not in row.names for row in first.rows)
    assert all("app.Burner.burn" not in row.names for row in second.rows)


SAMPLES = f"cpu=samples,engine=clock,interval={INTERVAL_MS},depth=8,cutoff=0"


def test_text_profile_has_threads_traces_and_a_section_for_each_dump(tmp_path):
    result = run_well(tmp_path, f"{SAMPLES},file=out.txt")
    profile = hprof_text.parse((tmp_path / "out.txt").read_bytes(), cutoff=0)
    check_two_dumps(result, profile)
    names = {thread.name for thread in profile.threads.values()}
    assert names == {"main", "burner", "sleeper", "late é"}
    burning = next(row for row in profile.sections[0].rows if row.names[:1] == ["app.Burner.burn"])
    assert [(frame.source, str(frame.line)) for frame in burning.frames] == [
        ("Burner.java", "11"), ("Burner.java", "21")], burning.frames


# Timers on CPU clocks do not come in time under QEMU, nor are there any under Wine.
@pytest.mark.skipif(SYSTEM != "linux" or "qemu" in os.environ["HPROF_HOST"],
                    reason="samples by timers on CPU clocks")
@pytest.mark.parametrize("case, name", [
    ("unload", "app.Late.spin"),
    ("unload-loaded-before", "app.Late.spin"),
    ("unload-without-loader", "app.Late.spin"),
    ("unload-without-names", "<unloaded class>.<unknown method>"),
])
def test_ids_of_an_unloaded_class_are_not_used(tmp_path, case, name):
    """The host aborts when it is passed such an id."""
    result = run_well(tmp_path, f"cpu=samples,engine=async,interval={INTERVAL_MS},depth=8,"
                      "cutoff=0,file=out.txt", case)
    profile = hprof_text.parse((tmp_path / "out.txt").read_bytes(), cutoff=0)
    sampled = [row for row in profile.sections[-1].rows if row.names[:1] == [name]]
    assert len(sampled) == 1 and sampled[0].count >= 1, profile.sections[-1].rows
    assert sampled[0].names == [name, "app.Burner.run"], sampled[0].names
    assert "profiling has ended" not in result.stderr, result.seen()


def test_binary_profile_says_the_same_and_that_a_class_was_unloaded(tmp_path):
    result = run_well(tmp_path, f"{SAMPLES},format=b,file=out.hprof")
    profile = hprof_binary.parse((tmp_path / "out.hprof").read_bytes(), cutoff=0)
    check_two_dumps(result, profile)
    unloaded = {record.name for record in profile.classes.values() if record.unloaded}
    assert unloaded == {"app.Late"} or unloaded == {"app/Late"}, unloaded


def test_microstates_are_reported_as_far_as_the_system_does(tmp_path):
    result = run_well(tmp_path, f"{SAMPLES},msa=y,file=out.txt")
    profile = hprof_text.parse((tmp_path / "out.txt").read_bytes(), cutoff=0)
    lives = {life.thread.name: life for rows in profile.lives for life in rows}
    assert {"burner", "sleeper", "late é"} <= set(lives), lives
    for name, life in lives.items():
        columns = {**life.ms, **life.switches}
        reported = {column for column, value in columns.items() if value is not None}
        assert not reported & UNTOLD, f"{name}: {reported}"
        assert {"life", "usr", "slp", "lck"} <= reported, f"{name}: {reported}"
    if not TIMES_JUDGED:
        return
    # Times are cut to a microsecond.
    used_ms = lives["burner"].known("usr", "sys")
    assert result.ms["cpu_ms"]["burner"] - 0.002 <= used_ms <= result.ms["most_cpu_ms"]["burner"], (
        f"{lives['burner']}\n{result.seen()}")
    rested_ms = result.ms["rested_ms"]["sleeper"] - result.ms["most_cpu_ms"]["sleeper"] - TICK_MS / 2
    assert lives["sleeper"].known("slp", "lat") >= rested_ms, f"{lives['sleeper']}\n{result.seen()}"


def test_stream_over_tcp_is_the_file(tmp_path):
    received = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as server:
        def take():
            peer, _ = server.accept()
            with peer:
                while data := peer.recv(65536):
                    received.extend(data)
        taker = threading.Thread(target=take)
        taker.start()
        result = run_well(tmp_path, f"{SAMPLES},net=127.0.0.1:{server.getsockname()[1]}")
        taker.join(30)
    check_two_dumps(result, hprof_text.parse(bytes(received), cutoff=0))


def test_file_name_may_be_in_any_script(tmp_path):
    run_well(tmp_path, f"{SAMPLES},file=größe-日本-%p.txt")
    files = [path.name for path in tmp_path.iterdir()]
    assert len(files) == 1 and files[0].startswith("größe-日本-"), files
    assert files[0][len("größe-日本-"):-len(".txt")].isdigit(), files


def test_force_n_leaves_a_file_and_takes_the_next_name(tmp_path):
    (tmp_path / "out.txt").write_text("mine")
    run_well(tmp_path, f"{SAMPLES},force=n,file=out.txt")
    assert (tmp_path / "out.txt").read_text() == "mine"
    hprof_text.parse((tmp_path / "out.txt.1").read_bytes(), cutoff=0)


@pytest.mark.skipif(os.name != "posix", reason="reads the mode as Unix has it")
def test_file_is_for_its_owner_only(tmp_path):
    (tmp_path / "out.txt").write_text("old")
    (tmp_path / "out.txt").chmod(0o666)
    run_well(tmp_path, f"{SAMPLES},file=out.txt")
    run_well(tmp_path, f"{SAMPLES},file=new.txt")
    # Wine takes a user's rights for those of the user's group too.
    others = 0o007 if SYSTEM == "windows" else 0o077
    for name in ("out.txt", "new.txt"):
        assert (tmp_path / name).stat().st_mode & others == 0, name


def check_refused(result, *words):
    lines = result.stderr.splitlines()
    assert result.exit_code == 1 and "done" not in result.facts, result.seen()
    assert len(lines) == 1 and lines[0].startswith("hprof: "), result.seen()
    assert all(word in lines[0] for word in words), result.seen()


def test_unknown_option_ends_the_program_with_one_line(tmp_path):
    check_refused(run(tmp_path, "cpu=samples,colour=red"), "colour")
    check_refused(run(tmp_path, "cpu=often"), "cpu", "samples")


def test_output_that_can_not_be_had_ends_the_program_with_the_reason(tmp_path):
    check_refused(run(tmp_path, f"{SAMPLES},file=no/such/directory"), "no/such/directory")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    check_refused(run(tmp_path, f"{SAMPLES},net=127.0.0.1:{port}"), f"127.0.0.1:{port}")


def test_help_is_printed_and_the_program_ends_well(tmp_path):
    result = run(tmp_path, "help")
    assert result.exit_code == 0 and "hprof usage" in result.stdout, result.seen()


@pytest.mark.parametrize("options", ["cpu=times", "cpu=times,msa=y"])
def test_classes_are_rewritten_to_count_their_calls(tmp_path, options):
    result = run_well(tmp_path, f"{options},file=out.txt", os.environ["HPROF_HOST_CLASS"])
    before, after = map(int, result.facts["class_bytes"])
    assert after > before, result.seen()
    profile = hprof_text.parse((tmp_path / "out.txt").read_bytes())
    assert [section.title for section in profile.sections][:1] == ["CPU TIME"], profile.sections


def headers(path):
    """What a program or a DLL says of itself; it needs the system's DLLs alone."""
    text = subprocess.run([os.environ["OBJDUMP"], "-p", path], capture_output=True, text=True,
                          check=True).stdout
    needed = {line.split()[-1].lower() for line in text.splitlines() if "DLL Name:" in line}
    assert needed <= {"advapi32.dll", "kernel32.dll", "msvcrt.dll", "ws2_32.dll"}, needed
    return text


@pytest.mark.skipif(SYSTEM != "windows", reason="a DLL is looked at")
def test_dll_exports_plain_names_and_needs_the_system_alone():
    headers(pathlib.Path(os.environ["HPROF_LIBRARY"]).with_name("hprof.exe"))
    text = headers(os.environ["HPROF_LIBRARY"])
    table = text[text.index("[Ordinal/Name Pointer] Table"):].split("\n\n")[0]
    exports = [line.split()[-1] for line in table.splitlines()[1:]]
    assert "Agent_OnLoad" in exports, exports
    for name in exports:
        assert name.startswith(("Agent_On", "Java_java_lang_HprofTracker_")), name
        assert "@" not in name, name
