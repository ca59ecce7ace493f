"""Fixtures of the end-to-end tests: programs compiled once, and ways to run them.

What they consist of is in support: builds.py (JDKs, agent, programs), runner.py (start a program),
live_run.py (a running program) and profiled_run.py (a finished run and its profile).
"""

import signal

import pytest

from support import wine_server
from support.browser import BROWSERS, INSTALLED, no_browser
from support.builds import AGENT, JDKS, PLATFORM, compile_native, compile_programs
from support.command import hprof
from support.exports import write_made
from support.runner import Runner


def take_up_ignored_signals():
    """What nohup, or a shell without job control, ignores stays ignored in the programs that the
    tests start; a signal with a handler has its default action there."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def needs_wine(config):
    """Whether this process is the one that has a server of Wine, for all workers."""
    return PLATFORM == "windows" and not hasattr(config, "workerinput")


def pytest_unconfigure(config):
    if needs_wine(config):
        wine_server.stop()


def pytest_configure(config):
    take_up_ignored_signals()
    if needs_wine(config):
        wine_server.start()
    config.addinivalue_line(
        "markers", "asan: run under the sanitizers too (pytest -m asan): together these tests "
        "cover the paths through the agent that unit tests cannot")
    config.addinivalue_line(
        "markers", "ports: run with other platforms' layers too (pytest -m ports): together "
        "these tests cover the paths through src/os that unit tests cannot")
    config.addinivalue_line(
        "markers", "emulated: run in JVMs for other CPUs and of other versions too (pytest -m "
        "emulated): exact counts of every mode, at the pace of QEMU")
    config.addinivalue_line(
        "markers", "emulated_more: run in JVMs for other CPUs too, but not in the short checks (pytest -m "
        "'emulated or emulated_more')")
    config.addinivalue_line(
        "markers", "alone: depends on wall-clock time or on how the system schedules its "
        "CPUs, so no other test runs at the same time (pytest -m alone)")
    config.addinivalue_line(
        "markers", "thorough: takes long and rarely finds what the other tests do not; make check "
        "and check-more leave it to check-all")
    config.addinivalue_line(
        "markers", "any_jvm: does not depend on the version of the JVM; make check-more leaves it "
        "to make check, which has one JDK, and to check-all")
    config.addinivalue_line(
        "markers", "browser: a page in headless Chromium and Firefox (pytest -m browser)")
    config.addinivalue_line(
        "markers", "package: run with the command and the library of the package for Windows, too, from "
        "where it is unpacked (pytest -m package)")
    config.addinivalue_line(
        "markers", "readers: exports of profiles, read by the programs that they are for, which make "
        "readers fetches (pytest -m readers)")


# A worker takes one file after the other. The longest come first, so that all end at one time.
LONGEST = ["test_lying_vm.py", "test_attach.py", "test_net_late.py", "test_cpu_times.py",
           "test_heap_dump.py", "test_live_sites.py",
           "test_virtual_threads_as_threads.py", "test_timers.py", "test_readers.py",
           "test_cpu_samples.py", "test_details.py", "test_net_commands.py",
           "test_heap_allocated.py", "test_attach_command.py", "test_gate.py",
           "test_heap_sites.py", "test_run.py", "test_output.py", "test_net_delivery.py",
           "test_report.py", "test_cpu_old.py", "test_stack_walk.py", "test_dumps.py",
           "test_filters.py"]


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        order = {name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: order.get(item.path.name, len(order)))


def pytest_report_header():
    return [f"agent: {AGENT}", f"JDKs: {', '.join(f'{j} {j.home}' for j in JDKS) or 'none'}"]


def pytest_generate_tests(metafunc):
    if "jdk" in metafunc.fixturenames:
        metafunc.parametrize("jdk", JDKS, ids=repr, scope="session")


@pytest.fixture(scope="session")
def class_path():
    """Directories of the compiled programs (see builds.compile_programs)."""
    return compile_programs()


@pytest.fixture(scope="session")
def native_library(tmp_path_factory):
    """native_library(name): the library compiled from tests/java/native/name.c."""
    directory = tmp_path_factory.mktemp("native")
    return lambda name: compile_native(name, directory)


@pytest.fixture
def java(jdk, class_path, tmp_path):
    """A Runner in the test's own directory."""
    runner = Runner(jdk, class_path, tmp_path)
    yield runner
    runner.close()


@pytest.fixture
def run_java(java):
    """run_java(main, options, *args): the finished Run."""
    return java.run


@pytest.fixture(scope="session")
def shared_run(class_path, tmp_path_factory):
    """shared_run(jdk, main, options, *args): like run_java, but equal calls
    return the same run, so that many tests can use one long run."""
    done = {}

    def run(jdk, main, options, *args, java_opts=()):
        key = (jdk.version, main, options, args, tuple(java_opts))
        if key not in done:
            runner = Runner(jdk, class_path, tmp_path_factory.mktemp(main.lower()))
            try:
                done[key] = runner.run(main, options, *args, java_opts=java_opts)
            except BaseException as failure:
                done[key] = failure
            finally:
                runner.close()
        if isinstance(done[key], BaseException):
            raise done[key]
        return done[key]
    return run


@pytest.fixture
def export(tmp_path):
    """export(profile, suffix, *options): the bytes of the file."""
    count = 0

    def write(profile, suffix, *options):
        nonlocal count
        count += 1
        path = tmp_path / f"{count}{suffix}"
        hprof("report", *options, "-o", path, profile)
        assert path.stat().st_mode & 0o777 == 0o600
        return path.read_bytes()
    return write


@pytest.fixture
def made(tmp_path):
    """A profile with the names of support.exports.MADE."""
    path = tmp_path / "made.txt"
    write_made(path)
    return path


@pytest.fixture(scope="module", params=INSTALLED or [pytest.param(None, marks=pytest.mark.skip(reason=no_browser()))])
def browser(request):
    """A browser that tests load pages in: each one that is here."""
    opened = BROWSERS[request.param]()
    yield opened
    opened.close()
