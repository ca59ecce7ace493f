"""Stacks of samples, compared with a program that knows each method's callers."""

import pytest

from support.builds import AGENT_CPU, CPUS_READ
from support.checks import TIMES_JUDGED, at_most, check, check_stacks

# Of our walk about one in 10,000 is wrong, where a compiler's stub leaves no trace of how
# it uses the stack; of AsyncGetCallTrace alone 50 times as many.
WRONG_SHARE = 0.0005

CALLERS = ["StackTruth.inner", "StackTruth.middle", "StackTruth.outer", "StackTruth.chain",
           "StackTruth.main"]
BELOW_INNER = {
    "entering": ["small"], "dispatching": [], "casting": [], "copying": [],
    "allocating": ["<init>"], "throwing": ["failing"], "locking": ["small"],
    "small": [], "calling": ["small"],
}
# Methods that "calling" calls, and the classes whose methods each of them calls.
STUBS = {
    "searching": ("java.lang.String.",),
    "hashing": ("java.security.MessageDigest.", "java.util.zip.CRC32."),
    "calculating": ("java.math.BigInteger.", "java.lang.Math."),
}
LOADING = ("java.lang.ClassLoader.", "java.lang.invoke.")
CODE = {
    "mixed": [],
    "interpreted": ["-Xint"],
    "first compiler": ["-XX:TieredStopAtLevel=1"],
    "second compiler": ["-XX:-TieredCompilation"],
    "by turns": ["-XX:CompileCommand=quiet", "-XX:CompileCommand=exclude,StackTruth::middle",
                 "-XX:CompileCommand=exclude,StackTruth::small",
                 "-XX:CompileCommand=exclude,StackTruth::failing"],
    "not inlined": ["-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,StackTruth::*"],
    "other collector": ["-XX:-UseSerialGC", "-XX:+UseParallelGC", "-Xmn2m"],
    "compact headers": ["-XX:+UseCompactObjectHeaders"],
}
LESS_TELLING = ("not inlined", "other collector")
# QEMU then stops at any instruction, and not only where a block of them begins. A walk takes
# milliseconds there, which a shorter interval would charge to the stack that it finds.
EACH_INSTRUCTION = {"QEMU_SINGLESTEP": "1"}
INTERVAL_MS = 1 if TIMES_JUDGED else 10


def is_possible(names):
    """Whether the program can have that stack, innermost method first."""
    chain = [name for name in names if name.startswith("StackTruth.")]
    for size in range(len(CALLERS)):
        if chain == CALLERS[size:]:
            return names[-len(chain):] == chain
    if chain[-len(CALLERS):] != CALLERS or names[-len(CALLERS):] != CALLERS:
        return False
    inside = [name.split(".", 1)[1] for name in chain[:-len(CALLERS)]][::-1]
    if inside[0] == "descending":
        # Compilers have code of the deepest call run before, or between, the others.
        rest = [name for name in inside if name != "descending"]
        return len(inside) - len(rest) <= 11 and rest in ([], ["small"]) and (
            not rest or inside[-1] == "small")
    if inside[0] == "calling" and len(inside) == 2 and inside[1] in STUBS:
        called = names[:-len(chain)]
        return names[-len(chain):] == chain and (
            not called or called[-1].startswith(STUBS[inside[1]] + LOADING))
    return inside[0] in BELOW_INNER and inside[1:] in ([], BELOW_INNER[inside[0]])


def marks_of(code):
    emulated = pytest.mark.emulated if code == "mixed" else pytest.mark.emulated_more
    return [emulated, pytest.mark.thorough] if code in LESS_TELLING else [emulated]


@pytest.mark.skipif(AGENT_CPU not in CPUS_READ, reason="the agent has no walk of its own here")
@pytest.mark.parametrize("code", [pytest.param(code, marks=marks_of(code)) for code in CODE])
def test_stacks_are_those_that_the_program_can_have(jdk, run_java, code):
    if code == "compact headers" and jdk.version < 25:
        pytest.skip("compact object headers are of JDK 25")
    run = run_java("StackTruth", f"cpu=samples,engine=async,interval={INTERVAL_MS},cutoff=0,"
                   "depth=256,lineno=n", 2000, java_opts=CODE[code], env=EACH_INSTRUCTION)
    profile = run.profile()
    check_stacks(run, profile)
    check(not any("AsyncGetCallTrace alone" in note for note in run.notes), run,
          "the agent distrusts its walk")
    rows = [row for row in profile.rows
            if any(name.startswith("StackTruth.") for name in row.names)
            and "StackTruth.<clinit>" not in row.names]
    total = sum(row.count for row in rows)
    # Under QEMU signals come late, and the JVM's start takes long.
    least = (0.8 if TIMES_JUDGED else 0.2) * run.truth["main.cpu_ns"]
    check(total * run.interval_ns >= least, run, f"only {total} samples of the program")
    wrong = [row for row in rows if not is_possible(row.names)]
    count, limit = sum(row.count for row in wrong), at_most(total, WRONG_SHARE)
    check(count <= limit, run, f"{count} of {total} samples, at most {limit} allowed, have "
                               f"impossible stacks, as {[row.names[:16] for row in wrong[:5]]}")


def test_stacks_that_are_asked_of_the_jvm_have_no_note_of_a_walk(run_java):
    run = run_java("StackTruth", "cpu=samples,engine=async,cutoff=0,stacks=vm,verbose=y", 200)
    check(run.profile().rows and run.notes, run, "no samples")
    check(not any("AsyncGetCallTrace" in note for note in run.notes), run,
          "a note names a walk that was not asked for")
