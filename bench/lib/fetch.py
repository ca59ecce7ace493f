"""Files of npm and Maven packages of exact versions, fetched once and checked."""

import hashlib
import shutil
import subprocess
import tarfile
from collections import namedtuple

from lib.workplace import WORK, BenchError

FETCH_TIMEOUT_S = 300
COPY_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy"

# npm package, version, the file wanted of it, SHA-256 of the package.
Package = namedtuple("Package", "name version wanted sha256")

# Maven coordinates, with the classifier where there is one; SHA-256 of the jar.
Jar = namedtuple("Jar", "group name version sha256 classifier", defaults=[""])


def _client(command, package):
    found = shutil.which(command)
    if found is None:
        raise BenchError(f"{command} not found: install it (Debian: {package})")
    return found


def _execute(words, what):
    """A client of a registry; why it failed, when it does."""
    print(f"fetching {what}", flush=True)
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(words, cwd=WORK, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=FETCH_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise BenchError(f"{what} has not come in {FETCH_TIMEOUT_S} s") from None
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise BenchError(f"{what} can't be fetched: {lines[0] if lines else 'no message'}")


def _must_be(path, sha256):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != sha256:
        raise BenchError(f"{path} is not the expected file: SHA-256 {digest}")


def fetch(package, member=None):
    """A file of an npm package, by default the wanted one; the package is fetched once."""
    member = member or package.wanted
    wanted = WORK / package.name / member
    if wanted.is_file():
        return wanted
    archive = WORK / f"{package.name}-{package.version}.tgz"
    if not archive.is_file():
        _execute([_client("npm", "npm"), "pack", "--silent", f"{package.name}@{package.version}"],
                 f"{package.name} {package.version}")
    _must_be(archive, package.sha256)
    wanted.parent.mkdir(parents=True, exist_ok=True)
    partial = wanted.with_name(wanted.name + ".part")
    with tarfile.open(archive) as files:
        with files.extractfile(f"package/{member}") as source, \
                open(partial, "wb") as target:
            shutil.copyfileobj(source, target)
    partial.rename(wanted)
    return wanted


def fetch_jar(jar):
    """The file of a Maven artifact; it is fetched once."""
    words = [jar.name, jar.version, *([jar.classifier] if jar.classifier else [])]
    file = WORK / "maven" / f"{'-'.join(words)}.jar"
    if not file.is_file():
        artifact = ":".join([jar.group, jar.name, jar.version, "jar",
                             *([jar.classifier] if jar.classifier else [])])
        _execute([_client("mvn", "maven"), "-B", "-q", COPY_GOAL, f"-Dartifact={artifact}",
                  f"-DoutputDirectory={file.parent}"], artifact)
    _must_be(file, jar.sha256)
    return file
