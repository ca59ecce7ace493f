"""The user rights of `hprof attach`: nothing that the target or another user controls runs or
changes as root, targets of other users and in other namespaces can be attached to, and a
refusal prints one line and does not affect the process."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from support.attach_rights import (AS_NOBODY, NOBODY, can_unshare, child_of, inner_pid,
                                   needs_pid_namespace, place, root_only, started)  # noqa: F401 (fixtures)
from support.builds import AGENT, COMMAND, PLATFORM
from support.command import clean_environment
from support.live_run import TIMEOUT_S

pytestmark = pytest.mark.skipif(PLATFORM != "linux", reason="jcmd attaches there")


def attach(pid, *options, prefix=(), command=COMMAND, cwd=None):
    return subprocess.run([*prefix, command, "attach", str(pid), *options], capture_output=True,
                          check=False, timeout=TIMEOUT_S, env=clean_environment(), cwd=cwd)


def refused(done, *words):
    """One line that has all the words."""
    said = done.stderr.decode()
    assert done.returncode == 1 and done.stdout == b"", done
    assert said.startswith("hprof: ") and said.count("\n") == 1, said
    assert all(word in said for word in words), (words, said)


def check_loaded(done, pid, options):
    said = (f"the profile of process {pid} has ended" if options == "stop" else
            f"process {pid} is profiled; end that with: hprof attach {pid} stop")
    assert done.returncode == 0 and done.stderr.decode() == f"hprof: {said}\n", done


def wait_for(what, seconds=TIMEOUT_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.01)
    pytest.fail(f"not within {seconds} s: {what}")


def java(jdk, place, milliseconds=60000):
    return [jdk.java, "-Xshare:auto", "-cp", place / "bin", "SleepThenExit", milliseconds]


@root_only
def test_a_socket_that_root_has_left_is_named(jdk, place, started):
    process = started([*AS_NOBODY, *java(jdk, place)], cwd=place / "work")
    pid = inner_pid(process)
    left = Path(f"/tmp/.java_pid{pid}")
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(left))
        left.chmod(0o600)
    try:
        done = subprocess.run([*AS_NOBODY, place / "bin" / "hprof", "attach", "-d", "1", str(pid)],
                              cwd=place / "work", capture_output=True, text=True, check=False,
                              timeout=TIMEOUT_S, env=clean_environment())
        assert done.returncode == 1 and done.stderr.endswith("; remove it\n"), done
        assert f"{left} is the socket of another process than {pid}" in done.stderr
    finally:
        left.unlink()


# ---- nothing of a stranger's runs or changes as root ---------------------------------------

@pytest.mark.any_jvm
@root_only
def test_root_never_runs_a_program_from_beside_the_target(place, started):
    work = place / "work"
    shutil.copy("/bin/sleep", work / "java")
    shutil.copy("/bin/sh", work / "sh")
    for name in ("java", "sh"):
        os.chown(work / name, NOBODY, NOBODY)
    (work / "jcmd").symlink_to("/bin/sh")
    process = started([*AS_NOBODY, work / "java", "60"])
    wait_for(lambda: Path(f"/proc/{process.pid}/exe").readlink() == work / "java")
    (work / str(process.pid)).write_text(f"id > {work}/pwned; echo return code: 0\n")
    done = attach(process.pid, "cpu=samples", cwd=work)
    assert not (work / "pwned").exists(), (work / "pwned").read_text()
    refused(done, str(process.pid), "not a JVM")
    assert process.poll() is None


@root_only
def test_a_link_in_the_place_of_the_request_leads_nowhere(jdk, place, started):
    work = place / "work"
    kept = place / "kept"
    kept.write_text("root's")
    kept.chmod(0o600)
    process = started([*AS_NOBODY, *java(jdk, place)], cwd=work)
    pid = inner_pid(process)
    for target in (kept, place / "bin" / "made"):
        link = work / f".attach_pid{pid}"
        link.symlink_to(target)
        attach(pid, f"cpu=samples,file={work}/a.txt", command=place / "bin" / "hprof")
        assert kept.read_text() == "root's" and not (place / "bin" / "made").exists()
        assert link.is_symlink()
        link.unlink()
    assert process.poll() is None


@root_only
def test_what_another_user_listens_with_gets_nothing(jdk, place, started):
    """A socket at the JVM's name that another process has made is not spoken to."""
    process = started(java(jdk, place), cwd=place)
    pid = inner_pid(process)
    path = Path(f"/tmp/.java_pid{pid}")
    heard = []
    with socket.socket(socket.AF_UNIX) as planted:
        planted.bind(str(path))
        planted.listen()
        os.chown(path, NOBODY, NOBODY)

        def hear():
            try:
                connection, _ = planted.accept()
            except OSError:
                return
            with connection:
                heard.append(connection.recv(4096))
        thread = threading.Thread(target=hear)
        thread.start()
        try:
            by_owner = attach(pid, "cpu=samples")
            os.chown(path, 0, 0)
            by_peer = attach(pid, "cpu=samples")
        finally:
            planted.shutdown(socket.SHUT_RDWR)
            thread.join()
            path.unlink()
    for done in (by_owner, by_peer):
        refused(done, str(pid), str(path))
    assert not any(heard), heard


# ---- targets of others, and elsewhere --------------------------------------------------------

@root_only
def test_root_attaches_to_a_jvm_of_another_user(jdk, place, started):
    output = place / "work" / "with 'both' \"quotes\".txt"
    process = started([*AS_NOBODY, *java(jdk, place)], cwd=place / "work")
    pid = inner_pid(process)
    for options in (f"cpu=samples,file={output}", "stop"):
        done = attach(pid, options, command=place / "bin" / "hprof")
        check_loaded(done, pid, options)
    assert b"CPU SAMPLES END" in output.read_bytes()
    assert output.stat().st_uid == NOBODY
    assert not list((place / "work").glob(".attach_pid*"))


@root_only
def test_a_user_attaches_to_his_own_jvm_without_a_jdk(jdk, place, started):
    output = place / "work" / "a.txt"
    process = started([*AS_NOBODY, *java(jdk, place)], cwd=place / "work")
    pid = inner_pid(process)
    for options in (f"cpu=samples,file={output}", "stop"):
        done = attach(pid, options, command=place / "bin" / "hprof",
                      prefix=[*AS_NOBODY, "env", "-i"])
        check_loaded(done, pid, options)
    assert b"CPU SAMPLES END" in output.read_bytes()


@needs_pid_namespace
def test_a_jvm_in_another_pid_namespace_is_attached_to(jdk, place, started):
    process = started(["unshare", "--pid", "--fork", "--mount-proc", *java(jdk, place)],
                      cwd=place / "work")
    inner = inner_pid(process)
    pid = child_of(process.pid)
    assert pid != inner
    output = place / "work" / "a.txt"
    for options in (f"cpu=samples,file={output}", "stop"):
        done = attach(pid, options, command=place / "bin" / "hprof")
        check_loaded(done, pid, options)
    assert b"CPU SAMPLES END" in output.read_bytes()


@root_only
@pytest.mark.skipif(not can_unshare("--mount"), reason="no mount namespaces for this user")
def test_a_jvm_in_another_mount_namespace(jdk, place, started):
    """Its own /tmp, where its socket is; the library is there, and then it is not."""
    hidden = place / "hidden"
    shutil.copytree(place / "bin", hidden)
    script = ('set -e; mount -t tmpfs none "$1"; mkdir "$1/tmp"; chmod 1777 "$1/tmp"; '
              'mount --bind "$1/tmp" /tmp; cd /; shift; exec "$@"')
    # /tmp is a new one: what the program needs is elsewhere.
    elsewhere = Path(tempfile.mkdtemp(prefix="hprof-attach-", dir="/var/tmp"))
    try:
        elsewhere.chmod(0o755)
        shutil.copytree(place / "bin", elsewhere / "bin")
        process = started(["unshare", "--mount", "sh", "-c", script, "sh", hidden,
                           *java(jdk, elsewhere)])
        pid = inner_pid(process)
        refused(attach(pid, "cpu=samples", command=place / "bin" / "hprof"),
                str(pid), "mount namespace", AGENT.name)
        output = elsewhere / "a.txt"
        for options in (f"cpu=samples,file={output}", "stop"):
            done = attach(pid, options, command=elsewhere / "bin" / "hprof")
            check_loaded(done, pid, options)
        assert b"CPU SAMPLES END" in output.read_bytes()
        assert not Path(f"/tmp/.java_pid{pid}").exists()
    finally:
        shutil.rmtree(elsewhere)


# ---- refusals ----------------------------------------------------------------------------------

@pytest.mark.any_jvm
def test_no_such_process(started):
    process = started(["true"])
    process.wait()
    refused(attach(process.pid, "cpu=samples"), str(process.pid), "no process")
    refused(attach(2**40, "cpu=samples"), str(2**40), "no process")


@pytest.mark.any_jvm
def test_a_process_that_is_no_jvm_lives_on(started):
    """SIGQUIT would kill the first, and be an order to the second."""
    for program in ("import time; print('ready', flush=True); time.sleep(60)",
                    "import signal, sys, time; "
                    "signal.signal(signal.SIGQUIT, lambda *_: sys.exit(3)); "
                    "print('ready', flush=True); time.sleep(60)"):
        process = started([sys.executable, "-c", program])
        process.stdout.readline()
        refused(attach(process.pid, "cpu=samples"), str(process.pid), "not a JVM")
        time.sleep(0.2)
        assert process.poll() is None


def test_a_jvm_without_signals_lives_on(jdk, place, started):
    process = started([jdk.java, "-Xrs", *java(jdk, place)[1:]])
    pid = inner_pid(process)
    refused(attach(pid, "cpu=samples"), str(pid), "-Xrs")
    assert process.poll() is None


@root_only
def test_another_users_jvm_is_refused_to_who_is_not_root(jdk, place, started):
    process = started(java(jdk, place))
    pid = inner_pid(process)
    done = attach(pid, "cpu=samples", command=place / "bin" / "hprof", prefix=AS_NOBODY)
    refused(done, str(pid), "user 0", "or as root")
    assert process.poll() is None


@root_only
def test_a_library_that_the_target_may_not_read(jdk, place, started):
    (place / "bin" / AGENT.name).chmod(0o600)
    process = started([*AS_NOBODY, *java(jdk, place)], cwd=place / "work")
    pid = inner_pid(process)
    refused(attach(pid, "cpu=samples", command=place / "bin" / "hprof"),
            str(pid), AGENT.name, f"user {NOBODY}", "Permission denied")


@root_only
def test_a_jvm_that_lets_nobody_attach_gets_no_signal(jdk, place, started):
    process = started([*AS_NOBODY, jdk.java, "-XX:+DisableAttachMechanism", *java(jdk, place)[1:]],
                      cwd=place / "work")
    pid = inner_pid(process)
    for options in (["cpu=samples"], ["-d", "1"]):
        refused(attach(pid, *options, command=place / "bin" / "hprof", cwd=place / "work"),
                f"process {pid} accepts no agents", "DisableAttachMechanism; start it with hprof run")
    process.terminate()
    assert process.communicate(timeout=TIMEOUT_S)[0] == b""  # no thread dump


@pytest.mark.alone
def test_a_jvm_that_lets_nobody_attach_and_has_no_performance_data(jdk, place, started):
    process = started([jdk.java, "-XX:+DisableAttachMechanism", "-XX:-UsePerfData", *java(jdk, place)[1:]])
    pid = inner_pid(process)
    refused(attach(pid, "cpu=samples"), str(pid), "does not open its attach socket", "DisableAttachMechanism")
    assert process.poll() is None


def test_a_jvm_that_loads_no_agents(jdk, place, started):
    if jdk.version < 21:
        pytest.skip("this JVM has no such option")
    process = started([jdk.java, "-XX:-EnableDynamicAgentLoading", *java(jdk, place)[1:]])
    pid = inner_pid(process)
    refused(attach(pid, "cpu=samples"), str(pid), "EnableDynamicAgentLoading")
    assert process.poll() is None


@pytest.mark.any_jvm
def test_options_that_are_too_long(jdk, place, started):
    process = started(java(jdk, place))
    pid = inner_pid(process)
    refused(attach(pid, "cpu=samples,file=" + "x" * 1024), str(pid), "1024 bytes")
