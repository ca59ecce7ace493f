"""A plugin of pytest (-p pytest_failures): records failed tests as failures.py says.

With pytest-xdist it acts in the process that controls the workers, which has all reports.
"""

import sys

import pytest

import failures


class Recorder:
    """Records each failed test once, and ends the session well if that is all that failed."""

    def __init__(self, config):
        self.directory = config.rootpath
        self.count = {}

    def _record(self, report):
        if report.nodeid in self.count:
            return  # a failed end after a failed test
        self.count[report.nodeid] = 1
        text = "\n".join([report.longreprtext] + [
            f"---- {title}\n{content}" for title, content in report.sections])
        failures.record(report.nodeid, text,
                        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                         "-p", "pytest_failures", report.nodeid], self.directory)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self._record(report)

    def pytest_collectreport(self, report):
        if report.failed:
            self._record(report)

    def pytest_sessionfinish(self, session):
        if session.exitstatus == pytest.ExitCode.TESTS_FAILED and self.count:
            session.exitstatus = pytest.ExitCode.OK


def pytest_configure(config):
    if failures.are_recorded() and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config), "recorder of failures")
