"""Exports of profiles, read by the programs that they are for: pprof, speedscope and inferno find the
stacks, costs and units that the profile has. make check-readers runs these tests.

The Firefox Profiler is not among them: it is a web page, we found no package of it on npm, and
speedscope's importer for Firefox reads another format, that of the old developer tools, and refuses
this one. So .firefox.json is held against readers/json_profiles.py alone, in test_exports.py.
"""

from collections import Counter

import pytest

from support.checks import stable_name
from support.exports import (INTERVAL_MS, KINDS, MADE, MADE_COLLAPSED, NS_PER_MS, REST, collapsed, joined, require,
                             run_of, total_of)
from support.tools import inferno, pprof
from support.tools.speedscope import Speedscope

pytestmark = [pytest.mark.readers, pytest.mark.any_jvm]

PPROF_TYPES = {
    "samples": [("samples", "count"), ("cpu", "nanoseconds")],
    "times": [("calls", "count"), ("cpu", "nanoseconds")],
    "off-cpu": [("off_cpu", "nanoseconds")],
    "sites": [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"),
              ("inuse_space", "bytes")],
    "monitors": [("contentions", "count"), ("delay", "nanoseconds")],
}
STATES = ("usr", "lck", "slp", "i/o", "lat", "stw")
STATES_RUN = ("TimesStates", "cpu=times,msa=y,depth=16,cutoff=0,verbose=n", 5)

each_kind = pytest.mark.parametrize("kind, cutoff", [("samples", "0"), *((kind, "0.02") for kind in KINDS)])


@pytest.fixture(scope="module", name="speedscope")
def _speedscope():
    opened = Speedscope()
    yield opened
    opened.close()


@pytest.fixture
def written(export, tmp_path):
    """written(profile, suffix, *options): the path of the export."""
    def write(profile, suffix, *options):
        path = tmp_path / f"profile{suffix}"
        path.write_bytes(export(profile, suffix, *options))
        return path
    return write


def check_total(stacks, done, kind):
    """The costs that all formats have to equal are those of the profile."""
    rows, total = total_of(done.profile(), kind)
    if kind == "sites":  # the text has no total: what is below the cutoff is computed
        assert sum(stacks.values()) - stacks[REST] == rows > 0
    else:
        assert sum(stacks.values()) == total > 0


def default_type(kind):
    """What pprof and speedscope show unless they are asked for another type."""
    return "cpu" if kind == "samples" else KINDS[kind].pprof_type


def flat_and_cumulative(stacks):
    flat, cumulative = Counter(), Counter()
    for stack, cost in stacks.items():
        flat[stack[-1]] += cost
        for name in set(stack):
            cumulative[name] += cost
    return flat, cumulative


# ---- pprof ------------------------------------------------------------------------------


@each_kind
def test_pprof_reads_each_kind(jdk, shared_run, export, written, kind, cutoff):
    require(".pb.gz")
    done = run_of(kind, cutoff, jdk, shared_run)
    stacks = collapsed(export(done.output, ".collapsed", "--of", kind))
    check_total(stacks, done, kind)
    path = written(done.output, ".pb.gz", "--of", kind)
    raw = pprof.raw(path)
    assert raw.types == PPROF_TYPES[kind] and raw.default == default_type(kind)
    assert joined(raw.stacks(KINDS[kind].pprof_type)) == stacks

    for name, unit in raw.types:
        shown, total = pprof.top(path, name, unit)
        own = raw.stacks(name)
        flat, cumulative = flat_and_cumulative(own)
        assert total == sum(own.values()) > 0
        assert {name: costs for name, costs in shown.items() if costs != (0, 0)} == \
            {name: (flat[name], cumulative[name]) for name in cumulative}


def test_pprof_reads_each_state(jdk, shared_run, export, written):
    """All sections of a file are types of one profile."""
    require(".pb.gz")
    done = shared_run(jdk, *STATES_RUN)
    path = written(done.output, ".pb.gz")
    raw = pprof.raw(path)
    for state in STATES:
        stacks = collapsed(export(done.output, ".collapsed", "--of", state))
        name = state.replace("/", "")
        assert (name, "nanoseconds") in raw.types and joined(raw.stacks(name)) == stacks
        assert pprof.top(path, name, "nanoseconds")[1] == sum(stacks.values()) > 0


def test_pprof_keeps_names(made, written):
    require(".pb.gz")
    path = written(made, ".pb.gz")
    assert pprof.raw(path).stacks("samples") == Counter(dict(MADE))
    flat, _ = flat_and_cumulative(dict(MADE))
    assert {name: costs[0] for name, costs in pprof.top(path, "samples", "count")[0].items() if costs[0]} == flat


# ---- speedscope -------------------------------------------------------------------------


@each_kind
def test_speedscope_reads_each_kind(jdk, shared_run, speedscope, export, written, kind, cutoff):
    """By three importers: that of its own format, of collapsed stacks and of pprof."""
    done = run_of(kind, cutoff, jdk, shared_run)
    stacks = collapsed(export(done.output, ".collapsed", "--of", kind))
    check_total(stacks, done, kind)

    importer, [found] = speedscope.read(written(done.output, ".collapsed", "--of", kind))
    assert importer == "collapsed stack format" and found.unit == "none" and found.stacks == stacks

    require(".json")
    for suffix in (".json", ".speedscope.json"):
        importer, [found] = speedscope.read(written(done.output, suffix, "--of", kind))
        assert importer == "speedscope json file" and found.unit == KINDS[kind].speedscope_unit
        assert joined(found.stacks) == stacks

    require(".pb.gz")
    importer, [found] = speedscope.read(written(done.output, ".pb.gz", "--of", kind))
    assert importer == "protobuf encoded pprof file" and found.unit == dict(PPROF_TYPES[kind])[default_type(kind)]
    scale = INTERVAL_MS * NS_PER_MS if kind == "samples" else 1
    assert joined(found.stacks, 1 / scale) == stacks


def test_speedscope_reads_each_state(jdk, shared_run, speedscope, export, written):
    """All sections of a file are profiles of one group."""
    require(".json")
    done = shared_run(jdk, *STATES_RUN)
    _, found = speedscope.read(written(done.output, ".json"))
    found = {one.name: one for one in found}
    for state in STATES:
        one = found[f"TRACE MICROSTATES, {state}"]
        assert one.unit == "nanoseconds"
        assert joined(one.stacks) == collapsed(export(done.output, ".collapsed", "--of", state))


def test_speedscope_reads_each_thread(jdk, shared_run, speedscope, written):
    require(".json")
    done = run_of("samples", "0", jdk, shared_run)
    profile = done.profile()
    counts = Counter()
    for row in profile.rows:
        counts[profile.threads[row.trace.thread].name if row.trace.thread else "[no thread]"] += row.count
    _, found = speedscope.read(written(done.output, ".json", "--threads"))
    assert {one.name: sum(one.stacks.values()) for one in found} == counts


def test_speedscope_has_the_files(jdk, shared_run, speedscope, written):
    done = run_of("samples", "0", jdk, shared_run)
    files = {(stable_name(frame.name), frame.source) for row in done.profile().rows for frame in row.trace.frames}
    for suffix in (".json", ".pb.gz"):
        require(suffix)
        _, [found] = speedscope.read(written(done.output, suffix))
        with_file = {one for one in found.files if one[1] is not None}
        assert with_file <= files and ("Burn.work", "Burn.java") in with_file


def test_speedscope_keeps_names(made, speedscope, written):
    for suffix in (".collapsed", ".json", ".pb.gz"):
        require(suffix)
        _, [found] = speedscope.read(written(made, suffix))
        assert found.stacks == (MADE_COLLAPSED if suffix == ".collapsed" else Counter(dict(MADE))), suffix


# ---- inferno ----------------------------------------------------------------------------


@each_kind
def test_inferno_reads_each_kind(jdk, shared_run, export, kind, cutoff):
    done = run_of(kind, cutoff, jdk, shared_run)
    data = export(done.output, ".collapsed", "--of", kind)
    stacks = collapsed(data)
    check_total(stacks, done, kind)
    graph = inferno.draw(data)
    assert graph.total == sum(stacks.values()) and graph.stacks == stacks
    check_colours(graph.colours)


def check_colours(colours):
    """Class.method is green, which stands for Java there."""
    methods = [name for name in colours if "." in name]
    assert methods
    for name in methods:
        red, green, blue = colours[name]
        assert green > max(red, blue), (name, colours[name])


def test_inferno_keeps_names(made, export):
    graph = inferno.draw(export(made, ".collapsed"))
    assert graph.stacks == MADE_COLLAPSED
