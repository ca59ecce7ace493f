"""Starts Java programs under the agent.

Environment
    HPROF_TEST_JAVA_OPTS    options added to every java command
    HPROF_TEST_ENV_PRELOAD  LD_PRELOAD of every JVM (a sanitizer's runtime)
    HPROF_TEST_ASAN_OPTIONS ASAN_OPTIONS of every JVM
"""

import os
import re
import shlex
import subprocess

import pytest

from .builds import AGENT, PLATFORM
from .live_run import TIMEOUT_S, Live
from .profiled_run import Run


def sanitizer_environment():
    """What a JVM requires in its environment for an agent with a sanitizer."""
    given = {"LD_PRELOAD": os.environ.get("HPROF_TEST_ENV_PRELOAD"),
             "ASAN_OPTIONS": os.environ.get("HPROF_TEST_ASAN_OPTIONS")}
    return {name: value for name, value in given.items() if value}


def preloading(library):
    """The same, with a library that comes before all others except a sanitizer's runtime."""
    environment = sanitizer_environment()
    libraries = (environment.get("LD_PRELOAD"), str(library))
    return {**environment, "LD_PRELOAD": " ".join(filter(None, libraries))}


def _environment():
    """The environment of a JVM, without options of the caller's shell."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")}
    return {**environment, **sanitizer_environment()}


def _load_agent(options, how, environment):
    """The arguments of java that load the agent; changes environment where that is needed."""
    suffix = f"={options}" if options != "" else ""
    if how == "agentpath":
        return [f"-agentpath:{AGENT}{suffix}"]
    if how == "tool_options":
        environment["JAVA_TOOL_OPTIONS"] = f"-agentpath:{AGENT}{suffix}"
        return []
    environment["LD_LIBRARY_PATH"] = str(AGENT.parent)
    if how == "agentlib":
        return [f"-agentlib:hprof{suffix}"]
    return [f"-Xrunhprof{suffix.replace('=', ':', 1)}"]


class Runner:
    """Runs programs under one JDK; each run gets its own directory."""

    def __init__(self, jdk, class_path, directory):
        self.jdk = jdk
        self.class_path = class_path
        self.directory = directory
        self.runs = 0
        self.live = []

    def start(self, main, options, *args, java_opts=(), how="agentpath", env=None, directory=None,
              timeout_s=TIMEOUT_S, preexec=None, stdin=subprocess.DEVNULL,
              stderr=subprocess.PIPE):
        """Starts main under the agent with options; options None: without it.

        how: agentpath, agentlib, xrun, or tool_options (JAVA_TOOL_OPTIONS).
        """
        if options is not None and not AGENT.is_file():
            pytest.fail(f"no agent at {AGENT}: build it, or set HPROF_AGENT", pytrace=False)
        self.runs += 1
        if directory is None:
            directory = self.directory / f"run{self.runs}"
            directory.mkdir(parents=True)
        environment = _environment()
        argument = [] if options is None else _load_agent(options, how, environment)
        environment.update(env or {})
        added = shlex.split(os.environ.get("HPROF_TEST_JAVA_OPTS", ""))
        command = [str(self.jdk.java), *added, *java_opts, *argument,
                   "-cp", os.pathsep.join(map(str, self.class_path)), main, *map(str, args)]
        binary = bool(re.search(r"(^|,)format=b(,|$)", options or ""))
        output = directory / ("java.hprof" if binary else "java.hprof.txt")
        named = re.search(r"(^|,)file=([^,]+)", options or "")
        if named:
            output = directory / named[2]
        run = Run(self.jdk, command, directory, output, options, binary)
        live = Live(run, environment, timeout_s, preexec, stdin, stderr)
        self.live.append(live)
        return live

    def run(self, main, options, *args, exit_code=0, **how):
        """Runs to the end. exit_code None accepts any."""
        done = self.start(main, options, *args, **how).finish()
        if PLATFORM == "windows" and (done.exit_code, done.stdout, done.stderr) == (1, "", ""):
            # One start in hundreds fails under Wine (tests/ports/windows/wine.sh).
            done = self.start(main, options, *args, **how).finish()
        if exit_code is not None and done.exit_code != exit_code:
            pytest.fail(done.describe(f"exit code {done.exit_code}, should be {exit_code}"),
                        pytrace=False)
        return done

    def close(self):
        for live in self.live:
            if live.alive():
                live.kill()
