"""The JDKs that benchmarks run on, and their compilers."""

import os
import re
import subprocess
from collections import namedtuple
from pathlib import Path

from lib.workplace import BenchError

OLDEST_JDK = 11

Jdk = namedtuple("Jdk", "version home")


def _shown_version(home):
    """What java -version prints, or None if there is no JDK at home."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    return shown.stderr + shown.stdout


def jdk_version(home):
    """Major version of the JDK at home, or None if there is none."""
    found = re.search(r'version "(?:1\.)?(\d+)', _shown_version(home) or "")
    return int(found[1]) if found else None


def runtime_version(home):
    """The exact version of the JDK at home."""
    found = re.search(r"Runtime Environment .*\(build (.+?)\)", _shown_version(home) or "")
    return found[1] if found else "unknown"


def installed_jdks():
    """Homes that may be JDKs."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    return homes + sorted(Path("/usr/lib/jvm").glob("*/"))


def find_jdks(chosen):
    """JDKs to run with, oldest first, one of each major version. chosen: major
    versions or homes; all that are found when empty."""
    named = os.environ.get("HPROF_TEST_JDKS")
    if named:
        homes = [Path(home) for home in named.split(":") if home]
    else:
        homes = installed_jdks()
    homes = [Path(word) for word in chosen if not word.isdigit()] + homes
    found = {}
    for home in dict.fromkeys(home.resolve() for home in homes):
        version = jdk_version(home)
        if version is not None and version >= OLDEST_JDK:
            found.setdefault(version, Jdk(version, home))
    wanted = {int(word) if word.isdigit() else jdk_version(Path(word)) for word in chosen}
    if wanted - set(found):
        raise BenchError(f"--jdk {' '.join(chosen)}: not all found; there are "
                         f"{sorted(found) or 'none'}")
    if not found:
        raise BenchError(f"no JDK from {OLDEST_JDK} on found; set JAVA_HOME or HPROF_TEST_JDKS")
    return [found[version] for version in sorted(wanted or found)]


def find_javac(jdks):
    """The compiler of the first JDK that has one, or else of an installed JDK."""
    for home in [*(jdk.home for jdk in jdks), *installed_jdks()]:
        javac = home / "bin" / "javac"
        if os.access(javac, os.X_OK):
            return javac
    raise BenchError("no javac in any of the JDKs")


def compile_java(jdks, sources, target):
    """Compiles with the first JDK that can, or else with an installed one; returns the directory
    target."""
    subprocess.run([find_javac(jdks), "--release", str(OLDEST_JDK), "-d", target, *sources],
                   check=True)
    return target


def add_jdk_option(parser):
    """--jdk of a script's command line."""
    parser.add_argument("--jdk", action="append", default=[], metavar="VERSION|HOME",
                        help="a JDK to use; may be repeated (default all that are found)")
