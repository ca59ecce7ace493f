"""heap=sites,live=n: every allocation at its site, recorded by instrumented bytecode."""

import re

import pytest

from support.builds import compile_here
from support.checks import check
from test_heap_sites import (MADE_BY_NATIVES, check_truth, collectors, counted, has_collector,
                             last_sites, sums)

EXACT = "heap=sites,cutoff=0,live=n,verbose=y,stacks=check"
thorough = pytest.mark.thorough
# Collectors that move objects while the program runs: there the VM reports objects.
CONCURRENT = {"Z", "Shenandoah"}


def check_reported_by(run, source):
    if run.jdk.version == 11:
        source = "the VM"  # it passes classes of lambdas to no agent
    run.profile()
    found = [match[1] for match in (re.match(
        r"heap: every allocation \(reported by (.*?), objects not tracked", note)
        for note in run.notes) if match]
    check(found == [source], run, f"allocations are reported by {found}, should be by {source}")


@collectors("Serial", "Z", "Shenandoah")
def test_objects_are_counted_exactly(jdk, run_java, collector):
    if not has_collector(jdk, collector):
        pytest.skip(f"this JVM has no {collector}")
    run = run_java("SitesTruth", EXACT, 2000,
                   java_opts=[f"-XX:+Use{collector}GC", "-XX:+UseCompressedOops"]
                   if collector != "Z" else ["-XX:+UseZGC"])
    check_reported_by(run, "the VM" if collector in CONCURRENT else "bytecode")
    sites = last_sites(run)
    check(sites.by_allocation and sites.remarks == ["live not counted"], run, f"{sites.remarks}")
    sizes = {"SitesTruth$Plain": 24, "SitesTruth$Leaf": 16, "byte[]": 120, "long[]": 56,
             "long[][]": 32, "SitesTruth$Plain[]": 48}
    if collector == "Z":  # without compressed references
        sizes = {"SitesTruth$Plain": 24, "byte[]": 120, "SitesTruth$Plain[]": 72, "long[]": 56}
    check_truth(run, sites, 2000, live=False, sizes=sizes)


# make check has each of them with one way to take stacks.
STACKS = {"-Xint": "check", "-XX:TieredStopAtLevel=1": "walk", "-XX:-TieredCompilation": "check",
          "-XX:-UseTLAB": "walk", "-XX:-DoEscapeAnalysis": "check"}


@pytest.mark.parametrize("stacks, java_opts", [
    pytest.param(stacks, [option], id=f"{stacks}-{option.lstrip('-X:')}",
                 marks=() if STACKS[option] == stacks else thorough)
    for stacks in ("walk", "check") for option in STACKS])
def test_objects_are_counted_exactly_whatever_compilers_do(run_java, java_opts, stacks):
    run = run_java("SitesTruth", EXACT.replace("check", stacks), 2000, java_opts=java_opts)
    check_reported_by(run, "bytecode")
    check_truth(run, last_sites(run), 2000, live=False)


@pytest.mark.parametrize("java_opts, reported", [
    ([], "bytecode"), pytest.param([], "the VM", marks=thorough),
    pytest.param(["-XX:TieredStopAtLevel=1"], "bytecode", marks=thorough),
    (["-XX:TieredStopAtLevel=1"], "the VM"), (["-Xint"], "bytecode"),
    pytest.param(["-Xint"], "the VM", marks=thorough)],
                         ids=lambda value: value if isinstance(value, str) else
                         "".join(value).lstrip("-X:") or "default")
def test_objects_of_all_ways_to_make_them_are_counted(run_java, java_opts, reported):
    options = EXACT if reported == "bytecode" else EXACT.replace("check", "vm")
    run = run_java("SitesWays", options, 3000, java_opts=["-Xmx64m", *java_opts])
    check_reported_by(run, reported)
    sites = last_sites(run)
    kinds = ["New", "Reflection", "Clone", "Serial", "Handle", "Unsafe", "Exception"]
    for name in [f"SitesWays$By{kind}" for kind in kinds] + ["SitesWays$Element[]"]:
        made = sums(sites.of(name))[3]
        check(made == 3000, run, f"{made} of {name}, should be 3000")
    lambdas = [row for row in sites.rows if row.class_name.startswith("SitesWays$$Lambda")]
    check(sums(lambdas)[3] == 3000, run, f"lambdas: {sums(lambdas)}")


@pytest.mark.parametrize("java_opts", [pytest.param([], marks=pytest.mark.asan), ["-Xint"]],
                         ids=["default", "Xint"])
def test_objects_that_hidden_classes_make_are_counted(run_java, java_opts):
    run = run_java("SitesHidden", EXACT, 3000, java_opts=java_opts)
    check_reported_by(run, "bytecode")
    sites = last_sites(run)
    for name, where in (("ByReference", "references"), ("ByReferenceWithArgument", "references"),
                        ("Element[]", "references"), ("$Lambda", "lambdas")):
        rows = [row for row in sites.rows
                if row.class_name == f"SitesHidden${name}"
                or name == "$Lambda" and row.class_name.startswith("SitesHidden$$Lambda")]
        here = [row for row in rows
                if f"SitesHidden.{where}" in [frame.name for frame in row.trace.frames]]
        check(sums(here)[3] == 3000, run, f"{name}: {sums(here)[3]}, should be 3000")


@pytest.mark.asan
def test_objects_that_native_code_makes_are_counted_exactly(run_java, native_library):
    run = run_java("SitesNative", EXACT, native_library("sites_native"), 1600)
    check_reported_by(run, "bytecode")
    sites = last_sites(run)
    for name, method, made in MADE_BY_NATIVES:
        got = counted(sites, name, method)
        check(got[3] == made, run, f"{name} of {method}: {got}, should be {made}")


@pytest.mark.parametrize("java_opts", [
    pytest.param([], marks=thorough), pytest.param(["-XX:-UseCompressedOops"], marks=thorough),
    ["-XX:-UseCompressedClassPointers"], ["-XX:ObjectAlignmentInBytes=16"],
    ["-XX:+UseCompactObjectHeaders"]],
                         ids=["default", "wide", "wideclasses", "aligned16", "compact"])
def test_sizes_are_those_that_jvm_ti_tells(jdk, run_java, native_library, java_opts):
    if "Compact" in "".join(java_opts) and jdk.version < 25:
        pytest.skip("compact object headers are of JDK 25")
    run = run_java("SitesNative", EXACT, native_library("sites_native"), 80, java_opts=java_opts)
    check_reported_by(run, "bytecode")
    sites = last_sites(run)
    reported = dict(re.findall(r"^size (\S+) (\d+)$", run.stdout, re.M))
    check(len(reported) == 15, run, f"sizes of {sorted(reported)}")
    for name, size in reported.items():
        got = counted(sites, name, "shapes")
        check(got == (0, 0, 80 * int(size), 80), run, f"{name}: {got}, should be 80 of {size}")


@pytest.mark.asan
def test_class_files_that_can_not_load_classes_tell_by_name(run_java):
    """Those before version 49; two classes of one name stay apart."""
    run = run_java("SitesOld", EXACT, 3000)
    check_reported_by(run, "bytecode")
    sites = last_sites(run)
    for name, method, size in (("OldThing", "thing", 24), ("OldThing[]", "things", 32),
                               ("int[]", "numbers", 40)):
        rows = sites.of(name, f"OldMaker.{method}")
        check(len(rows) >= 2 and sums(rows) == (0, 0, 6000 * size, 6000), run,
              f"{name}: {sums(rows)} in {len(rows)} rows, should be 6000 of {size} in 2")


@pytest.mark.asan
def test_classes_that_are_unloaded_keep_their_sites_apart(run_java):
    run = run_java("SitesUnloading", EXACT, 40, 500)
    sites = last_sites(run)
    by_class = {row.class_name: sums(sites.of(row.class_name))[3] for row in sites.rows
                if row.class_name.startswith("Maker")}
    check(len(by_class) == 40 and set(by_class.values()) == {500}, run, f"{by_class}")


def test_virtual_threads_have_their_own_stacks(jdk, run_java):
    if jdk.version < 21:
        pytest.skip("JDK 21 has them")
    run = run_java("SitesVirtual", EXACT, 200, 100)
    rows = last_sites(run).of("SitesVirtual$Item", "SitesVirtual.allocate")
    check(sums(rows)[3] == 20000, run, f"{sums(rows)[3]} objects, should be 20000")
    deeper = sum(row.allocated_objects for row in rows
                 if [f.name for f in row.trace.frames[1:4]] == ["SitesVirtual.deeper"] * 3)
    check(deeper == 10000, run, f"{deeper} objects at deep stacks, should be 10000")


@pytest.mark.parametrize("depth", [0, 1, 12])
def test_traces_begin_with_the_method_that_allocates(jdk, run_java, depth):
    run = run_java("SitesTruth", f"{EXACT},depth={depth}", 1000)
    rows = last_sites(run).of("SitesTruth$Leaf")
    check(sums(rows)[3] == 8000, run, f"{sums(rows)[3]} objects, should be 8000")
    whole = 5 if jdk.version < 21 else 6  # Thread.run calls Thread.runWith
    lengths = {len(row.trace.frames) for row in rows}
    check(lengths == {min(depth, whole)}, run, f"traces of {lengths} frames")
    tops = {row.trace.frames[0].name for row in rows if row.trace.frames}
    check(tops == ({"SitesTruth.leaf"} if depth else set()), run, f"on top: {tops}")


@pytest.mark.parametrize("more", ["thread=y", "include=SitesTruth"])
def test_traces_of_threads_and_of_filters_are_counted_exactly(run_java, more):
    run = run_java("SitesTruth", f"{EXACT},{more}", 1000)
    check_reported_by(run, "bytecode")
    check_truth(run, last_sites(run), 1000, live=False)


@pytest.mark.parametrize("cpu", ["cpu=times", "cpu=samples"])
def test_calls_and_allocations_are_counted_in_one_run(run_java, cpu):
    run = run_java("SitesTruth", f"{EXACT},{cpu}", 1000)
    check_reported_by(run, "bytecode")
    sites = last_sites(run)
    check_truth(run, sites, 1000, live=False)
    if cpu == "cpu=times":
        (section,) = run.profile().titled("CPU TIME")
        calls = sum(row.count for row in section.rows if row.names[:1] == ["SitesTruth.leaf"])
        check(calls == 8000, run, f"{calls} calls of SitesTruth.leaf, should be 8000")


# ---- long methods ------------------------------------------------------------


LONG = """
public final class SitesLong {
    static final class Mine { }
    static Object made;
    static void one() { made = new Mine(); }
    static void many() { Object o = null; MANY made = o; }
    public static void main(String[] args) {
        for (int i = 0; i < 10; i++) { one(); many(); }
        System.out.println("made=" + made.getClass().getName());
    }
}
""".replace("MANY", 6000 * "o = new Mine();")  # of 8 bytes, and of 14 with the report


def test_the_first_allocations_of_a_method_that_is_too_long_are_counted(jdk, java, tmp_path):
    java.class_path = [compile_here(jdk, tmp_path / "long", {"SitesLong.java": LONG}, 11)]
    run = java.run("SitesLong", "heap=sites,cutoff=0,live=n")
    sites = last_sites(run)
    seen = sum(row.allocated_objects for row in sites.rows if row.class_name == "SitesLong$Mine")
    left_out = [int(found[1]) for found in (re.match(
        r"1 methods are too long for code at each of their allocations: "
        r"the last ones in them, (\d+) in all, are not counted$", note)
        for note in run.notes + sites.notes) if found] or [0]
    check(seen == 10 * (6001 - left_out[0]), run, f"{seen} counted, {left_out} sites left out")
    check(left_out[0] < 6000 / 2 + 6000 / 16 or jdk.version == 11, run, f"{left_out} left out")
