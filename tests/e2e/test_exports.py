"""Exports of profiles: every format has the stacks and the total of the profile, by readers that
share nothing with the command."""

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

from readers import json_profiles, pprof_reader
from support.builds import PLATFORM
from support.checks import stable_name
from support.command import hprof
from support.exports import (INTERVAL_MS, KINDS, LIBRARIES, MADE_COLLAPSED, NS_PER_MS, REST, collapsed,
                             formats, joined, require, run_of, total_of)

pytestmark = pytest.mark.any_jvm


def flame_total(data):
    title = ElementTree.fromstring(data).find(".//{http://www.w3.org/2000/svg}title").text
    return int(re.fullmatch(r"all \((\d+) \w+, 100\.00%\)", title)[1])


@pytest.mark.parametrize("kind, cutoff", [("samples", "0"), *(
    pytest.param(kind, "0.02", marks=pytest.mark.thorough if kind == "times" else ())
    for kind in KINDS)])
def test_every_format_has_the_same_stacks(jdk, shared_run, export, kind, cutoff):
    done = run_of(kind, cutoff, jdk, shared_run)
    rows, total = total_of(done.profile(), kind)
    of = ("--of", kind)

    stacks = collapsed(export(done.output, ".collapsed", *of))
    if kind == "sites" and cutoff != "0":
        # The text has no total of sites: what is below the cutoff is computed.
        assert sum(stacks.values()) - stacks[REST] == rows
        total = sum(stacks.values())
    assert sum(stacks.values()) == total > 0
    assert (REST in stacks) == (kind in ("samples", "sites") and cutoff != "0")
    assert flame_total(export(done.output, ".svg", *of)) == total

    if ".pb.gz" in formats():
        pprof = pprof_reader.read(export(done.output, ".pb.gz", *of))
        assert joined(pprof.stacks(KINDS[kind].pprof_type)) == stacks
    if ".json" in formats():
        [profile] = json_profiles.speedscope(export(done.output, ".json", *of))
        assert profile.unit == KINDS[kind].speedscope_unit and joined(profile.stacks()) == stacks
        [thread] = json_profiles.firefox(export(done.output, ".firefox.json", *of))
        unit = KINDS[kind].firefox_unit
        scale = NS_PER_MS if unit == "tracing-ms" else 1
        assert thread.unit == unit and joined(thread.stacks(), scale) == stacks


@pytest.mark.skipif(PLATFORM != "linux", reason="reads Linux's microstates")
def test_every_format_has_the_states(jdk, shared_run, export):
    """The time of each trace in each state, as the tests' reader of the text format has it."""
    done = shared_run(jdk, "TimesStates", "cpu=times,msa=y,depth=16,cutoff=0,verbose=n", 5)
    [section] = done.profile().states
    in_order = ("usr", "lck", "slp", "i/o", "lat", "stw")
    stacks = {state: Counter() for state in in_order}
    for row in section.rows:
        for state in in_order:
            if ms := row.ms[state] or 0:
                stacks[state][tuple(map(stable_name, reversed(row.names)))] += round(ms * NS_PER_MS)
    assert all(stacks.values()), {state: len(rows) for state, rows in stacks.items()}
    stacks = {state: joined(rows) for state, rows in stacks.items()}

    for state, rows in stacks.items():
        assert joined(collapsed(export(done.output, ".collapsed", "--of", state))) == rows, state
        assert flame_total(export(done.output, ".svg", "--of", state)) == sum(rows.values())
    if ".pb.gz" in formats():
        pprof = pprof_reader.read(export(done.output, ".pb.gz"))
        for state, rows in stacks.items():
            assert joined(pprof.stacks(state.replace("/", ""))) == rows, state
    if ".json" in formats():
        for suffix, read, scale in ((".json", json_profiles.speedscope, 1),
                                    (".firefox.json", json_profiles.firefox, NS_PER_MS)):
            profiles = {profile.name: joined(profile.stacks(), scale)
                        for profile in read(export(done.output, suffix))}
            for state, rows in stacks.items():
                assert profiles[f"TRACE MICROSTATES, {state}"] == rows, (suffix, state)


def frames_of(profile):
    """(name, file, line) of all frames that rows have, None where the file does not say."""
    return {(stable_name(frame.name), None if frame.source in ("<Unknown Source>", "") else frame.source,
             frame.line if isinstance(frame.line, int) and frame.line > 0 else None)
            for row in profile.rows for frame in row.trace.frames}


@pytest.mark.parametrize("form", ["a", "b"])
def test_frames_have_their_files_and_lines(jdk, shared_run, export, form):
    for suffix in LIBRARIES:
        require(suffix)
    added = ",timeline=y" if form == "a" else ""
    done = shared_run(jdk, "Burn", "cpu=samples,interval=2,depth=30,thread=y,cutoff=0,verbose=n,"
                      f"format={form}{added}", 300)
    frames = frames_of(done.profile())
    pprof = pprof_reader.read(export(done.output, ".pb.gz"))
    assert {(name, file or None, line or None) for sample in pprof.samples
            for name, file, line in sample.frames} - {("<empty trace>", None, None)} == frames
    [thread] = json_profiles.firefox(export(done.output, ".firefox.json"))
    assert thread.frames - {("<empty trace>", None, None)} == frames
    [profile] = json_profiles.speedscope(export(done.output, ".speedscope.json"))
    assert {name for name, _, _ in profile.frames} - {"<empty trace>"} == \
        {name for name, _, _ in frames}
    files = {(name, file) for name, file, _ in frames}
    assert all((name, file) in files for name, file, _ in profile.frames
               if name != "<empty trace>")


def test_threads_have_profiles_and_labels_of_their_own(jdk, shared_run, export):
    for suffix in LIBRARIES:
        require(suffix)
    done = run_of("samples", "0", jdk, shared_run)
    profile = done.profile()
    counts = Counter()
    for row in profile.rows:
        name = profile.threads[row.trace.thread].name if row.trace.thread else "[no thread]"
        counts[name] += row.count
    for suffix, read in ((".json", json_profiles.speedscope),
                         (".firefox.json", json_profiles.firefox)):
        threads = read(export(done.output, suffix, "--threads"))
        found = Counter()
        for thread in threads:
            found[thread.name] += sum(weight for _, weight in thread.samples)
        assert found == counts, suffix
    pprof = pprof_reader.read(export(done.output, ".pb.gz"))
    found = Counter()
    for sample in pprof.samples:
        found[sample.labels.get("thread", "[no thread]")] += sample.values[0]
    assert found == counts


def test_pprof_has_the_facts_of_the_profile(jdk, shared_run, export):
    require(".pb.gz")
    done = run_of("samples", "0", jdk, shared_run)
    text = done.output.read_text()
    width, start_ms = map(int, re.search(r"^SAMPLE TIMES BEGIN \(bucket = (\d+) ms, start = (\d+)\)",
                                         text, re.M).groups())
    first = min(int(pair.split(":")[0])
                for line in re.search(r"^SAMPLE TIMES BEGIN.*?\n(.*?)^SAMPLE TIMES END", text,
                                      re.M | re.S)[1].splitlines()
                for pair in line.split()[1:])
    seconds = float(re.findall(r"^NOTE: profiled for ([\d.]+) s$", text, re.M)[-1])
    pprof = pprof_reader.read(export(done.output, ".pb.gz"))
    assert pprof.types == [("samples", "count"), ("cpu", "nanoseconds")]
    assert pprof.default_type == "cpu" and pprof.period_type == ("cpu", "nanoseconds")
    assert pprof.period == INTERVAL_MS * NS_PER_MS
    assert all(sample.values[1] == sample.values[0] * pprof.period for sample in pprof.samples)
    assert pprof.time_nanos == (start_ms + first * width) * NS_PER_MS
    assert pprof.duration_nanos == round(seconds * 1000) * NS_PER_MS
    assert any(re.fullmatch(r"program: Burn 300", one) for one in pprof.comments)


def test_sampled_times_are_those_of_the_file(jdk, shared_run, export):
    """Samples of one bucket stay in it."""
    require(".firefox.json")
    done = run_of("samples", "0", jdk, shared_run)
    text = done.output.read_text()
    width = int(re.search(r"^SAMPLE TIMES BEGIN \(bucket = (\d+) ms", text, re.M)[1])
    counts = Counter()
    for line in re.search(r"^SAMPLE TIMES BEGIN.*?\n(.*?)^SAMPLE TIMES END", text,
                          re.M | re.S)[1].splitlines():
        for pair in line.split()[1:]:
            bucket, samples = map(int, pair.split(":"))
            counts[bucket] += samples
    first = min(counts)
    found = Counter()
    for thread in json_profiles.firefox(export(done.output, ".firefox.json", "--threads")):
        for time, (_, weight) in zip(thread.times, thread.samples):
            # The end of a bucket is that of the next one.
            found[int(time // width) + first] += weight
    assert sum(found.values()) == sum(counts.values())
    above = 0
    for bucket in range(first, max(counts) + 2):
        assert abs(above) <= counts[bucket - 1] + counts[bucket], (bucket, found, counts)
        above += counts[bucket] - found[bucket]


def test_what_a_format_cannot_show_is_refused(jdk, run_java, tmp_path):
    done = run_java("Hello", "heap=dump,depth=0,verbose=n")
    for suffix in {".collapsed", *LIBRARIES} & {*formats()}:
        said = hprof("report", "-o", tmp_path / f"x{suffix}", done.output, exit_code=1).stderr
        assert re.fullmatch(rb"hprof: .* has no section .*with stacks; hprof report .*\n", said)
        assert not (tmp_path / f"x{suffix}").exists()
    said = hprof("report", "-o", tmp_path / "x.pprof", done.output, exit_code=2).stderr
    assert said.count(b"\n") == 1 and b" .svg " in said


def found_by_make(library, variable):
    """As the Makefile decides. make passes a variable of its command line on to its tests."""
    if variable in os.environ:
        return os.environ[variable] != ""
    if variable == "PROTOBUF_C" and shutil.which("protoc-c") is None:
        return False
    return subprocess.run(["pkg-config", "--exists", library], check=False).returncode == 0


@pytest.mark.parametrize("suffix", LIBRARIES)
def test_a_build_has_the_formats_whose_libraries_it_found(tmp_path, suffix):
    """A build without one says so."""
    library, variable = LIBRARIES[suffix]
    if PLATFORM == "linux":
        assert (suffix in formats()) == found_by_make(library, variable)
    profile, output = tmp_path / "profile.txt", tmp_path / f"x{suffix}"
    profile.write_text("JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n--------\n")
    built = suffix in formats()
    said = hprof("report", "-o", output, profile, exit_code=1 if built else 2).stderr.decode()
    assert said.count("\n") == 1 and not output.exists()
    assert built or re.fullmatch(rf"hprof: -o \S+: this hprof was built without {library}, which {suffix} files "
                                 r"require; write one of: (\.\w+ ?)+\n", said)


def test_collapsed_stacks_keep_names_apart_from_costs(made, export):
    """Neither a semicolon nor a number at the end of a name is one of the format."""
    assert collapsed(export(made, ".collapsed")) == MADE_COLLAPSED
