"""Jython, which runs bench/jython/work.py."""

from lib.fetch import Jar, fetch_jar
from lib.programs.program import FULL, SMALL, Program
from lib.workplace import BENCH

JYTHON_JAR = Jar("org.python", "jython-standalone", "2.7.4",
                 "1fba1769effcc8b19f5e10436bc8274a158ce988559f257927c24c73bb137f3c")
ROUNDS = {FULL: 8, SMALL: 1}


class Jython(Program):
    """The Python program with a number of rounds."""

    name = "jython"
    version = JYTHON_JAR.version

    def prepare(self, jdks):
        fetch_jar(JYTHON_JAR)

    def arguments(self, size):
        return ["-Dpython.cachedir.skip=true", "-jar", str(fetch_jar(JYTHON_JAR)),
                str(BENCH / "jython" / "work.py"), str(ROUNDS[size])]
