"""What a program runs with: the agent under some options, another agent, or another profiler."""

from collections import namedtuple

from lib.workplace import BenchError

BEFORE = "before"
MODES = ["cpu=samples", "cpu=times", "cpu=times,msa=y", "heap=sites", "heap=sites,live=n",
         "heap=sites,heapinterval=512k", "monitor=y"]
QUICK_MODES = ["cpu=samples", "cpu=times", "heap=sites"]
METHOD_TIMING_JDK = 25
# Both peers greet on the program's standard output, which is compared.
NO_GREETING = "-Xlog:jfr+startup=error"
NO_ASYNC_GREETING = "loglevel=error"

# A column of the tables. words: the JVM's options; oldest_jdk: the first that has them.
Contestant = namedtuple("Contestant", "label words oldest_jdk", defaults=[0])


def agent_contestant(library, options, label=None):
    """The agent under its options; the profile is a file of the run's directory."""
    return Contestant(label or options, [f"-agentpath:{library}={options},file=profile.txt"])


def async_profiler(library, event, options):
    """async-profiler, which writes collapsed stacks."""
    words = f"start,event={options},collapsed,file=async.txt,{NO_ASYNC_GREETING}"
    return Contestant(f"async-profiler {event}", [f"-agentpath:{library}={words}"])


def flight_recorder():
    """JFR with the settings for profiling."""
    return Contestant("JFR profile", [
        NO_GREETING, "-XX:StartFlightRecording:settings=profile,filename=flight.jfr"])


def method_timing(pattern):
    """JFR's timing of methods."""
    return Contestant(f"JFR timing {pattern}", [
        NO_GREETING, f"-XX:StartFlightRecording:method-timing={pattern},filename=flight.jfr"],
                      METHOD_TIMING_JDK)


def contestants(library, modes, before=None, async_library=None, jfr=False, jfr_timing=None):
    """All columns, in the order of the table. Where there is another agent, it is next to the
    agent under the same options, so that both have the same partner; see order.py."""
    found = []
    for mode in modes:
        if before:
            found.append(agent_contestant(before, mode, f"{mode} {BEFORE}"))
        found.append(agent_contestant(library, mode))
    if async_library:
        found.append(async_profiler(async_library, "cpu", "cpu,interval=10ms"))
        found.append(async_profiler(async_library, "alloc", "alloc"))
    if jfr:
        found.append(flight_recorder())
    if jfr_timing:
        found.append(method_timing(jfr_timing))
    labels = [contestant.label for contestant in found]
    if len(set(labels)) != len(labels):
        raise BenchError(f"columns twice: {', '.join(labels)}")
    return found


def runs_on(contestant, jdk):
    """Whether the JDK has what the contestant needs."""
    return jdk.version >= contestant.oldest_jdk
