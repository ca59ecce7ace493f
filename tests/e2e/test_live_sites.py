"""heap=sites: the live objects of each site after a collection, whichever way the agent knows them,
and that the program's own use of identity hashes and locks is undisturbed."""

import subprocess

import pytest

from support.attach_target import Target
from support.builds import PLATFORM
from support.checks import check
from support.live_run import sigquit
from test_heap_sites import sums

SITES = "heap=sites,cutoff=0,depth=4,doe=n"

# Options of the JVM, and its sizes of objects: see STEP_SITES; None: not known.
USUAL, WIDE, COMPACT = 0, 1, 2
JVMS = {
    "G1": (["-XX:+UseG1GC"], USUAL), "Serial": (["-XX:+UseSerialGC"], USUAL),
    "Parallel": (["-XX:+UseParallelGC"], USUAL), "Z": (["-XX:+UseZGC"], WIDE),
    "Shenandoah": (["-XX:+UseShenandoahGC"], USUAL),
    "wide": (["-XX:-UseCompressedOops"], WIDE),
    "compact": (["-XX:+UseCompactObjectHeaders"], COMPACT),
    "compact-Serial": (["-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC"], COMPACT),
    "compact-Z": (["-XX:+UseCompactObjectHeaders", "-XX:+UseZGC"], None),
    "Xint": (["-Xint"], USUAL)}
LESS_TELLING = ("Shenandoah", "wide", "compact-Serial", "compact-Z")


def jvms(*names):
    """Of the JVMs, these or all; make check leaves out those that rarely find what others do not."""
    return pytest.mark.parametrize("name", [
        pytest.param(name, marks=pytest.mark.thorough if name in LESS_TELLING else ())
        for name in names or JVMS])


def jvm(jdk, name):
    """The options of that name and how objects are made there; skips where the JDK has none."""
    options, layout = JVMS[name]
    require(jdk, options)
    return options, layout


def require(jdk, options):
    """Skips where the JVM refuses or ignores these options."""
    shown = subprocess.run([jdk.java, *options, "-version"], capture_output=True, text=True, check=False)
    if shown.returncode or "ignor" in shown.stdout + shown.stderr:
        pytest.skip(f"this JVM has no {' '.join(options)}")


def dump_at_each_step(java, main, options, steps, *args, **how):
    """Runs a program that says step=N and waits for a line, steps times: a dump at each."""
    live = java.start(main, options, *args, stdin=subprocess.PIPE, **how)
    for step in range(steps):
        live.wait_stdout(f"step={step}$")
        sigquit(live)
        live.send_line("")
    run = live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    found = run.profile().sites
    check(len(found) == steps, run, f"{len(found)} dumps, should be {steps}")
    return run, found


def class_of(row):
    """The name of the class of a row, of text or binary."""
    return row.class_name if hasattr(row, "class_name") else row.loaded.name


def of(sites, name, *methods):
    """The rows of a class whose traces have all these methods."""
    return [row for row in sites.rows if class_of(row) == name
            and set(methods) <= {frame.name for frame in row.trace.frames}]


def on_top(sites, name, method):
    """The rows of a class with a method on top of the trace."""
    return [row for row in sites.rows if class_of(row) == name
            and [frame.name for frame in row.trace.frames[:1]] == [method]]


# ---- objects that are dropped step by step -----------------------------------

# LiveSteps: its kinds; class and method on top, objects of each, and their bytes in a usual JVM, with
# wide references, and with compact headers.
STEP_SITES = [
    ("plain", "LiveSteps$Plain", "plain", 1, (24, 24, 24)),
    ("again", "LiveSteps$Plain", "again", 1, (24, 24, 24)),
    ("bytes", "byte[]", "bytes", 1, (56, 56, 56)),
    ("matrix", "long[][]", "matrix", 1, (24, 32, 24)),
    ("matrix", "long[]", "matrix", 2, (40, 40, 40)),
    ("pair", "LiveSteps$Pair", "pair", 1, (24, 32, 16)),
    ("pair", "LiveSteps$Left", "pair", 1, (16, 16, 8)),
    ("pair", "LiveSteps$Right", "pair", 1, (16, 16, 16)),
    ("inner", "LiveSteps$Inner", "inner", 1, (24, 24, 16)),
    ("point", "LiveSteps$Point", "point", 1, (24, 24, 16)),
    ("sub", "LiveSteps$Sub", "sub", 1, (24, 32, 24)),
    ("sub", "LiveSteps$Part", "Base.<init>", 1, (16, 16, 16))]
STEPS = 5
OBJECTS_OF_EACH = sum(site[3] for site in STEP_SITES)


def check_steps(run, dumps, count, layout):
    for step, sites in enumerate(dumps):
        for kind, name, method, each, sizes in STEP_SITES:
            kept = each * run.truth[f"kept.{step}.{kind}"]
            method = f"LiveSteps{'$' if '.' in method else '.'}{method}"
            got = sums(on_top(sites, name, method))
            check((got[1], got[3]) == (kept, each * count), run,
                  f"step {step}, {name} of {method}: {got[1]} live of {got[3]}, should be {kept} of "
                  f"{each * count}")
            size = got[2] // got[3] if layout is None else sizes[layout]
            check((got[0], got[2]) == (kept * size, each * count * size), run,
                  f"step {step}, {name} of {method}: {got[0]} bytes live of {got[2]}, should be "
                  f"{kept} and {each * count} of {size}")


def check_all_steps(java, count, options=SITES, java_opts=(), layout=USUAL):
    run, dumps = dump_at_each_step(java, "LiveSteps", options, STEPS, count, java_opts=java_opts)
    check_steps(run, dumps, count, layout)
    return run, dumps


# How many objects the program makes in all, in about so many.
OBJECTS = {"G1": 1_000_000, "Serial": 300_000, "Parallel": 300_000, "Z": 300_000, "Shenandoah": 300_000}


@jvms()
def test_live_objects_are_those_that_the_program_keeps(jdk, java, name):
    java_opts, layout = jvm(jdk, name)
    check_all_steps(java, OBJECTS.get(name, 100_000) // OBJECTS_OF_EACH, java_opts=java_opts,
                    layout=layout)


@pytest.mark.asan
def test_binary_records_have_the_same_live_objects(java):
    run, dumps = check_all_steps(java, 100_000 // OBJECTS_OF_EACH, options=f"{SITES},format=b")
    for step, sites in enumerate(dumps):
        check(sums(sites.rows) == sites.sums, run,
              f"step {step}: sums {sites.sums}, rows {sums(sites.rows)}")


# ---- objects that are made in unusual ways -----------------------------------

# LiveSpecials: its kinds; the class, and objects of each.
SPECIALS = [
    ("hashed", "LiveSpecials$Hashed", 1), ("mapped", "LiveSpecials$Mapped", 1),
    ("inSet", "LiveSpecials$InSet", 1), ("synchronizing", "LiveSpecials$Synchronized", 1),
    ("hashedLocked", "LiveSpecials$HashedLocked", 1), ("held", "LiveSpecials$Held", 1),
    ("leaked", "LiveSpecials$Leaked", 1),
    ("cloned", "LiveSpecials$Cloned", 1), ("clonedArray", "LiveSpecials$ClonedElement[]", 1),
    ("copiedArray", "LiveSpecials$CopiedElement[]", 1), ("deserialized", "LiveSpecials$Read", 1),
    ("reflected", "LiveSpecials$Reflected", 1),
    ("reflectedArray", "LiveSpecials$ReflectedElement[]", 1), ("handled", "LiveSpecials$Handled", 1),
    ("referenced", "LiveSpecials$Referenced", 1),
    ("referencedArray", "LiveSpecials$Referenced[]", 1), ("lambda", "LiveSpecials$$Lambda", 1),
    ("ternary", "LiveSpecials$Chosen", 1), ("ternary", "LiveSpecials$Even", 1),
    ("ternary", "LiveSpecials$Odd", 1), ("nested4", "LiveSpecials$Nested", 4),
    ("nested10", "LiveSpecials$Nested", 10), ("superArgument", "LiveSpecials$Child", 1),
    ("superArgument", "LiveSpecials$Gift", 1), ("thisArgument", "LiveSpecials$Twice", 1),
    ("thisArgument", "LiveSpecials$Gift", 1), ("anonymous", "LiveSpecials$1", 1),
    ("boxed", "java.lang.Integer", 1), ("enumValues", "LiveSpecials$Suit[]", 1),
    ("varargs", "LiveSpecials$Argument[]", 1), ("huge", "short[]", 1),
    *((kind, name, 1) for kind in ("concatenated", "valueOf", "built")
      for name in ("java.lang.String", "byte[]"))]
# Of these, the library makes more on the way, which are dropped at once; and the JVM, when it compiles
# a method, makes its constant strings on the thread that asks for it.
OF_LIBRARY = {"concatenated", "valueOf", "built"}
CONSTANTS = 40


def check_specials(run, sites, off=0):
    """off: how many live objects may be missing at a site."""
    for kind, name, each in SPECIALS:
        kept, made = each * run.truth[f"kept.{kind}"], each * run.truth[f"made.{kind}"]
        rows = [row for row in sites.rows if (row.class_name.startswith(name) if kind == "lambda"
                                              else row.class_name == name)
                and {f"LiveSpecials.{kind}", "LiveSpecials.counted"} <= set(row.trace.names)]
        _, live, _, allocated = sums(rows)
        # An object that is marked when its constructor returns; this one throws.
        if kind == "leaked" and any("objects marked" in note for note in run.notes):
            kept = 0
        right = (allocated >= made and kept <= live <= kept + CONSTANTS if kind in OF_LIBRARY
                 else kept - off <= live <= kept and allocated == made)
        check(right, run, f"{name} of {kind}: {live} live of {allocated}, should be {kept} of {made}")
    constants = sums(of(sites, "LiveSpecials$Suit", "LiveSpecials$Suit.<clinit>"))
    check(constants[1] == constants[3] == 4, run, f"constants of an enum: {constants}")
    check(run.truth["changed"] == 0, run, "identity hashes have changed")
    for kind in ("mapped", "inSet"):
        check(run.truth[kind] == run.truth[f"kept.{kind}"], run, f"objects are lost in {kind}")


@jvms("G1", "Serial", "Z", "Shenandoah", "compact", "Xint")
def test_live_objects_made_in_unusual_ways_are_at_their_sites(jdk, run_java, name):
    java_opts, _ = jvm(jdk, name)
    run = run_java("LiveSpecials", "heap=sites,cutoff=0,depth=16", 9000 if name == "G1" else 1800,
                   java_opts=java_opts)
    check_specials(run, run.profile().sites[-1])


def test_live_records_of_virtual_threads_are_at_their_sites(jdk, run_java):
    if jdk.version < 21:
        pytest.skip("JDK 21 has them")
    run = run_java("LiveRecords", SITES.replace(",doe=n", ""), 20, 1800)
    sites = run.profile().sites[-1]
    made, kept = 20 * 1800, run.truth["kept"]
    # Of three records, one has a leaf for its first argument, two have another object there. One of
    # these is allocated twice: before its own argument throws, and instead.
    for name, method, of_three, thrown in (("Pair", "make", 3, 0), ("Leaf", "make", 5, 0),
                                           ("Other", "make", 1, 0), ("Other", "other", 1, 1)):
        _, live, _, allocated = sums(on_top(sites, f"LiveRecords${name}", f"LiveRecords.{method}"))
        right, least = kept * of_three // 3, made * of_three // 3
        check(live == right and least <= allocated <= least + made * thrown // 3, run,
              f"{name}: {live} live of {allocated}, should be {right} of {least} and at most "
              f"{made * thrown // 3} that were never initialized")


# ---- what the program sees ---------------------------------------------------


def distinct(count, values):
    """How many values so many random ones have, on average."""
    return values * (1 - (1 - 1 / values) ** count)


@jvms("G1", "Serial", "Z", "compact")
def test_identity_hashes_stay_and_are_as_good_as_random(jdk, java, name):
    java_opts, _ = jvm(jdk, name)
    count = 1_000_000 if name == "G1" else 300_000
    run, dumps = dump_at_each_step(java, "LiveHashes", SITES, 2, count, java_opts=java_opts)
    for step, sites in enumerate(dumps):
        got = sums(on_top(sites, "LiveHashes$Thing", "LiveHashes.thing"))
        check(got[1] == got[3] == count, run, f"step {step}: {got}, should be {count}, all live")
    truth = run.truth
    check(truth["changed"] == 0, run, "identity hashes have changed")
    check(truth["found"] == count and truth["strangers"] == 0, run, "an IdentityHashMap is wrong")
    check(truth["smallest"] > 0, run, "an identity hash is 0 or negative")
    # Random values differ by some thousandths at most from one run to the next in a table of 2^20.
    for key, values, share in (("distinct", 2**31, 0.999), ("distinct.identity", 2**20, 0.99),
                               ("distinct.hash", 2**20, 0.99), ("distinct.upper", 2**20, 0.99)):
        least = share * distinct(count, values)
        check(truth[key] >= least, run, f"{key}: {truth[key]}, should be {least:.0f} or more")


# Ways of locks that are not the default somewhere.
LOCKING = {"default": [], "Z": ["-XX:+UseZGC"], "heavy": ["-XX:+UseHeavyMonitors"],
           "legacy": ["-XX:LockingMode=1"], "Xint": ["-Xint"],
           "table": ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UseObjectMonitorTable"],
           "compact": ["-XX:+UseCompactObjectHeaders"]}


@pytest.mark.parametrize("name", LOCKING)
def test_locks_work_and_are_live_while_they_are_held(jdk, java, name):
    require(jdk, LOCKING[name])
    count = 3000
    run, dumps = dump_at_each_step(java, "LiveLocks", SITES, 3, count, java_opts=LOCKING[name])
    for step, (sites, live) in enumerate(zip(dumps, (count, count, count // 3))):
        got = sums(on_top(sites, "LiveLocks$Lock", "LiveLocks.lock"))
        check((got[1], got[3]) == (live, count), run,
              f"step {step}: {got}, should be {live} live of {count}")
    right = {"changed.held": 0, "changed": 0, "waited": 8, "contended": 8 + 4 * 20 * count,
             "turns": 2000}
    check(right.items() <= run.truth.items(), run, f"the program's counts should be {right}")


# ---- dumps while threads allocate --------------------------------------------


@pytest.mark.parametrize("java_opts", [[], ["-XX:+UseZGC"]], ids=["default", "Z"])
@pytest.mark.parametrize("format_", ["a", "b"])
def test_dumps_while_threads_allocate_agree_with_themselves(jdk, java, format_, java_opts):
    require(jdk, java_opts)
    live = java.start("HeapChurn", f"heap=sites,cutoff=0,format={format_}", stdin=subprocess.PIPE,
                      java_opts=["-Xmx256m", *java_opts])
    live.wait_stdout("ready=1")
    for _ in range(3):
        sigquit(live)
    live.send_line("")
    run = live.finish()
    check(run.exit_code == 0 and "loaded=" in run.stdout, run, "the program was disturbed")
    dumps = run.profile().sites
    check(len(dumps) == 4, run, f"{len(dumps)} dumps, should be 4, with that of the exit")
    before = 0
    for sites in dumps:
        for row in sites.rows:
            check(0 <= row.live_objects <= row.allocated_objects and
                  0 <= row.live_bytes <= row.allocated_bytes, run, f"{row}")
        if format_ == "b":
            check(sums(sites.rows) == sites.sums, run, f"sums {sites.sums}, rows {sums(sites.rows)}")
        else:
            check(abs(sites.rows[-1].accum_percent - 100) < 0.02, run, "shares do not add up")
        _, kept, _, made = sums(of(sites, "HeapChurn$Kept"))
        check(kept >= 5000 and made >= before, run,
              f"{kept} objects live, 5000 are kept; {made} allocated, {before} before")
        before = made


# ---- objects that have a hash before they are marked -------------------------


@pytest.mark.skipif(PLATFORM != "linux", reason="the library is one for Linux")
def test_live_objects_with_a_hash_are_at_their_sites_and_the_agents_own_at_none(
        jdk, java, native_library):
    """Of the objects that the agent itself allocates, each has a hash, and of the program's those
    that are not made by bytecode: some 3,000 are live. Each site has 2^14 numbers of 2^31 at first, so
    that the VM's hash of one in 44,000 is that of another site of its class, of which these have three
    at most, and it is shown there. More than 3 at one site are so in one of 10^7 runs."""
    library = native_library("hashes_objects")
    check_all_steps(java, 20_000 // OBJECTS_OF_EACH, java_opts=[f"-agentpath:{library}"])
    run = java.run("LiveSpecials", "heap=sites,cutoff=0,depth=16", 900,
                   java_opts=[f"-agentpath:{library}"])
    check_specials(run, run.profile().sites[-1], off=3)


# ---- profiles one after the other --------------------------------------------


@pytest.mark.asan
def test_a_later_profile_has_no_live_objects_of_an_earlier_one_at_its_sites(java, jdk):
    """Each thread keeps one in four objects. That of the profile's own start is complete in it; of
    existing threads the first objects may be missing."""
    target = Target(java)
    threads = 2
    for name in ("a", "b", "c"):
        threads += 1
        options = f"heap=sites,cutoff=0,depth=4,file={name}"
        target.attach(options)
        target.command("threads 1")
        target.command("all 8000")
        subprocess.run([jdk.part("bin/jcmd"), str(target.live.process.pid), "GC.run"],
                       capture_output=True, check=True)
        target.attach("stop")
        _, live, _, made = sums(on_top(target.profile(options).sites[-1], "Attached$Thing",
                                       "Attached.make"))
        # The last one that is not kept is still referred to; and four may begin with a kept one.
        check(8000 <= made <= 8000 * threads and abs(4 * live - made) <= 4 * (threads + 1),
              target.live.run, f"profile {name}: {live} live of {made}, of {threads} threads of 8000")
    target.end()
