"""Exports of profiles of each kind, for tests that read them: by readers of the tests' own, and by the
programs that the formats are for."""

import functools
from collections import Counter
from dataclasses import dataclass

import pytest

from .builds import PLATFORM
from .command import hprof

REST = ("[below the cutoff]",)
NS_PER_MS = 1000000
INTERVAL_MS = 2

# Formats with the library that they require, and its variable in the Makefile.
LIBRARIES = {".pb.gz": ("libprotobuf-c", "PROTOBUF_C"), ".json": ("jansson", "JANSSON"),
             ".firefox.json": ("jansson", "JANSSON")}


@dataclass(frozen=True)
class Kind:
    """A profile with costs of a kind; the keys of KINDS are for --of."""
    program: str
    options: str
    arguments: tuple
    pprof_type: str
    speedscope_unit: str
    firefox_unit: str
    title: str = ""  # in the text, of costs in nanoseconds


KINDS = {
    "samples": Kind("Burn", f"cpu=samples,interval={INTERVAL_MS},depth=1024,thread=y,timeline=y", (300,),
                    "samples", "none", "samples"),
    "times": Kind("TimesCalls", "cpu=times,costs=y,depth=16", (200,),
                  "cpu", "nanoseconds", "tracing-ms", "CPU TIME"),
    "off-cpu": Kind("TimesSleep", "cpu=times,msa=y,costs=y", (300, 100),
                    "off_cpu", "nanoseconds", "tracing-ms", "OFF-CPU TIME"),
    "sites": Kind("Burn", "heap=sites,depth=20", (10,), "inuse_space", "bytes", "bytes"),
    "monitors": Kind("Monitors", "monitor=y,costs=y", ("contend", 60),
                     "delay", "nanoseconds", "tracing-ms", "MONITOR TIME"),
}


def run_of(kind, cutoff, jdk, shared_run):
    """The finished run that has a profile of the kind."""
    if kind == "off-cpu" and PLATFORM != "linux":
        pytest.skip("reads Linux's microstates")
    one = KINDS[kind]
    return shared_run(jdk, one.program, f"{one.options},cutoff={cutoff},verbose=n", *one.arguments)


def total_of(profile, kind):
    """The costs of all rows, and the total of the profile, as the tests' reader of the text format has
    them."""
    if kind == "samples":
        return sum(row.count for row in profile.rows), profile.sections[0].total
    if kind == "sites":
        return (sum(row.live_bytes for row in profile.sites[-1].rows),) * 2
    [costs] = [costs for costs in profile.trace_costs if costs.title == KINDS[kind].title]
    return sum(costs.ns.values()), costs.total_ns


@functools.cache
def formats():
    """The suffixes of this build."""
    said = hprof("report", "-o", "x", "no-such-profile", exit_code=2).stderr.decode()
    return said.rpartition("write one of: ")[2].split()


def require(suffix):
    if suffix not in formats():
        pytest.skip(f"built without {LIBRARIES[suffix][0]}")


def collapsed(data):
    """Stacks, outermost first; a semicolon in a name is a comma there."""
    stacks = Counter()
    for line in data.decode().splitlines():
        stack, cost = line.rsplit(" ", 1)
        stacks[tuple(stack.split(";"))] += int(cost)
    return stacks


def joined(stacks, scale=1):
    """Stacks of another format as collapsed() has them."""
    result = Counter()
    for stack, cost in stacks.items():
        result[tuple(name.replace(";", ",") for name in stack)] += round(cost * scale)
    return result


# Names that a JVM and the languages on it may have, outermost first, and their samples.
MADE = [(("Shop.main", "Shop.adds 2 and 2", "java.util.HashMap.<init>"), 5),
        (("Shop.main", "Shop.adds 2 and 2"), 7),
        (("Shop.main", "scala.Option.a<b>::c[]", "Shop$$Lambda.run"), 11),
        (("Shop.main", "Shop.a;b"), 19),
        (("Shop.main", "Shop.<clinit>", "Shop.операция"), 13),
        (("<no_stack>.no_Java_frame",), 17)]
# A number that ends a line is a cost, and inferno takes two for those of two profiles. A semicolon ends
# a frame.
MADE_COLLAPSED = Counter({(*stack[:-1], stack[-1].replace("and 2", "and_2").replace(";", ",")): cost
                          for stack, cost in MADE})


def write_made(path):
    """A profile with the names of MADE."""
    lines = ["JAVA PROFILE 1.0.1, created Tue Nov 24 14:03:02 2026", "", "--------", ""]
    total = sum(cost for _, cost in MADE)
    for number, (stack, _) in enumerate(MADE, 300001):
        lines += [f"TRACE {number}:", *(f"\t{name}(Shop.java:{number % 100})" for name in reversed(stack))]
    lines += [f"CPU SAMPLES BEGIN (total = {total}) Tue Nov 24 14:03:02 2026",
              "rank   self  accum   count trace method"]
    for rank, (number, (stack, cost)) in enumerate(enumerate(MADE, 300001), 1):
        share = 100 * cost / total
        lines.append(f"{rank:4} {share:5.2f}% {share:5.2f}% {cost:7} {number} {stack[-1]}")
    lines.append("CPU SAMPLES END")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
