"""The JDK's HTTP server under the load of another process."""

import hashlib
import re
import subprocess
import time

from lib.jdks import compile_java
from lib.programs.program import FULL, SMALL, Program
from lib.workplace import BENCH, WORK, BenchError

CLASSES = WORK / "http-classes"
REQUESTS = {FULL: 40_000, SMALL: 4_000}
START_TIMEOUT_S = 120
LOAD_TIMEOUT_S = 1200
# A JVM before 21 sends an answer's head and body in two packets, and waits in between.
NO_DELAY = "-Dsun.net.httpserver.nodelay=true"


class Http(Program):
    """What counts is the time of all requests as the client sees it, and of its slow ones."""

    name = "http"
    version = "the JDK's"

    def prepare(self, jdks):
        CLASSES.mkdir(parents=True, exist_ok=True)
        compile_java(jdks, [BENCH / "java" / "HttpWork.java", BENCH / "java" / "HttpLoad.java"],
                     CLASSES)

    def arguments(self, size):
        return [NO_DELAY, "-cp", str(CLASSES), "HttpWork"]

    def drive(self, process, jdk, directory, size):
        port = self._port(process, directory / "stdout.txt")
        done = subprocess.run([jdk.home / "bin" / "java", "-cp", CLASSES, "HttpLoad", port,
                               str(REQUESTS[size])], capture_output=True, text=True, check=False,
                              timeout=LOAD_TIMEOUT_S)
        if done.returncode != 0:
            raise BenchError(f"HttpLoad failed: {done.stderr[-500:]}")
        (directory / "load.txt").write_text(done.stdout, encoding="ascii")

    @staticmethod
    def _port(process, file):
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and process.poll() is None:
            if found := re.search(r"^port=(\d+)\n", file.read_text(encoding="utf-8"), re.M):
                return found[1]
            time.sleep(0.01)
        raise BenchError(f"no port in {file}")

    @staticmethod
    def _load(directory):
        lines = (directory / "load.txt").read_text(encoding="ascii").splitlines()
        return dict(line.split("=") for line in lines)

    def digest(self, directory):
        return hashlib.sha256(self._load(directory)["sum"].encode()).hexdigest()

    def scores(self, directory, wall):
        load = self._load(directory)
        return {"seconds": float(load["seconds"]), "p99_ms": float(load["p99_ms"])}
