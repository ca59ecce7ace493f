"""net=: a peer that stops reading in the middle of a heap dump does not slow the program down
and gets the whole dump. bench/stall.py measures the same for longer."""

import pytest

from support.builds import JDKS
from support.checks import check
from support.stalled_dump import Stall

MEGABYTES = (60, 2)
STALL_S = 5


@pytest.mark.alone
@pytest.mark.parametrize("format_", ["a", pytest.param("b", marks=pytest.mark.thorough)])
def test_a_peer_that_stalls_in_a_heap_dump_does_not_slow_the_program_down(java, jdk, format_):
    if len(JDKS) > 1 and (JDKS.index(jdk) % 2 == 0) == (format_ == "a"):
        pytest.skip("takes long: each JDK has one of the formats")
    stall = Stall(java, format_, MEGABYTES, STALL_S, free_s=2.5, warm_up_s=1.5)
    ratio = stall.ratio(but_waits=True)
    free = [stall.rate(span, but_waits=True) for span in (stall.before, stall.after)]
    # As other load makes them differ, it can make the one in between.
    check(ratio > 0.9 * min(free) / max(free), stall.run, f"throughput in the stall is {ratio:.3f} of that "
          f"before and after it, {free}: {stall.before}, {stall.stalled}, {stall.after}")
    check(stall.longest_ns - stall.stalled.waited_ns < 2e9, stall.run,
          f"the program stood still for {stall.longest_ns / 1e9:.2f} s, and has waited for a CPU for "
          f"{stall.stalled.waited_ns / 1e9:.2f} s in all")
    stall.check_stream(MEGABYTES)
