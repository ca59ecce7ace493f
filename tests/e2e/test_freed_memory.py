"""No mode uses memory that has been freed, nor has the JVM do so: each such use would end the
program here (tests/java/native/freed_memory.c). Threads start and end, as Java code, in each run,
and the JVM comes to its end by the return of main(), which frees its main thread."""

import os
import signal
import subprocess
import sys

import pytest

from support.attach_target import Target
from support.checks import check
from support.live_run import TIMEOUT_S

# make check has one agent with the former, and two with the latter.
ONE = ["cpu=samples,interval=1", "cpu=samples,msa=y", "cpu=times,msa=y,thread=y", "heap=sites",
       "heap=dump"]
TWO = ["cpu=samples,interval=1,engine=clock", "cpu=old,heap=sites", "heap=all,format=b",
       "monitor=y,cpu=times", "cpu=samples,vthreads=y,monitor=y"]


def modes(gate):
    return pytest.mark.parametrize("options", [
        pytest.param(options, marks=() if options in gate else pytest.mark.thorough)
        for options in (*ONE, *TWO, "cpu=times")])


@pytest.fixture
def target(java, native_library):
    """target(options): the program in a JVM where no freed memory can be used."""
    return lambda options: Target(java, options,
                                  env={"LD_PRELOAD": str(native_library("freed_memory"))})


def work(program):
    for command in ("threads 3", "work 100", "burn 20", "make 1000", "lock 20"):
        program.command(command)


# A block before and after its end, by each function that ends one.
MISUSE = """
import ctypes, sys
c = ctypes.CDLL(None)
for function in (c.malloc, c.calloc, c.realloc):
    function.restype = ctypes.c_void_p
block = c.malloc(ctypes.c_size_t(2000)) if sys.argv[1] == "malloc" else c.calloc(2, 1000)
block = ctypes.c_void_p(block)
ctypes.memset(block, 1, 2000)
if sys.argv[2] == "free":
    c.free(block)
else:
    moved = ctypes.c_void_p(c.realloc(block, ctypes.c_size_t(3000)))
    assert ctypes.string_at(moved, 2000) == bytes([1]) * 2000
print("ended", flush=True)
ctypes.memset(block, 0, 1)
"""


@pytest.mark.any_jvm
@pytest.mark.parametrize("begin", ["malloc", "calloc"])
@pytest.mark.parametrize("end", ["free", "realloc"])
def test_the_library_ends_a_program_that_uses_freed_memory(native_library, begin, end):
    done = subprocess.run([sys.executable, "-c", MISUSE, begin, end], capture_output=True,
                          text=True, timeout=TIMEOUT_S, check=False,
                          env={**os.environ, "LD_PRELOAD": str(native_library("freed_memory"))})
    assert done.stdout == "ended\n" and done.returncode == -signal.SIGSEGV, done


@modes(ONE)
def test_a_program_with_the_agent_ends_well(target, options):
    program = target(options)
    work(program)
    run = program.end()
    check(run.profile().sections or "heap" in options or "monitor" in options, run, "no section")


@modes(TWO)
def test_a_program_that_had_two_agents_ends_well(target, options):
    program = target(None)
    for name in ("first", "second"):
        program.attach(f"{options},file={name}")
        work(program)
        program.attach("stop")
    work(program)
    program.end()
