"""One run of a JVM: its times, its memory, and an end to its time."""

import os
import subprocess
import time

from lib.workplace import BenchError

RUN_TIMEOUT_S = 1800


class JavaRun:
    """A run of a command in a directory: wall, user and system seconds, and peak memory."""

    def __init__(self, command, directory, log, stdout=None):
        """stdout: the file of the standard output, by default it is in the log, too."""
        self.log = log
        with open(log, "wb") as messages, open(stdout or os.devnull, "wb") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=output if stdout else messages,
                                       stderr=messages, cwd=directory)
            try:
                self.meanwhile(process)
                status, usage = self._wait(process, start + RUN_TIMEOUT_S)
            except BaseException:
                process.kill()
                process.wait()
                raise
            self.wall = time.monotonic() - start
        self.user = usage.ru_utime
        self.system = usage.ru_stime
        self.rss_kb = usage.ru_maxrss
        if status != 0:
            raise BenchError(f"{' '.join(map(str, command))}\nended with status {status}; "
                             f"its messages are in {log}")

    def meanwhile(self, process):
        """What a kind of run does while the program is at work."""

    @staticmethod
    def _wait(process, deadline):
        """Exit status and resource use; polled, for a bound on the time."""
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage
            if time.monotonic() > deadline:
                raise BenchError(f"a run took longer than {RUN_TIMEOUT_S} s")
            time.sleep(0.002)

    @property
    def cpu(self):
        """User and system time."""
        return self.user + self.system
