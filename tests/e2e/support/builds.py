"""What the tests build and run: the agent, the JDKs, the Java programs and native libraries.

Environment
    HPROF_TEST_JDKS       JDK homes (jdks.py)
    HPROF_AGENT           the library under test (default build/libhprof.so)
    HPROF_COMMAND         the command under test (default hprof beside the library)
    HPROF_TEST_PLATFORM   the system that the library is built for, if that differs from
                          the one it runs on (tests/ports/solaris/shim)
    CC                    the compiler of native libraries (default gcc)
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from . import jdks

ROOT = Path(__file__).resolve().parents[3]
JAVA_SOURCES = ROOT / "tests" / "java"
PROGRAMS = ROOT / "build" / "programs"
AGENT = Path(os.environ.get("HPROF_AGENT", ROOT / "build" / "libhprof.so")).resolve()
COMMAND = Path(os.environ.get("HPROF_COMMAND", AGENT.with_name("hprof")))
PLATFORM = os.environ.get("HPROF_TEST_PLATFORM", sys.platform)
CPUS_READ = (62, 183)  # x86-64 and 64-bit ARM: those whose machine code the agent reads
VIRTUAL_THREADS = 21  # the first JDK with virtual threads
COMPILE_S = 120  # time limit of the C compiler


def _cpu_of(library):
    """The number of a library's CPU in its ELF header; None for what is not ELF, or not there."""
    if not library.is_file():
        return None
    with open(library, "rb") as file:
        header = file.read(20)
    if header[:4] != b"\x7fELF":
        return None
    return int.from_bytes(header[18:20], "little" if header[5] == 1 else "big")


AGENT_CPU = _cpu_of(AGENT)

try:
    JDKS = jdks.find_jdks()
except ValueError as error:
    raise pytest.UsageError(str(error)) from error


def _compiled(jdk, release, sources, class_path=()):
    """The directory of these programs, compiled. Test runs share it, one after the other and
    at the same time: its name is a digest of the sources, the compiler and the class path."""
    sources = sorted(sources)
    compiler = jdk.javac.stat()
    digest = hashlib.sha256(repr([str(jdk.javac.resolve()), compiler.st_mtime_ns, compiler.st_size,
                                  release, [path.name for path in class_path]]).encode())
    for source in sources:
        text = source.read_bytes()
        digest.update(f"{source.name} {len(text)}\n".encode() + text)
    directory = PROGRAMS / digest.hexdigest()[:32]
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    with open(PROGRAMS / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not directory.exists():
            unfinished = PROGRAMS / "unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            if failure := jdks.compile_java(jdk, release, sources, unfinished, class_path):
                pytest.fail(failure, pytrace=False)
            unfinished.rename(directory)
    return directory


def compile_programs():
    """Compiles the Java programs, unless that has been done. Returns the directories: one for
    any JDK and, if a JDK can compile them, one for the programs with virtual threads."""
    if not JDKS:
        pytest.fail("no JDK with javac, version 11 or later, was found", pytrace=False)
    directories = [_compiled(JDKS[0], jdks.OLDEST, JAVA_SOURCES.glob("*.java"))]
    with_virtual_threads = [jdk for jdk in JDKS if jdk.version >= VIRTUAL_THREADS]
    if with_virtual_threads:
        directories.append(_compiled(with_virtual_threads[0], VIRTUAL_THREADS,
                                     (JAVA_SOURCES / "jdk21").glob("*.java"), directories))
    return directories


def compile_native(name, directory):
    """Compiles tests/java/native/name.c, unless that has been done. Returns the library."""
    library = directory / f"lib{name}.so"
    if library.is_file():
        return library
    headers = JDKS[0].part("include")
    include = [headers, *(path.parent for path in headers.glob("*/jni_md.h"))]
    command = [os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-O1", "-Wall", "-Wextra",
               "-Werror", *(f"-I{path}" for path in include), "-o", library,
               JAVA_SOURCES / "native" / f"{name}.c"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_S,
                          check=False)
    if done.returncode:
        pytest.fail(f"the compiler failed:\n{done.stderr}", pytrace=False)
    return library


def compile_here(jdk, directory, sources, release=None, class_path=""):
    """Compiles Java text to directory, for the JDK or for that release; sources by file name."""
    directory.mkdir(exist_ok=True)
    for name, text in sources.items():
        (directory / name).write_text(text, encoding="utf-8")
    subprocess.run([jdk.javac, "-nowarn", "--release", str(release or jdk.version), "-d", directory,
                    "-cp", f"{directory}{os.pathsep}{class_path}",
                    *[directory / name for name in sources]],
                   check=True, capture_output=True, timeout=120)
    return directory
