"""Heap dumps: known objects, both formats, both engines, collectors, several dumps."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import time

import pytest

from support.builds import ROOT, VIRTUAL_THREADS
from support.checks import check, check_refused, numbered_lambda
from support.live_run import TIMEOUT_S, let_use

NODES = 900
DUMPERS = ("vm", "jvmti")
thorough = pytest.mark.thorough
COLLECTORS = {"serial": "-XX:+UseSerialGC", "parallel": "-XX:+UseParallelGC",
              "g1": "-XX:+UseG1GC", "z": "-XX:+UseZGC", "shenandoah": "-XX:+UseShenandoahGC"}


def options(dumper, format_="a", more=""):
    return f"heap=dump,dumper={dumper},format={format_}{more}"


def only_heap(run):
    heaps = run.profile().heaps
    check(len(heaps) == 1, run, f"{len(heaps)} heap dumps, should be one")
    return heaps[0]


def static_of(heap, owner, name):
    return heap.named(owner).statics[name][1]


def static(heap, name):
    return static_of(heap, "HeapGraph", name)


def nodes_by_id(heap):
    return {node.values["HeapGraph$Base", "id"]: node for node in heap.instances("HeapGraph$Node")}


def check_known_objects(run, heap):
    """What HeapGraph made, in either format."""
    counts = heap.histogram()
    for name, wanted in (("HeapGraph$Node", NODES), ("HeapGraph$Empty", 3),
                         ("HeapGraph$Implements", 1), ("HeapGraph$Dropped", 0)):
        check(counts.get(name, 0) == wanted, run,
              f"{counts.get(name, 0)} instances of {name}, should be {wanted}")
    base, node = heap.named("HeapGraph$Base"), heap.named("HeapGraph$Node")
    check(node.super == base.id and node.loader in heap.objects, run, "super and loader of Node")
    at, seen = static(heap, "first"), 0
    while at:
        thing = heap.objects[at]
        refs = dict(thing.refs)
        payload = heap.objects.get(refs.get("payload", 0))
        kind = None if payload is None else heap.class_name(payload)
        number = NODES - 1 - seen
        check(kind == ("int[]", "java.lang.Integer", None)[number % 3], run,
              f"payload of node {number} is {kind}")
        if kind == "int[]":
            check(payload.length == number % 10, run, f"length of payload {number}")
        at, seen = refs.get("next", 0), seen + 1
    check(seen == NODES, run, f"{seen} nodes in the chain")
    sparse = heap.objects[static(heap, "sparse")]
    check(sparse.length == 300_000 and sparse.refs == [(5, sparse.id),
                                                       (299_999, static(heap, "first"))],
          run, f"sparse array has {sparse.refs[:5]}")
    table = heap.objects[static(heap, "table")]
    check([index for index, _ in table.refs] == [0, 2] and heap.class_name(table) ==
          "java.lang.Object[][]", run, f"table is {table}")


def check_roots(run, profile, heap):
    """The thread that holds an object on its stack, and the frame that does."""
    holder, = (thread for thread in profile.threads.values() if thread.name == "holder")
    threads = {root.thread: root for root in heap.roots if root.kind == "thread"}
    check(holder.id in threads, run, f"no root of thread {holder.id} among {threads}")
    trace = profile.traces[threads[holder.id].trace]
    held = [root for root in heap.roots if root.kind == "Java stack" and root.thread == holder.id
            and root.id in heap.objects
            and heap.class_name(heap.objects[root.id]) == "HeapGraph$Empty"]
    check(held, run, "the object on the stack is no root")
    frames = [trace.frames[root.frame].name for root in held]
    check("HeapGraph.hold" in frames, run, f"the object is in frames {frames}")
    kinds = {root.kind for root in heap.roots}
    check({"JNI global ref", "system class", "thread", "Java stack"} <= kinds, run,
          f"kinds of roots are {kinds}")


@pytest.mark.emulated
@pytest.mark.parametrize("format_, dumper", [
    pytest.param("a", "vm", marks=pytest.mark.asan),
    pytest.param("a", "jvmti", marks=pytest.mark.asan), ("b", "vm"), ("b", "jvmti")])
def test_a_dump_has_the_objects_classes_and_roots_that_the_program_made(run_java, dumper, format_):
    run = run_java("HeapGraph", options(dumper, format_), NODES)
    profile = run.profile()
    heap = only_heap(run)
    check_known_objects(run, heap)
    check_roots(run, profile, heap)
    lost = set(heap.objects) - heap.reachable()
    check(len(lost) < len(heap.objects) / 20, run,
          f"{len(lost)} of {len(heap.objects)} objects are not reachable from the roots")


def trace_of_class(run, name):
    traces = [each.trace for each in run.profile().classes.values() if each.name == name]
    check(len(traces) == 1, run, f"{len(traces)} classes {name}, should be one")
    return traces[0]


@pytest.mark.parametrize("mode", [
    pytest.param("heap=dump", marks=thorough),
    pytest.param("heap=dump,thread=y", marks=pytest.mark.asan),
    pytest.param("heap=sites", marks=pytest.mark.asan), pytest.param("heap=all", marks=thorough),
    pytest.param("heap=dump,depth=40", marks=thorough), "heap=dump,depth=1"])
def test_a_class_has_the_trace_of_the_thread_that_prepared_it(run_java, mode):
    run = run_java("HeapGraph", f"{mode},format=b", NODES)
    made = trace_of_class(run, "HeapGraph$Dropped")
    check([frame.name for frame in made.frames] == ["HeapGraph.main"], run,
          f"HeapGraph$Dropped is of {made}")
    main = [serial for serial, thread in run.profile().threads.items() if thread.name == "main"]
    check(made.thread == (main[0] if "thread=y" in mode else 0), run,
          f"the thread is {made.thread}, main is {main}")


@pytest.mark.parametrize("mode", ["heap=dump,depth=0", "cpu=samples"])
def test_a_class_has_no_trace_where_none_is_taken(run_java, mode):
    run = run_java("HeapGraph", f"{mode},format=b", NODES)
    made = trace_of_class(run, "HeapGraph$Dropped")
    check(not made.frames, run, f"HeapGraph$Dropped is of {made}")


@pytest.mark.parametrize("dumper", DUMPERS)
def test_threads_have_the_same_objects_in_their_records_and_in_dumps(java, dumper):
    live = java.start("HeapThreads", options(dumper, "b"), "wait")
    live.wait_stdout("ready=1")
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: Dumping Java heap ... done")
    live.signal(signal.SIGTERM)
    run = live.finish()
    profile = run.profile()
    check(len(profile.heaps) == 2, run, f"{len(profile.heaps)} dumps")
    for heap in profile.heaps:
        for name in ("ended", "own", "waiting"):
            thread, = (thread for thread in profile.threads.values() if thread.name == name)
            check(static_of(heap, "HeapThreads", name) == thread.object_id, run,
                  f"thread {name} is {thread.object_id:x} in its START THREAD")
        unstarted = static_of(heap, "HeapThreads", "unstarted")
        check(unstarted not in {thread.object_id for thread in profile.threads.values()}, run,
              "a thread that never started has the object of another")
    check([thread.name for thread in profile.threads.values()].count("hprof") <= 1, run,
          "the agent's thread starts once")


@pytest.mark.parametrize("dumper", DUMPERS)
def test_virtual_threads_in_dumps_have_records(java, jdk, dumper):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("virtual threads are of JDK 21")
    if dumper == "vm" and jdk.version == VIRTUAL_THREADS:
        pytest.skip("JDK 21 dumps virtual threads as objects alone")
    run = java.run("HeapVirtual", options(dumper, "b"))
    profile = run.profile()
    heap = only_heap(run)
    threads = heap.objects[heap.named("HeapVirtual").statics["threads"][1]]
    known = {thread.object_id for thread in profile.threads.values()}
    roots = {root.id for root in heap.roots if root.kind == "thread"}
    check(len(heap.instances("HeapVirtual$Held")) == 20, run, "what virtual threads hold")
    check(roots <= known, run, f"{len(roots - known)} roots of threads without START THREAD")
    if dumper == "vm":
        check({ref for _, ref in threads.refs} <= roots, run, "virtual threads are no roots")


@pytest.mark.emulated
@pytest.mark.parametrize("dumper", DUMPERS)
def test_a_binary_dump_has_all_values(run_java, dumper):
    run = run_java("HeapGraph", options(dumper, "b"), NODES)
    heap = only_heap(run)
    nodes = nodes_by_id(heap)
    check(sorted(nodes) == list(range(NODES)), run, "ids of the nodes")
    for node in nodes.values():
        values = {name: value for (_, name), value in node.values.items() if name != "tag"}
        check((values["flag"], values["small"], values["letter"], values["number"]) ==
              (1, 0xFE, 0x20AC, 0x10000 - 300), run, f"values {values}")
        check(struct.pack(">I", values["ratio"]) == struct.pack(">f", 1.5) and
              struct.pack(">Q", values["fraction"]) == struct.pack(">d", -0.25), run,
              f"values {values}")
        check(node.values["HeapGraph$Base", "tag"] == 0x0123456789ABCDEF, run, "Base.tag")
        text = heap.objects[node.values["HeapGraph$Node", "tag"]]
        check(heap.class_name(text) == "java.lang.String", run, "Node.tag")
    statics = heap.named("HeapGraph").statics
    check(statics["primitive"] == (10, 2**32 - 42), run, f"primitive is {statics['primitive']}")
    check(struct.pack(">Q", statics["wide"][1]) == struct.pack(">d", 2.718281828459045), run,
          "wide")
    for name, shape in (("ints", ">4i"), ("longs", ">2q"), ("flags", ">3?"), ("chars", ">3H"),
                        ("shorts", ">2h"), ("doubles", ">2d")):
        array = heap.objects[static(heap, name)]
        wanted = {"ints": (1, -1, 2**31 - 1, -2**31), "longs": (-2**63, 0x0102030405060708),
                  "flags": (True, False, True), "chars": (97, 0xE4, 0xFFFF), "shorts": (-1, 256),
                  "doubles": (float("-inf"), 1e300)}[name]
        check(struct.unpack(shape, array.data) == wanted, run, f"{name} is {array.data!r}")
    large = heap.objects[static(heap, "large")]
    check(large.data == bytes(range(256)) * (3 * 4096), run, "bytes of the large array")
    mark = heap.named("HeapGraph$Constants").statics
    check(mark["FOUR"] == (10, 4), run, f"constants of the interface are {mark}")
    implementing = heap.objects[static(heap, "implementing")]
    check(implementing.values["HeapGraph$Implements", "own"] == 7 and
          dict(implementing.refs)["mark"] == mark["MARK"][1], run,
          f"object of a class with an interface: {implementing}")
    if dumper == "jvmti":
        check(heap.named("HeapGraph").constants, run, "no entries of constant pools")


def signature(heap, thing):
    """An object without ids: what it is, and of which class what it refers to is."""
    refs = sorted((str(name), heap.class_name(heap.objects[ref]) if ref in heap.objects
                   else "class " + heap.classes[ref].name) for name, ref in thing.refs)
    return heap.class_name(thing), thing.length, tuple(refs)


def own_objects(heap):
    return sorted((signature(heap, thing) for thing in heap.objects.values()
                   if heap.class_name(thing).startswith("HeapGraph")
                   and "Lambda" not in heap.class_name(thing)), key=repr)


@pytest.mark.thorough
def test_text_and_binary_and_both_dumpers_have_the_same_objects_and_references(run_java):
    seen = {}
    for dumper in DUMPERS:
        for format_ in "ab":
            run = run_java("HeapGraph", options(dumper, format_), NODES)
            heap = only_heap(run)
            statics = {name: value for name, (kind, value)
                       in heap.named("HeapGraph").statics.items() if kind == 2 and value
                       and not name.startswith("<")}
            seen[dumper, format_] = (own_objects(heap), sorted(statics))
    first = seen["vm", "a"]
    check(len(first[0]) == NODES + 4, run, f"{len(first[0])} objects of the program")
    for key, what in seen.items():
        check(what == first, run, f"{key} differs from text by the VM's dumper")


def jcmd(jdk, pid, *words):
    done = subprocess.run([jdk.part("bin/jcmd"), str(pid), *words], capture_output=True,
                          text=True, timeout=TIMEOUT_S, check=True)
    return done.stdout


@pytest.mark.parametrize("java_opts", [
    [], pytest.param(["-XX:-UseCompressedOops"], marks=thorough),
    ["-XX:ObjectAlignmentInBytes=16"], ["-XX:+UseCompactObjectHeaders"]],
                         ids=["default", "wide", "aligned16", "compact"])
def test_sizes_are_those_of_the_vm(java, jdk, java_opts):
    if "Compact" in "".join(java_opts) and jdk.version < 25:
        pytest.skip("compact object headers are of JDK 25")
    live = java.start("HeapGraph", options("vm", more=",doe=n"), NODES, "wait",
                      java_opts=java_opts)
    live.wait_stdout("ready=1")
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: Dumping Java heap ... done")
    shown = jcmd(jdk, live.process.pid, "GC.class_histogram")
    live.signal(signal.SIGTERM)
    run = live.finish()
    heap = only_heap(run)
    sizes = {}
    for thing in heap.objects.values():
        name = numbered_lambda(heap.class_name(thing))
        counted = sizes.setdefault(name, [0, 0])
        counted[0] += 1
        counted[1] += thing.size
    rows = re.findall(r"^ *\d+: +(\d+) +(\d+)  (\S+)", shown, re.M)
    letters = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte",
               "S": "short", "I": "int", "J": "long"}
    for count, size, name in rows:
        if not name.startswith(("HeapGraph", "[HeapGraph", "[[Ljava", "[Z", "[C", "[F", "[D",
                                "[S", "[J")):
            continue
        depth = len(name) - len(name.lstrip("["))
        bare = name[depth:]
        bare = bare[1:-1] if bare[0] == "L" and depth else letters.get(bare, bare)
        seen = sizes.get(numbered_lambda(bare) + "[]" * depth)
        check(seen == [int(count), int(size)], run,
              f"{name}: {seen} objects and bytes, the VM says {count} and {size}")


@pytest.mark.parametrize("dumper", DUMPERS)
def test_tracking_that_the_jvm_would_not_survive_is_refused(java, jdk, dumper):
    if jdk.version >= 15:
        pytest.skip("the Z collector is no experiment in this JVM")
    how = {"java_opts": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"]}
    for mode in (options(dumper), "heap=sites"):
        run = java.run("HeapGraph", mode, NODES, exit_code=1, **how)
        check(len(run.agent_lines) == 1 and "; add live=n" in run.agent_lines[0], run,
              f"{run.agent_lines}")
    only_heap(java.run("HeapGraph", options(dumper, more=",live=n"), NODES, **how))


# make check has each collector with one of the dumpers.
COLLECTED = {"serial": "jvmti", "parallel": "vm", "g1": "vm", "z": "jvmti", "shenandoah": "vm"}


@pytest.mark.parametrize("collector, dumper", [
    pytest.param(collector, dumper, marks=() if COLLECTED[collector] == dumper else thorough)
    for collector in COLLECTORS for dumper in DUMPERS])
def test_every_collector_s_heap_is_dumped(java, jdk, collector, dumper):
    probe = subprocess.run([jdk.java, COLLECTORS[collector], "-version"], capture_output=True,
                           timeout=TIMEOUT_S, check=False)
    if probe.returncode:
        pytest.skip(f"JDK {jdk.version} here has no {collector}")
    run = java.run("HeapGraph", options(dumper, "b"), NODES, java_opts=[COLLECTORS[collector]])
    check_known_objects(run, only_heap(run))


@pytest.mark.parametrize("dumper, java_opts", [
    pytest.param("vm", ["-XX:-UseCompressedOops"]),
    pytest.param("vm", ["-XX:+UseCompactObjectHeaders"], marks=thorough),
    pytest.param("jvmti", ["-XX:-UseCompressedOops"], marks=thorough),
    pytest.param("jvmti", ["-XX:+UseCompactObjectHeaders"])],
    ids=["vm-wide", "vm-compact", "jvmti-wide", "jvmti-compact"])
def test_every_layout_of_objects_is_dumped(java, jdk, java_opts, dumper):
    if "Compact" in java_opts[0] and jdk.version < 25:
        pytest.skip("compact object headers are of JDK 25")
    run = java.run("HeapGraph", options(dumper, "b"), NODES, java_opts=java_opts)
    check_known_objects(run, only_heap(run))


@pytest.mark.parametrize("dumper", ["vm", pytest.param("jvmti", marks=pytest.mark.asan)])
def test_dumps_on_request_while_allocation_goes_on_and_classes_unload(java, dumper):
    live = java.start("HeapChurn", options(dumper, "b"), stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    for number in range(1, 4):
        live.signal(signal.SIGQUIT)
        with live.changed:
            live.changed.wait_for(lambda: sum("Dumping Java heap ... done" in line for line
                                              in live.error_lines) >= number, TIMEOUT_S / 2)
    live.send_line("enough")
    run = live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    heaps = run.profile().heaps
    check(len(heaps) == 4, run, f"{len(heaps)} dumps, should be 4")
    for heap in heaps:
        array = heap.objects[heap.named("HeapChurn").statics["kept"][1]]
        check(array.length == 5000 and len(array.refs) == 5000, run, "the array of kept objects")
    ids = [heap.named("HeapChurn").id for heap in heaps]
    check(len(set(ids)) == 1, run, f"the class has ids {ids}")


def test_the_header_of_a_binary_file_with_dumps_is_of_the_version_with_segments(run_java):
    profile = run_java("HeapGraph", "heap=dump,format=b", 3).profile()
    assert profile.version == "JAVA PROFILE 1.0.2" and 0x1C in profile.tags


@pytest.mark.any_jvm
def test_no_temporary_file_is_left(run_java):
    for dumper in DUMPERS:
        run = run_java("HeapGraph", options(dumper), 3)
        left = sorted(path.name for path in run.directory.iterdir())
        check(left == ["java.hprof.txt"], run, f"the directory holds {left}")


@pytest.mark.any_jvm
def test_what_a_killed_jvm_left_goes_with_the_next_dump_there(java):
    live = java.start("HeapMany", options("vm", "b", ",doe=n"), 1_000_000)
    live.wait_stdout("ready=1")
    directory = live.run.directory
    live.signal(signal.SIGQUIT)
    left = stop_in_a_dump(live, directory)
    # The JVM that stands still is alive, so that its directory is in use.
    java.run("HeapGraph", options("vm"), 3, directory=directory)
    check(list(directory.glob(".hprof-*")) == [left] and list(left.glob("heap*")), live.run,
          f"the directory in use is gone from {sorted(directory.iterdir())}")
    live.kill()
    check(list(left.glob("heap*")), live.run, "nothing was left, so nothing can be tested")
    java.run("HeapGraph", options("vm"), 3, directory=directory)
    check(not list(directory.glob(".hprof-*")), live.run, f"left: {sorted(directory.iterdir())}")


@pytest.mark.any_jvm
def test_a_dump_that_fails_is_reported_once_and_the_program_continues(java, tmp_path):
    directory = tmp_path / "run"
    (directory / "sub").mkdir(parents=True)
    live = java.start("HeapChurn", options("vm", more=",file=sub/out.txt"), directory=directory,
                      stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    # The dumper can't make its file in a directory that is gone.
    os.rename(directory / "sub", directory / "away")
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: can't dump the heap: ")
    live.send_line("enough")
    run = live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    reported = [line for line in run.agent_lines if "can't dump the heap" in line]
    check(len(reported) == 1, run, f"reported {len(reported)} times")
    outcomes = [line for line in run.agent_lines if line.startswith("hprof: Dumping")]
    check(outcomes == ["hprof: Dumping Java heap ... failed."] * 2, run,
          f"two dumps that fail end in {outcomes}")


@pytest.mark.any_jvm
def test_a_dump_of_which_the_heap_is_missing_says_so(java, tmp_path):
    directory = tmp_path / "run"
    (directory / "sub").mkdir(parents=True)
    live = java.start("HeapGraph", "heap=dump,monitor=y,dumper=vm,depth=0,file=sub/out.txt", 3,
                      "wait", directory=directory)
    live.wait_stdout("ready=1")
    os.rename(directory / "sub", directory / "away")
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: Dumping .* done, without Java heap")
    live.kill()


def stop_in_a_dump(live, directory):
    """Stops the JVM while its dumper writes; the directory that it writes to."""
    end = time.monotonic() + TIMEOUT_S / 2
    while not list(directory.glob(".hprof-*/heap*")) and time.monotonic() < end and live.alive():
        time.sleep(0.001)
    live.signal(signal.SIGSTOP)
    return next(directory.glob(".hprof-*"), None)


def dump_slowly(live, dumper):
    """A dump of more than a second: the JVM stands still for that long in its midst."""
    live.signal(signal.SIGQUIT)
    if dumper == "vm":
        stop_in_a_dump(live, live.run.directory)
    else:
        let_use(live, 0.15)  # the program itself rests
        live.signal(signal.SIGSTOP)
    time.sleep(1.1)
    live.signal(signal.SIGCONT)


@pytest.mark.any_jvm
def test_a_log_shows_the_progress_of_a_long_dump(java):
    live = java.start("HeapMany", options("vm", "b", ",depth=0,doe=n"), 3_000_000,
                      java_opts=["-Xmx512m"])
    live.wait_stdout("ready=1")
    dump_slowly(live, "vm")
    live.wait_stderr("hprof: Dumping Java heap ... done")
    run = live.kill()
    reported = [line for line in run.agent_lines if re.fullmatch(
        r"hprof: Dumping Java heap \.\.\. \d+ MB written by the JVM, \d+ s", line)]
    check(len(reported) == 1 and len(run.agent_lines) <= 4, run, f"reported {run.agent_lines}")


def check_drawn(java, dumper, more, wanted):
    """All the wanted lines are drawn on a terminal in a slow dump of three million objects."""
    ours, theirs = pty.openpty()
    # Compressing takes its time: else all is written before the line would be drawn again.
    live = java.start("HeapMany", options(dumper, "b", f"{more},doe=n,file=slow.gz"), 3_000_000,
                      java_opts=["-Xmx512m"], stderr=theirs)
    os.close(theirs)
    live.wait_stdout("ready=1")
    dump_slowly(live, dumper)
    shown = b""
    while b"... done" not in shown:
        assert select.select([ours], [], [], TIMEOUT_S / 2)[0], shown
        shown += os.read(ours, 65536)
    live.kill()
    os.close(ours)
    drawn = shown.decode().split("\r\x1b[K")[1:]
    for what in wanted:
        lines = [line for line in drawn
                 if re.fullmatch(rf"hprof: Dumping Java heap \.\.\. {what}, \d+ s", line)]
        check(lines, live.run, f"no line like {what!r} in {drawn}")


@pytest.mark.any_jvm
@pytest.mark.parametrize("dumper", DUMPERS)
def test_a_terminal_shows_how_far_a_long_dump_is(java, dumper):
    first = r"\d+ MB written by the JVM" if dumper == "vm" else r"\d+ objects followed"
    check_drawn(java, dumper, ",depth=0", (first, r"(\d+)% \(\d+ of \d{7} objects\)"))


@pytest.mark.thorough
def test_a_terminal_shows_how_many_objects_have_been_tagged(java):
    check_drawn(java, "jvmti", "", (r"(\d+)% \(\d+ of \d{7} objects tagged\)",))


@pytest.mark.any_jvm
def test_dumper_without_a_heap_dump_is_refused(run_java):
    check_refused(run_java("Hello", "cpu=samples,dumper=vm", exit_code=1),
                  ["dumper", "heap=dump"])


# ---- VisualVM's library -----------------------------------------------------

LIBRARY = "org-graalvm-visualvm-lib-jfluid-heap.jar"


def find_library():
    for directory in (ROOT / "build" / "visualvm", "/usr/share/visualvm"):
        for path in sorted(ROOT.__class__(directory).rglob(LIBRARY)):
            return path
    return None


@pytest.fixture(scope="session")
def heap_facts(tmp_path_factory):
    """heap_facts(jdk, file, *classes): the lines that HeapFacts prints."""
    library = find_library()
    if library is None:
        pytest.skip("VisualVM's heap library is not here: make visualvm gets it")
    classes = tmp_path_factory.mktemp("visualvm")
    made = {}

    def facts(jdk, file, *names):
        if jdk.version not in made:
            target = classes / str(jdk.version)
            subprocess.run([jdk.javac, "-nowarn", "-Xlint:none", "--release", str(jdk.version),
                            "-cp", library, "-d", target,
                            ROOT / "tests" / "visualvm" / "HeapFacts.java"],
                           check=True, capture_output=True, timeout=TIMEOUT_S)
            made[jdk.version] = target
        done = subprocess.run([jdk.java, "-Xmx512m", "-cp", f"{library}:{made[jdk.version]}",
                               "HeapFacts", file, *names], capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False)
        assert done.returncode == 0, done.stderr
        complaints = [line for line in done.stderr.splitlines() if line.strip()]
        assert not complaints, f"VisualVM's library complains: {complaints}"
        return done.stdout.splitlines()
    return facts


@pytest.mark.parametrize("dumper", DUMPERS)
def test_visualvm_reads_the_same_from_ours_as_from_the_vm_s_own_dump(java, jdk, heap_facts,
                                                                     dumper, tmp_path):
    live = java.start("HeapGraph", options(dumper, "b", ",doe=n"), NODES, "wait")
    live.wait_stdout("ready=1")
    # The first jcmd loads what any jcmd needs.
    jcmd(jdk, live.process.pid, "GC.heap_dump", str(tmp_path / "first.hprof"))
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: Dumping Java heap ... done")
    own = tmp_path / "vm.hprof"
    jcmd(jdk, live.process.pid, "GC.heap_dump", str(own))
    live.signal(signal.SIGTERM)
    run = live.finish()
    run.profile()
    names = ["HeapGraph.*", "java.lang.Thread"]
    ours, theirs = ([line for line in heap_facts(jdk, file, *names) if "$$Lambda" not in line
                     and "<resolved_references>" not in line] for file in (run.output, own))
    kept = ("class HeapGraph", "instance HeapGraph", "static HeapGraph")
    mine, other = ([line for line in facts if line.startswith(kept)] for facts in (ours, theirs))
    check(len(mine) > NODES, run, "VisualVM sees too little")
    if dumper == "jvmti":
        # JVM TI calls more classes roots than the VM's dumper, so that paths end earlier.
        mine, other = ([line.split(" path ")[0] for line in lines] for lines in (mine, other))
    different = [pair for pair in zip(mine, other) if pair[0] != pair[1]]
    check(len(mine) == len(other) and not different, run,
          f"{len(mine)} and {len(other)} lines; first differences {different[:5]}")
    if dumper == "vm":
        # All of the heap but what the dumps themselves left.
        def facts(lines):
            return {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in lines
                    if line.startswith(("class ", "root "))}
        mine, other = facts(ours), facts(theirs)
        off = {key: (mine.get(key, 0), other.get(key, 0)) for key in {*mine, *other}
               if abs(mine.get(key, 0) - other.get(key, 0)) > 4}
        check(len(mine) > 300 and len(off) < 12, run, f"classes and roots differ: {off}")
