"""Tests of the driver's verdicts, on outcomes made up."""

import pytest

import driver
from modes import Mode

USUAL = b"NOTE: cpu=times: calls counted (time by one clock)\ncalls 5000\n"
MODE = Mode("counts", "", False, lambda text: {"calls": int(text.splitlines()[-1].split()[1])},
            bytes.decode)
LOST = USUAL.replace(b"calls 5000", b"calls 4999")


def judge(onward=False, **parts):
    """The verdict on a run that ended as it does without a fault, except for the parts."""
    parts = {"exit_code": driver.EXIT_CODE, "stdout": driver.OUTPUT, "stderr": "",
             "data": USUAL, "report": None, **parts}
    return driver.judge(MODE, driver.Outcome(**parts), *driver.usual_of(MODE, USUAL), onward)[0]


LINE = "hprof: a line of the agent\n"
SECOND = "hprof: another\n"


@pytest.mark.parametrize("parts, verdict", [
    ({}, "unharmed"),
    ({"stderr": LINE}, "reported"),
    ({"data": LOST, "stderr": LINE}, "reported"),
    ({"data": b"\xff", "stderr": LINE}, "broken file"),
    ({"exit_code": 1, "stdout": "", "stderr": LINE}, "refused"),
    ({"exit_code": 1, "stdout": "", "stderr": LINE + SECOND}, "dead"),
    ({"exit_code": 1}, "dead"),
    ({"exit_code": None}, "hung"),
    ({"stdout": "calls=1\n"}, "other output"),
    ({"stderr": "a line of the JVM\n"}, "other output"),
    ({"stderr": LINE + SECOND}, "other output"),
    ({"stderr": LINE + SECOND, "onward": True}, "reported"),
    ({"stderr": LINE + LINE, "onward": True}, "other output"),
    ({"data": LOST}, "silent loss"),
    ({"data": None}, "silent loss"),
    # A NOTE that is always there reports nothing, whatever its numbers and details are.
    ({"data": LOST.replace(b"one clock", b"two clocks")}, "silent loss"),
    ({"data": b"NOTE: 3 threads are not sampled\n" + LOST}, "reported"),
])
def test_verdict(parts, verdict):
    assert judge(**parts) == verdict
