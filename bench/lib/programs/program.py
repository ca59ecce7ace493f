"""What each program of the suite has."""

import hashlib

from lib.workplace import BenchError

FULL = "full"
SMALL = "small"


class Program:
    """A program with fixed inputs. Each is prepared before it runs, and runs in a directory that is
    empty except for what it and the agent write."""

    name = ""
    version = ""

    def prepare(self, jdks):
        """Fetches and makes what it needs; BenchError when that can't be."""
        raise NotImplementedError

    def arguments(self, size):
        """What follows the JVM's own options."""
        raise NotImplementedError

    def digest(self, directory):
        """Of what is the same in every run of a JDK. The program's standard output is in
        stdout.txt."""
        return hashlib.sha256((directory / "stdout.txt").read_bytes()).hexdigest()

    def drive(self, _process, _jdk, _directory, _size):
        """What another process does while the program runs."""

    def scores(self, _directory, wall):
        """What is compared: seconds, and whatever else there is of it."""
        return {"seconds": wall}


def digest_of_files(directory, pattern, edit=lambda content: content):
    """Of the names and the contents of the files of a directory, of which there must be one."""
    digest = hashlib.sha256()
    files = sorted(directory.rglob(pattern))
    if not files:
        raise BenchError(f"the program wrote no {pattern} into {directory}")
    for file in files:
        digest.update(str(file.relative_to(directory)).encode() + b"\0")
        digest.update(edit(file.read_bytes()))
    return digest.hexdigest()
