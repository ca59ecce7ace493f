"""The JDKs that tests run on, and their compiler.

Environment
    HPROF_TEST_JDKS  JDK homes, colon separated (default: JAVA_HOME and what
                     /usr/lib/jvm holds, one of each major version)
"""

import os
import re
import subprocess
from pathlib import Path

OLDEST = 11
TIMEOUT_S = 240


class Jdk:
    """One Java Development Kit."""

    def __init__(self, home, version):
        self.home = home
        self.version = version
        self.java = home / "bin" / "java"
        self.javac = home / "bin" / "javac"

    def __repr__(self):
        return f"jdk{self.version}"


def _version(home):
    """Major version of the JDK at home, or None if it isn't one."""
    if not os.access(home / "bin" / "javac", os.X_OK):
        return None
    release = home / "release"
    text = release.read_text(encoding="utf-8") if release.is_file() else ""
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.M)
    if not found:
        shown = subprocess.run([home / "bin" / "javac", "-version"], capture_output=True,
                               text=True, timeout=TIMEOUT_S, check=False)
        found = re.search(r"javac (?:1\.)?(\d+)", shown.stdout + shown.stderr)
    return int(found[1]) if found else None


def find_jdks():
    """JDKs to test with, oldest first, one of each major version."""
    named = os.environ.get("HPROF_TEST_JDKS")
    if named:
        homes = [Path(home) for home in named.split(":") if home]
    else:
        homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
        homes += sorted(Path("/usr/lib/jvm").glob("*/"))
    found = {}
    for home in dict.fromkeys(home.resolve() for home in homes):
        version = _version(home)
        if named and version is None:
            raise ValueError(f"HPROF_TEST_JDKS: no JDK at {home}")
        if version is not None and version >= OLDEST:
            found.setdefault(version, Jdk(home, version))
    return [found[version] for version in sorted(found)]


def compile_java(jdk, release, sources, target, class_path=()):
    """Compiles sources into target; None, or what the compiler printed when it failed."""
    command = [jdk.javac, "--release", str(release), "-Xlint:all", "-d", target]
    if class_path:
        command += ["-cp", os.pathsep.join(map(str, class_path))]
    done = subprocess.run([*map(str, command), *map(str, sorted(sources))],
                          capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    return f"javac failed:\n{done.stdout}{done.stderr}" if done.returncode else None
