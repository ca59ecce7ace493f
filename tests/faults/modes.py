"""The modes of the agent under injected faults, and what each one's profile must hold."""

import gzip
import zlib
from dataclasses import dataclass

from readers import hprof_binary, hprof_old, hprof_text

BURNT = "Faulted.burn"
CALLED = "Faulted.called"
CONTENDED = "Faulted.contend"
ITEM = "Faulted$Item"
CALLS, ITEMS, KEPT, SLEPT_MS = 5000, 2000, 500, 20  # of Faulted.java


# What readers raise on a file that is not whole.
BROKEN = (hprof_text.FormatError, hprof_binary.FormatError, hprof_old.FormatError,
          UnicodeDecodeError, OSError, EOFError, zlib.error)


class Incomplete(Exception):
    """The profile is not what the mode promises."""


@dataclass(frozen=True)
class Mode:
    name: str
    options: str
    burns: bool  # needs CPU time to show
    facts: object  # function of the parsed profile: what is counted, by name
    parse: object = hprof_text.parse
    file: str = "profile.txt"
    net: bool = False
    denied: str = ""  # calls that always fail, so that what takes their place is walked

    def _parse(self, data):
        if self.file.endswith(".gz"):
            data = gzip.decompress(data)
        return self.parse(data)

    def broken(self, data):
        """What is wrong with the file of a profile that has failed: it may lack sections, but
        has whole records. None when nothing is; nor for a peer, from which nothing can be taken
        back."""
        if self.net or not data:
            return None
        try:
            self._parse(data)
        except BROKEN as error:
            return f"{error}"
        return None

    def read(self, data):
        """The facts of the profile in data; Incomplete when there is none."""
        try:
            return self.facts(self._parse(data))
        except BROKEN as error:
            raise Incomplete(f"broken: {error}") from error
        except (IndexError, KeyError, AssertionError) as error:
            raise Incomplete(f"lacks a part: {error!r}") from error


# ---- facts: samples may differ by half between two runs, all else not at all -----------

def _samples(profile):
    return {"samples": sum(row.count for row in profile.rows if BURNT in row.names)}


def _timed(profile):
    """The reader has checked that all samples of a section with times have one."""
    return {**_samples(profile), "timelines": len(profile.sample_times)}


def _calls(profile):
    section = profile.titled("CPU TIME")[-1]
    return {"calls": sum(row.count for row in section.rows if row.names[:1] == [CALLED])}


def _costs(profile):
    costs = profile.trace_costs[-1]
    return {**_calls(profile), "costs": sum(
        count for serial, count in costs.counts.items()
        if profile.traces[serial].names[:1] == [CALLED])}


def _old(tables):
    return {"calls": sum(row.count for row in tables[-1] if row.callee == CALLED)}


def _sites(profile):
    rows = profile.sites[-1].of(ITEM)
    return {"allocated": sum(row.allocated_objects for row in rows),
            "live": sum(row.live_objects for row in rows)}


def _binary_sites(profile):
    rows = [row for row in profile.sites[-1].rows
            if row.loaded and row.loaded.name.replace("/", ".") == ITEM]
    return {"allocated": sum(row.allocated_objects for row in rows)}


def _dump(profile):
    return {"instances": len(profile.heaps[-1].instances(ITEM))}


def _binary_dump(profile):
    heap = profile.heaps[-1]
    names = heap.histogram()
    return {"instances": names.get(ITEM, 0) + names.get(ITEM.replace(".", "/"), 0)}


def _all_binary(profile):
    return {**_samples(profile), **_binary_sites(profile), **_binary_dump(profile)}


def _monitors(profile):
    rows = profile.monitor_times[-1].rows
    return {"contended": sum(row.count for row in rows if row.monitor.startswith("Ljava/lang/Object;"))}


def _lives(profile):
    return {"main": sum(1 for life in profile.lives[-1] if life.thread.name == "main")}


def _sampled_states(profile):
    burnt = profile.states[-1].sums(lambda row: BURNT in row.names)
    return {**_samples(profile), **_lives(profile), "burnt": burnt["usr"] > 0}


def _exact_states(profile):
    states = profile.states[-1]
    waited = states.sums(lambda row: CONTENDED in row.names)
    return {**_calls(profile), **_lives(profile),
            "calls with states": sum(row.calls for row in states.rows
                                     if row.names[:1] == [CALLED]),
            "slept": waited["slp"] >= SLEPT_MS}


def _binary(name, options, burns, facts, **more):
    return Mode(name, f"{options},format=b", burns, facts, hprof_binary.parse,
                more.pop("file", "profile.hprof"), **more)


MODES = [
    Mode("samples", "cpu=samples,interval=1", True, _samples),
    _binary("samples binary", "cpu=samples,interval=1", True, _samples),
    Mode("samples clock", "cpu=samples,interval=1,engine=clock", True, _samples),
    Mode("samples posix", "cpu=samples,interval=1", True, _samples, denied="perf_event_open"),
    Mode("samples timeline", "cpu=samples,interval=1,timeline=y", True, _timed),
    Mode("samples msa", "cpu=samples,interval=1,msa=y", True, _sampled_states),
    Mode("times", "cpu=times,cutoff=0", False, _calls),
    Mode("times costs", "cpu=times,costs=y,cutoff=0", False, _costs),
    Mode("times msa", "cpu=times,msa=y,cutoff=0", False, _exact_states),
    Mode("old", "cpu=old,interval=1", False, _old, hprof_old.parse),
    Mode("sites", "heap=sites,cutoff=0", False, _sites),
    Mode("sites live=n", "heap=sites,live=n,cutoff=0", False, _sites),
    Mode("dump", "heap=dump", False, _dump),
    _binary("dump binary", "heap=dump", False, _binary_dump),
    _binary("dump jvmti", "heap=dump,dumper=jvmti", False, _binary_dump),
    Mode("monitor", "monitor=y,cutoff=0", False, _monitors),
    Mode("gz", "cpu=samples,interval=1", True, _samples, file="profile.txt.gz"),
    _binary("gz dump", "heap=dump", False, _binary_dump, file="profile.hprof.gz"),
    Mode("net", "cpu=samples,interval=1", True, _samples, net=True),
    _binary("net all", "cpu=samples,interval=1,heap=all,cutoff=0", True, _all_binary, net=True),
]


def differences(facts, usual):
    """What a profile lacks against that of a run without faults."""
    return [f"{name} {facts[name]}, should be {count}" for name, count in usual.items()
            if (facts[name] < count / 2 if name == "samples" else facts[name] != count)]
