"""What the tests build and run: the agent, the JDKs, the Java programs and native libraries.

Environment
    HPROF_TEST_JDKS       JDK homes (jdks.py)
    HPROF_AGENT           the library under test (default build/libhprof.so)
    HPROF_TEST_PLATFORM   the system that the library is built for, if that differs from
                          the one it runs on (tests/solaris/shim)
    CC                    the compiler of native libraries (default gcc)
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

import jdks

ROOT = Path(__file__).resolve().parents[2]
JAVA_SOURCES = ROOT / "tests" / "java"
AGENT = Path(os.environ.get("HPROF_AGENT", ROOT / "build" / "libhprof.so")).resolve()
PLATFORM = os.environ.get("HPROF_TEST_PLATFORM", sys.platform)
VIRTUAL_THREADS = 21  # the first JDK with virtual threads
COMPILE_S = 120  # time limit of the C compiler

try:
    JDKS = jdks.find_jdks()
except ValueError as error:
    raise pytest.UsageError(str(error)) from error


def _compile(jdk, release, sources, target, class_path=()):
    if failure := jdks.compile_java(jdk, release, sources, target, class_path):
        pytest.fail(failure, pytrace=False)


def compile_programs(shared):
    """Compiles the Java programs to directories in shared, once for all workers of a test
    run. Returns the directories: one for any JDK and, if a JDK can compile them, one for
    the programs with virtual threads."""
    if not JDKS:
        pytest.fail("no JDK with javac, version 11 or later, was found", pytrace=False)
    directories = [shared / "classes"]
    with_virtual_threads = [jdk for jdk in JDKS if jdk.version >= VIRTUAL_THREADS]
    if with_virtual_threads:
        directories.append(shared / "classes21")
    done = shared / "classes.done"
    with open(shared / "classes.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            _compile(JDKS[0], jdks.OLDEST, JAVA_SOURCES.glob("*.java"), directories[0])
            if with_virtual_threads:
                sources = (JAVA_SOURCES / "jdk21").glob("*.java")
                _compile(with_virtual_threads[0], VIRTUAL_THREADS, sources, directories[1],
                         directories[:1])
            done.touch()
    return directories


def compile_native(name, directory):
    """Compiles tests/java/native/name.c, unless that has been done. Returns the library."""
    library = directory / f"lib{name}.so"
    if library.is_file():
        return library
    headers = JDKS[0].home / "include"
    include = [headers, *(path.parent for path in headers.glob("*/jni_md.h"))]
    command = [os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-O1", "-Wall", "-Wextra",
               "-Werror", *(f"-I{path}" for path in include), "-o", library,
               JAVA_SOURCES / "native" / f"{name}.c"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_S,
                          check=False)
    if done.returncode:
        pytest.fail(f"the compiler failed:\n{done.stderr}", pytrace=False)
    return library
