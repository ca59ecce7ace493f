"""The JDKs that tests run on, and their compiler.

Environment
    HPROF_TEST_JDKS  homes of JDKs or of images with a JVM alone, colon separated (default:
                     the JDKs at JAVA_HOME and in /usr/lib/jvm, one of each major version)
"""

import os
import re
import subprocess
from pathlib import Path

OLDEST = 11
TIMEOUT_S = 240


class Jdk:
    """A Java Development Kit, or an image with a JVM and the tools of another JDK."""

    def __init__(self, home, version, other=None):
        self.home = home
        self.version = version
        self.other = other  # home of the JDK that has what this one lacks
        self.java = home / "bin" / "java"
        self.javac = self.part("bin/javac")

    def __repr__(self):
        return f"jdk{self.version}"

    def has_module(self, name):
        shown = subprocess.run([self.java, "--list-modules"], capture_output=True, text=True,
                               timeout=TIMEOUT_S, check=True)
        return name in (line.split("@")[0] for line in shown.stdout.splitlines())

    @property
    def cpu(self):
        """The CPU of the JVM, as its release file names it; None if that does not."""
        found = re.search(r'^OS_ARCH="(.*)"', _release(self.home), re.M)
        return found[1] if found else None

    def part(self, path):
        """A file or directory of the JDK, or else of the other one."""
        own = self.home / path
        return own if own.exists() or self.other is None else self.other / path


def _release(home):
    """What the file release of the JVM at home states, or nothing."""
    release = home / "release"
    return release.read_text(encoding="utf-8") if release.is_file() else ""


def _version(home):
    """Major version of the JVM at home, or None if there is none."""
    if not os.access(home / "bin" / "java", os.X_OK):
        return None
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', _release(home), re.M)
    if not found:
        shown = subprocess.run([home / "bin" / "java", "-version"], capture_output=True,
                               text=True, timeout=TIMEOUT_S, check=False)
        found = re.search(r'version "(?:1\.)?(\d+)', shown.stdout + shown.stderr)
    return int(found[1]) if found else None


def _has_compiler(home):
    return os.access(home / "bin" / "javac", os.X_OK)


def _newest_compiler(homes):
    """Home of the newest JDK, or None."""
    versions = [(_version(home), home) for home in homes if _has_compiler(home)]
    return max((pair for pair in versions if pair[0] is not None), default=(0, None))[1]


def find_jdks():
    """JDKs to test with, oldest first, one of each major version."""
    named = os.environ.get("HPROF_TEST_JDKS")
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    homes += sorted(Path("/usr/lib/jvm").glob("*/"))
    installed = list(dict.fromkeys(home.resolve() for home in homes))
    if named:
        homes = [Path(home).resolve() for home in named.split(":") if home]
    else:
        homes = [home for home in installed if _has_compiler(home)]
    found = {}
    for home in dict.fromkeys(homes):
        version = _version(home)
        if named and version is None:
            raise ValueError(f"HPROF_TEST_JDKS: no JDK at {home}")
        if version is not None and version >= OLDEST:
            other = None if _has_compiler(home) else _newest_compiler(installed)
            if other is None and not _has_compiler(home):
                raise ValueError(f"HPROF_TEST_JDKS: {home} has no javac, nor has an installed JDK")
            found.setdefault(version, Jdk(home, version, other))
    return [found[version] for version in sorted(found)]


def compile_java(jdk, release, sources, target, class_path=()):
    """Compiles sources into target; None, or what the compiler printed when it failed."""
    command = [jdk.javac, "--release", str(release), "-Xlint:all", "-d", target]
    if class_path:
        command += ["-cp", os.pathsep.join(map(str, class_path))]
    done = subprocess.run([*map(str, command), *map(str, sorted(sources))],
                          capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    return f"javac failed:\n{done.stdout}{done.stderr}" if done.returncode else None
