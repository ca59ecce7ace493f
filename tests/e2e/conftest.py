"""Fixtures of the end-to-end tests: programs compiled once, and ways to run them.

What they consist of is in builds.py (JDKs, agent, programs), runner.py (start a program),
live_run.py (a running program) and profiled_run.py (a finished run and its profile).
"""

import os

import pytest

from builds import AGENT, JDKS, compile_native, compile_programs
from runner import Runner


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "asan: run under the sanitizers too (pytest -m asan): together these tests "
        "cover the paths through the agent that unit tests cannot")
    config.addinivalue_line(
        "markers", "ports: run with other platforms' layers too (pytest -m ports): together "
        "these tests cover the paths through src/os that unit tests cannot")
    config.addinivalue_line(
        "markers", "alone: depends on wall-clock time or on how the system schedules its "
        "CPUs, so no other test runs at the same time (pytest -m alone)")


def pytest_report_header():
    return [f"agent: {AGENT}", f"JDKs: {', '.join(f'{j} {j.home}' for j in JDKS) or 'none'}"]


def pytest_generate_tests(metafunc):
    if "jdk" in metafunc.fixturenames:
        metafunc.parametrize("jdk", JDKS, ids=repr, scope="session")


@pytest.fixture(scope="session")
def class_path(tmp_path_factory):
    """Directories of the compiled programs (see builds.compile_programs)."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    return compile_programs(shared)


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
