"""Where the output goes: file names, file permissions, what may not be overwritten, sockets,
and what happens when writing fails."""

import os
import re
import resource
import socket
import stat
import struct
import threading

import pytest

from support.checks import (check, check_cpu, check_refused, check_same_output, samples,
                            without_agent_lines)

pytestmark = pytest.mark.any_jvm


def names(directory):
    return sorted(path.name for path in directory.iterdir())


@pytest.mark.parametrize("format_, name", [("a", "java.hprof.txt"), ("b", "java.hprof")])
def test_default_file_name_and_only_the_owner_may_read_it(run_java, format_, name):
    run = run_java("Hello", f"cpu=samples,format={format_}")
    check(names(run.directory) == [name], run, f"the directory holds {names(run.directory)}")
    mode = stat.S_IMODE((run.directory / name).stat().st_mode)
    check(mode == 0o600, run, f"mode is {mode:o}, should be 600")
    run.profile()


def test_a_named_file_has_exactly_that_name(run_java):
    run = run_java("Hello", "cpu=samples,file=here.out")
    check(names(run.directory) == ["here.out"], run, f"the directory holds {names(run.directory)}")
    check(stat.S_IMODE(run.output.stat().st_mode) == 0o600, run, "mode is not 600")
    run.profile()


def test_force_y_writes_over_an_old_file_and_leaves_nothing_of_it(java, tmp_path):
    old = tmp_path / "java.hprof.txt"
    old.write_text("old line\n" * 100_000)
    run = java.run("Hello", "cpu=samples", directory=tmp_path)
    check(names(tmp_path) == ["java.hprof.txt"], run, f"the directory holds {names(tmp_path)}")
    check(b"old line" not in old.read_bytes(), run, "the old file is still there")
    run.profile()


@pytest.mark.parametrize("format_, name", [
    pytest.param("a", "java.hprof.txt", marks=pytest.mark.asan), ("b", "java.hprof")])
def test_force_n_never_writes_over_a_file_but_adds_a_suffix(java, tmp_path, format_, name):
    (tmp_path / name).write_text("precious")
    first = java.run("Hello", f"cpu=samples,format={format_},force=n", directory=tmp_path)
    second = java.run("Hello", f"cpu=samples,format={format_},force=n", directory=tmp_path)
    check((tmp_path / name).read_text() == "precious", first, "the old file was touched")
    added = [path for path in tmp_path.iterdir() if path.name != name]
    check(len(added) == 2, second, f"two new files wanted, the directory holds {names(tmp_path)}")
    for path in added:
        check(path.name.startswith("java.hprof"), second, f"{path.name} has another stem")
        second.profile(path)


def test_force_n_uses_the_name_itself_while_it_is_free(run_java):
    run = run_java("Hello", "cpu=samples,force=n,file=free.txt")
    check(names(run.directory) == ["free.txt"], run, f"the directory holds {names(run.directory)}")
    run.profile()


@pytest.mark.asan
def test_force_n_writes_to_a_fifo_that_is_there(java, tmp_path):
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    run = java.run("Hello", "cpu=samples,force=n,file=pipe", directory=tmp_path)
    check(names(tmp_path) == ["pipe"], run, f"the directory holds {names(tmp_path)}")
    data = b"".join(iter(lambda: os.read(reader, 65536), b""))
    os.close(reader)
    run.parse(data)


@pytest.mark.parametrize("number, name, append, force", [
    pytest.param(1, "/dev/stdout", True, "y", marks=pytest.mark.thorough),
    pytest.param(1, "/dev/stdout", False, "y", marks=pytest.mark.thorough),
    (1, "/dev/stdout", False, "n"), pytest.param(1, "", False, "y", marks=pytest.mark.asan),
    (2, "/dev/fd/2", False, "y")])
def test_redirected_output_is_shared_and_not_written_over(
        java, tmp_path, number, name, append, force):
    """The name is that of a standard stream, or of the file that it goes to."""
    target = tmp_path / "redirected"
    target.write_text("before\n")

    def redirect():
        file = os.open(target, os.O_WRONLY | (os.O_APPEND if append else 0))
        os.lseek(file, 0, os.SEEK_END)
        os.dup2(file, number)
    run = java.run("Burn", f"cpu=samples,cutoff=0,verbose=n,force={force},"
                   f"file={name or target}", 700, preexec=redirect)
    check(names(tmp_path) == sorted(["redirected", run.directory.name]), run,
          f"the directory holds {names(tmp_path)}")
    lines = target.read_text().splitlines(keepends=True)
    check(lines[0] == "before\n", run, f"the first line is {lines[0]!r}")
    its_own = [line for line in lines if re.match(r"(pid|ready|work\.cpu_ns)=", line)]
    check(len(its_own) == (3 if number == 1 else 0), run, f"the program's lines: {its_own}")
    profile = run.parse("".join(line for line in lines[1:] if line not in its_own).encode())
    count = samples(profile, "Burn.work")
    check(count > 0, run, "no samples of Burn.work")
    printed = "".join(its_own) or run.stdout
    check_cpu(run, "Burn.work", count, int(re.search(r"^work\.cpu_ns=(\d+)", printed, re.M)[1]))


@pytest.mark.asan
def test_percent_p_and_percent_t_stand_for_process_and_time(run_java):
    run = run_java("SleepThenExit", "cpu=samples,file=out.%p.%t.txt", 10)
    (name,) = names(run.directory)
    found = re.fullmatch(r"out\.(\d+)\.(\d[\dT_:.-]*)\.txt", name)
    check(found, run, f"the file is called {name}")
    check(int(found[1]) == run.truth["pid"], run, f"{found[1]} is not the process")
    check(len(re.sub(r"\D", "", found[2])) >= 10, run, f"{found[2]} is not a time")
    run.profile(run.directory / name)


def test_the_file_is_written_where_the_jvm_was_started_or_at_an_absolute_path(java, tmp_path):
    target = tmp_path / "elsewhere" / "deep"
    target.mkdir(parents=True)
    run = java.run("Hello", f"cpu=samples,file={target}/x.txt")
    check(names(target) == ["x.txt"] and not names(run.directory), run, "wrong place")
    run.profile(target / "x.txt")


@pytest.mark.parametrize("force", ["y", "n"])
def test_a_planted_link_is_refused_and_its_target_untouched(java, tmp_path, force):
    if os.geteuid() != 0:
        pytest.skip("only root can plant a link of another user's")
    victim = tmp_path / "victim"
    victim.write_text("precious")
    directory = tmp_path / "shared"
    directory.mkdir()
    directory.chmod(0o1777)
    link = directory / "java.hprof.txt"
    link.symlink_to(victim)
    os.lchown(link, 65534, 65534)
    run = java.run("Hello", f"cpu=samples,force={force}", directory=directory, exit_code=None)
    check(victim.read_text() == "precious", run, "wrote through the link")
    check(link.is_symlink(), run, "the link is gone")
    others = [path for path in directory.iterdir() if path != link]
    if force == "n" and others:  # another name will do too
        run.profile(others[0])
    else:
        check_refused(run, ["java.hprof.txt"])


def test_a_planted_file_of_another_user_is_refused(java, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can plant a file of another user's")
    tmp_path.chmod(0o1777)
    planted = tmp_path / "java.hprof.txt"
    planted.write_text("planted")
    planted.chmod(0o666)
    os.chown(planted, 65534, 65534)
    run = java.run("Hello", "cpu=samples", directory=tmp_path, exit_code=None)
    check_refused(run, ["java.hprof.txt"])
    check(planted.read_text() == "planted", run, "wrote to another user's file")


@pytest.mark.parametrize("name, reason", [
    ("no-such-directory/x.txt", "No such file or directory"),
    ("/proc/self/x.txt", ""),
    (".", ""),
])
def test_an_output_that_cannot_be_made_ends_the_jvm_with_the_reason(run_java, name, reason):
    run = run_java("Hello", f"cpu=samples,file={name}", exit_code=None)
    check_refused(run, [name])
    check(reason in run.stderr, run, f"the line should say {reason!r}")


def check_gave_up_once(run, reason):
    """The run said once that writing failed, and was otherwise the program's own."""
    check(len(run.agent_lines) == 1, run, f"{len(run.agent_lines)} lines, should be one")
    check(reason in run.agent_lines[0], run, f"the line should say {reason!r}")


def test_a_full_disk_costs_one_line_and_the_program_runs_on(run_java):
    plain = run_java("Hello", None)
    run = run_java("Hello", "cpu=samples,file=/dev/full,verbose=n")
    check_gave_up_once(run, "No space left on device")
    check_same_output(without_agent_lines(run), plain)


@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.asan),
                                     pytest.param("b", marks=pytest.mark.thorough)])
def test_a_full_disk_leaves_the_exit_code_alone(run_java, format_):
    run = run_java("Burn", f"cpu=samples,file=/dev/full,verbose=n,format={format_}", 1500, 7,
                   exit_code=7)
    check_gave_up_once(run, "No space left on device")
    check("work.cpu_ns" in run.truth, run, "stdout is not the program's own")


def test_a_file_that_may_not_grow_costs_one_line_and_the_program_runs_on(run_java):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    run = run_java("ManyThreads", "cpu=samples,verbose=n", 400, 100, 1500, 1000,
                   java_opts=["-XX:-UsePerfData"], preexec=limit)
    check(run.truth["ended"] == 400, run, "the program did not run to its end")
    check_gave_up_once(run, "File too large")
    check(run.output.stat().st_size <= 20_000, run, "the limit was not in force")


class Listener:
    """The other end of net=: takes one connection and keeps what comes."""

    def __init__(self, at_most=None):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.at_most = at_most
        self.data = bytearray()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        self.socket.settimeout(30)
        try:
            connection, _ = self.socket.accept()
        except OSError:
            return  # closed, or nobody came
        with connection:
            connection.settimeout(30)
            while piece := connection.recv(65536):
                self.data += piece
                if self.at_most is not None and len(self.data) >= self.at_most:
                    # End the connection by a reset, not in good order.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                          struct.pack("ii", 1, 0))
                    return

    def close(self):
        """To be called when the run is over; all that came."""
        self.thread.join(2)
        self.socket.close()
        return bytes(self.data)


@pytest.mark.asan
@pytest.mark.parametrize("format_", ["a", "b"])
def test_a_socket_receives_one_whole_valid_stream(run_java, format_):
    listener = Listener()
    run = run_java("Burn", f"cpu=samples,cutoff=0,depth=16,format={format_},"
                   f"net=127.0.0.1:{listener.port}", 700, 5, exit_code=5)
    data = listener.close()
    check(not names(run.directory), run, f"a file was written too: {names(run.directory)}")
    profile = run.parse(data)
    check(len(profile.sections) == 1, run, f"{len(profile.sections)} sections, should be 1")
    check_cpu(run, "Burn.work", samples(profile, "Burn.work"), run.truth["work.cpu_ns"])


@pytest.mark.asan
def test_an_unreachable_host_ends_the_jvm_with_the_reason(run_java):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    run = run_java("Hello", f"cpu=samples,net=127.0.0.1:{port}", exit_code=None)
    check_refused(run, [f"127.0.0.1:{port}"])
    check("Connection refused" in run.stderr, run, "the line should give the system's reason")


def test_an_unknown_host_ends_the_jvm_with_one_line(run_java):
    run = run_java("Hello", "cpu=samples,net=no-such-host.invalid:4000", exit_code=None)
    check_refused(run, ["no-such-host.invalid"])


@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.thorough),
                                     pytest.param("b", marks=pytest.mark.asan)])
def test_a_peer_that_goes_away_costs_one_line_and_the_program_runs_on(run_java, format_):
    listener = Listener(at_most=100)
    run = run_java("ManyThreads", f"cpu=samples,verbose=n,format={format_},"
                   f"net=127.0.0.1:{listener.port}", 400, 100, 1500, 1000)
    check(len(listener.close()) >= 100, run, "the listener did not get its bytes")
    check(run.truth["ended"] == 400, run, "the program did not run to its end")
    check_gave_up_once(run, "")
