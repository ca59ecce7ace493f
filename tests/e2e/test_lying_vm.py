"""A HotSpot that says something wrong of its own structures, as one of another version does: each
thing that the agent reads is missing, or elsewhere, in turn. Nothing hangs, nothing crashes, no
stack is wrong, and the portable way is taken where that is needed."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.builds import PLATFORM, ROOT
from support.checks import at_most, check
from support.runner import Runner
from test_stack_walk import WRONG_SHARE, is_possible

pytestmark = pytest.mark.skipif(PLATFORM != "linux", reason="the library is one for Linux")

OPTIONS = "cpu=samples,engine=async,interval=1,cutoff=0,depth=256,lineno=n,heap=sites"
PORTABLE = "stacks are walked by AsyncGetCallTrace alone"
WRONG = "the agent's own walk was wrong when it was tried"
NOT_KNOWN = "this JVM lacks, or has moved, what the agent's own walk reads"
NOT_TRIED = "the agent's own walk has not been tried yet"

# Of AsyncGetCallTrace alone: see test_stack_walk.py.
WRONG_SHARE_OF_VM = 50 * WRONG_SHARE

# To the next word; to another cache line; where nothing is; before the structure.
SHIFTS = ("8", "64", "0x7fff000000000000", "-8")


def names_in_sources():
    """What the sources read: ("field", type, field), ("constant", name), ("type", name)."""
    texts = [path.read_text() for path in (ROOT / "src").rglob("*.c")]
    found = set()
    for text in texts:
        found |= {("field", *names) for names in re.findall(
            r'vm_structs_(?:offset|static|pointer|word)\([^"()]*"([^"]+)",\s*"([^"]+)"', text)}
        found |= {("field", *names) for names in re.findall(
            r'\{"([A-Z][\w<>:]+|nmethod)", "(_\w+)", &', text)}
        found |= {("constant", name) for name in re.findall(
            r'(?:vm_structs_constant|stated)\([^"()]*"([^"]+)"', text)}
        found |= {("type", name) for name in re.findall(r'vm_structs_size\([^"()]*"([^"]+)"', text)}
    return sorted(found)


NAMES = names_in_sources()


def test_the_sources_were_read():
    assert ("field", "nmethod", "_compile_id") in NAMES and ("type", "HeapBlock") in NAMES
    assert ("field", "JavaFrameAnchor", "_last_Java_fp") in NAMES
    assert ("constant", "_thread_in_native") in NAMES and len(NAMES) > 60


def lies(thorough):
    """All lies, or each name with one of them."""
    for number, name in enumerate(NAMES):
        kinds = ("missing", *SHIFTS)
        for kind in kinds if thorough else (kinds[number % len(kinds)],):
            yield "|".join((*name, kind))


@pytest.fixture
def lie_to(jdk, class_path, native_library, tmp_path):
    """lie_to(lies, more=(), argument=300): the run of a program under the agent then."""
    if jdk.cpu not in (None, "x86_64"):
        pytest.skip("the agent's own walk of samples is for x86-64")
    library = native_library("lying_vm")
    runner = Runner(jdk, class_path, tmp_path)

    def run(said, more=(), argument=300):
        return runner.run("StackTruth", OPTIONS, argument, exit_code=None,
                          java_opts=[*more, f"-agentpath:{library}={said}"])
    yield run
    runner.close()


def wrong_stacks(rows):
    told = [row for row in rows if any(name.startswith("StackTruth.") for name in row.names)
            and "StackTruth.<clinit>" not in row.names]
    return sum(row.count for row in told), [row for row in told if not is_possible(row.names)]


def check_run(said, run):
    """That it ended as it should with a profile that is right. Returns its notes, (own, right)."""
    check(run.exit_code == 0, run, f"{said}: exit code {run.exit_code}")
    strange = [line for line in run.stderr.splitlines() if not line.startswith("hprof: ")]
    check(not strange, run, f"{said}: {strange}")
    profile = run.profile()
    notes = [*profile.notes, *profile.sections[-1].notes]
    total, wrong = wrong_stacks(profile.rows)
    by_vm = has(notes, PORTABLE) or "version" in said
    limit = at_most(total, WRONG_SHARE_OF_VM if by_vm else WRONG_SHARE)
    check(total > 100, run, f"{said}: {total} samples of the program")
    check(sum(row.count for row in wrong) <= limit, run,
          f"{said}: wrong stacks {[row.names[:16] for row in wrong[:5]]}")
    sites = profile.sites[-1]
    check(any("StackTruth.allocating" in [frame.name for frame in row.trace.frames]
              for row in sites.rows), run, f"{said}: no sites of the program")
    wrong = [names for names in ([frame.name for frame in row.trace.frames] for row in sites.rows)
             if names[-1:] == ["StackTruth.main"] and not is_possible(names)]
    check(not wrong, run, f"{said}: wrong sites {wrong[:5]}")
    return notes


def check_lies(lie_to, said):
    """Each in a JVM, two at a time. Returns {lie: notes}."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(said, pool.map(lambda one: check_run(one, lie_to(one)), said)))


def has(notes, text):
    return any(text in note for note in notes)


@pytest.mark.emulated
def test_each_thing_that_is_read_is_missing_or_elsewhere_once(lie_to):
    found = check_lies(lie_to, list(lies(False)))
    known = sum(not has(notes, PORTABLE) for notes in found.values())
    # Much is read for other ends; what the walk reads shows.
    assert 10 < known < len(found) - 20, known


@pytest.mark.thorough
def test_each_lie_of_each_thing(lie_to):
    found = check_lies(lie_to, list(lies(True)))
    for said, notes in found.items():
        way = next((reason for reason in (WRONG, NOT_KNOWN, NOT_TRIED) if has(notes, reason)), "own walk")
        print(f"{said}: {way}", file=sys.stderr)


@pytest.mark.asan
@pytest.mark.emulated
def test_another_encoding_of_frames_is_detected(jdk, lie_to):
    """By the first compiled method; the JVM did not end when the encoding was taken for another."""
    said = f"static|Abstract_VM_Version|_vm_major_version|{11 if jdk.version >= 20 else 21}"
    run = lie_to(said)
    notes = check_run(said, run)
    check(has(notes, WRONG), run, "the encoding was not found to be wrong")


@pytest.mark.parametrize("said", [
    "table|gHotSpotVMStructs|0", "table|gHotSpotVMStructs|4096", "table|gHotSpotVMTypes|8",
    "table|gHotSpotVMIntConstants|1", "table|gHotSpotVMStructEntryArrayStride|0",
    "table|gHotSpotVMStructEntryArrayStride|16", "table|gHotSpotVMStructEntryArrayStride|-1",
    "table|gHotSpotVMStructEntryOffsetOffset|8", "table|gHotSpotVMTypeEntrySizeOffset|1000"])
def test_tables_that_are_none(lie_to, said):
    run = lie_to(said)
    check(has(check_run(said, run), NOT_KNOWN), run, "nothing says that the JVM is not known")


@pytest.mark.emulated
def test_a_jdk_that_is_not_known_runs_and_is_said_to_be_untested(lie_to):
    run = lie_to("version|26", argument=500)
    notes = check_run("version|26", run)
    check("hprof: JDK 26 is untested: hprof is tested with JDK 11 to 25" in
          run.stderr.splitlines(), run, "no word of the version")
    # All is where it was, which the trials find out.
    check(not has(notes, PORTABLE), run, "not walked by the agent although tried")
    missing = "version|26,field|nmethod|_scopes_pcs_offset|missing"
    check(has(check_run(missing, lie_to(missing)), NOT_KNOWN), run, "the portable way has a note")
    interpreted = lie_to("version|26", more=["-Xint"])
    check(has(check_run("version|26", interpreted), NOT_TRIED), interpreted,
          "compiled code was tried where there is none")
