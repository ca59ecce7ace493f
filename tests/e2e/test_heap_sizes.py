"""Sizes of objects: those that `hprof report` computes for a binary heap dump are those that
the JVM reports in a text dump of the same program."""

import re
from collections import Counter

import pytest

from support.checks import check
from support.command import hprof

JVMS = {
    "serial": ["-XX:+UseSerialGC"],
    "parallel": ["-XX:+UseParallelGC"],
    "g1": ["-XX:+UseG1GC"],
    "z": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"],
    "wide references": ["-XX:-UseCompressedOops"],
    "wide headers": ["-XX:-UseCompressedClassPointers"],
    "alignment to 16": ["-XX:ObjectAlignmentInBytes=16"],
    "compact headers": ["-XX:+UseCompactObjectHeaders"],
}
OWN = 12
# The padding of fields that are @Contended is not in the file.
PADDED = re.compile(r"java\.util\.concurrent\.(ForkJoin(Pool|WorkerThread)|Exchanger|"
                    r"ConcurrentHashMap\$CounterCell|SubmissionPublisher|atomic\.Striped64)\b.*")
# Arrays of the JDK are not of the same lengths in each run; these are the program's.
ARRAYS = ("HeapSizes$None[]", "double[]", "float[]")


def of_text(heap):
    """Objects and bytes by class, as the JVM reported them."""
    counts, sizes = Counter(), Counter()
    for thing in heap.objects.values():
        counts[heap.class_name(thing)] += 1
        sizes[heap.class_name(thing)] += thing.size
    return {name: (counts[name], sizes[name]) for name in counts}


def of_report(path):
    """The same of a report, and its title."""
    lines = hprof("report", "--top", "0", path).stdout.decode().splitlines()
    rows = {}
    for line in lines:
        row = re.fullmatch(r" *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) (\S+)", line)
        if row:
            rows[row[3]] = (int(row[1]), int(row[2]))
    title, = (line for line in lines if line.startswith("HEAP DUMP"))
    return rows, title


@pytest.mark.parametrize("jvm", [
    pytest.param(jvm, marks=pytest.mark.thorough if jvm in ("parallel", "g1") else ())
    for jvm in JVMS])
def test_a_binary_dump_has_the_sizes_of_the_jvm(jdk, run_java, jvm):
    if jvm == "compact headers" and jdk.version < 25:
        pytest.skip("no compact object headers in this JVM")
    how = {"java_opts": JVMS[jvm]}
    # JDK 11's experimental Z collector: test_heap_dump.py.
    options = "heap=dump,live=n" if (jvm, jdk.version) == ("z", 11) else "heap=dump"
    text_run = run_java("HeapSizes", f"{options},format=a", **how)
    binary_run = run_java("HeapSizes", f"{options},format=b", **how)
    jvms, = (of_text(heap) for heap in text_run.profile().heaps)
    rows, title = of_report(binary_run.output)
    check("sizes for headers of" in title, binary_run, f"title is {title}")
    own = {name: size for name, size in jvms.items()
           if name.startswith("HeapSizes$") and not name.endswith("[]")}
    check(len(own) == OWN, text_run, f"{len(own)} classes of the program")
    for name in (*own, *ARRAYS):
        check(rows.get(name) == jvms[name], binary_run,
              f"{name}: {rows.get(name)}, of the JVM {jvms[name]}")
    others = {name: (rows[name], size) for name, size in jvms.items()
              if name in rows and rows[name][0] == size[0] and not name.endswith("[]")
              and not PADDED.fullmatch(name)}
    check(len(others) > 100, binary_run, f"{len(others)} classes compared")
    wrong = {name: sizes for name, sizes in others.items() if sizes[0] != sizes[1]}
    check(not wrong, binary_run, f"other sizes than the JVM's: {wrong}")


@pytest.mark.parametrize("jvm", ["serial", "compact headers"])
def test_references_followed_by_jvm_ti_give_the_same_sizes(jdk, run_java, jvm):
    if jvm == "compact headers" and jdk.version < 25:
        pytest.skip("no compact object headers in this JVM")
    sizes = []
    for dumper in ("vm", "jvmti"):
        run = run_java("HeapSizes", f"heap=dump,format=b,dumper={dumper}", java_opts=JVMS[jvm])
        rows, _ = of_report(run.output)
        sizes.append({name: size for name, size in rows.items()
                      if name.startswith("HeapSizes") or name in ARRAYS})
    check(sizes[0] == sizes[1] and len(sizes[0]) >= OWN + len(ARRAYS), run,
          f"{sizes[0]} and {sizes[1]}")
