"""hprof check --baseline: two runs of a program pass, and one more call or allocation fails."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from support.builds import COMMAND
from support.live_run import TIMEOUT_S
from support.runner import Runner

OPTIONS = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y"


def gate(*arguments, exit_code):
    """What hprof check --baseline prints."""
    done = subprocess.run([COMMAND, "check", "--baseline", *map(str, arguments)], text=True,
                          capture_output=True, check=False, timeout=TIMEOUT_S)
    assert done.returncode == exit_code, (done.stdout[-2000:], done.stderr)
    return done.stdout if exit_code < 2 else done.stderr


@pytest.fixture(scope="module")
def record_any(jdk, class_path, tmp_path_factory):
    """record_any(arguments...): the profile of a run of GateWork."""
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("gate"))

    def run(*arguments, options=OPTIONS):
        done = runner.run("GateWork", f"{options},file=gate.txt.gz", *arguments)
        assert done.exit_code == 0, done.stderr
        return done.directory / "gate.txt.gz"

    yield run
    runner.close()


@pytest.fixture(scope="module")
def record(jdk, record_any):
    """The same, where allocations are counted by bytecode."""
    if jdk.version == 11:
        pytest.skip("its allocations are reported by the JVM")
    return record_any


@pytest.fixture(scope="module")
def baseline(record):
    return record()


def test_jdk_11_compares_calls_alone(jdk, record_any):
    if jdk.version != 11:
        pytest.skip("allocations are compared too")
    runs = [record_any(*arguments) for arguments in ((), ("call",))]
    assert "on JDK 11 without heap=" in gate(*runs, exit_code=2)
    old, same, new = [record_any(*arguments, options=OPTIONS.replace("heap=sites,live=n,", ""))
                      for arguments in ((), (), ("call",))]
    assert "calls: " in gate(old, same, exit_code=0)
    assert "\tGateWork.added\n" in gate(old, new, exit_code=1)


def test_the_same_program_passes(baseline, record, tmp_path):
    report = tmp_path / "gate.xml"
    text = gate(baseline, "--junit", report, record(), exit_code=0)
    shares = re.findall(r"^(calls|allocated bytes): +([\d.]+)% of (\d+) compared, in \d+ contexts: "
                        r"0 grew, 0 shrank$", text, re.MULTILINE)
    assert [name for name, _, _ in shares] == ["calls", "allocated bytes"]
    assert all(float(share) > 90 and int(total) > 200 for _, share, total in shares), text
    suite = ElementTree.parse(report).getroot()
    assert suite.attrib == {"tests": "2", "failures": "0"}
    assert report.stat().st_mode & 0o777 == 0o600


@pytest.mark.any_jvm
def test_one_more_call_fails_and_is_named(baseline, record, tmp_path):
    report = tmp_path / "gate.xml"
    new = record("call")
    text = gate(baseline, "--junit", report, new, exit_code=1)
    assert ("calls grew by 1, from 0 to 1 (budget +0%)\n"
            "\tGateWork.added\n\tGateWork.parse\n\tGateWork.main\n") in text
    failures = ElementTree.parse(report).getroot().findall(".//testcase[failure]")
    named = {case.get("name"): case.find("failure").text for case in failures}
    assert named["GateWork.added"].split() == ["GateWork.added", "GateWork.parse", "GateWork.main"]
    # The other way round it is one less, which is no failure.
    assert ", 1 shrank" in gate(new, baseline, "--budget", budget(tmp_path, "* +0 calls", "* +900 bytes"),
                                exit_code=0)


def budget(directory, *lines):
    path = directory / "budget"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.any_jvm
def test_one_more_allocation_of_16_bytes_fails(baseline, record):
    text = gate(baseline, record("allocation"), "--top", "0", exit_code=1)
    assert re.search(r"^allocated bytes grew by 16, from \d+ to \d+ \(budget \+0%\)\n"
                     r"\tnew byte\[\]\n\tGateWork.parse\n\tGateWork.main$", text, re.MULTILINE), text


@pytest.mark.any_jvm
def test_a_budget_lets_it_pass(baseline, record, tmp_path):
    new = record("call")
    enough = budget(tmp_path, "GateWork.main +1 calls", "GateWork.* +1000 bytes")
    assert "grew within their budgets" in gate(baseline, new, "--budget", enough, exit_code=0)
    gate(baseline, new, "--budget", budget(tmp_path, "GateWork.parse +100%"), exit_code=1)
    gate(baseline, new, "--budget", budget(tmp_path, "exclude GateWork.parse", "+1000 bytes"),
         exit_code=0)
    wrong = gate(baseline, new, "--budget", budget(tmp_path, "# none", "GateWork 5%"), exit_code=2)
    assert "line 2: write PATTERN +N%" in wrong


def test_what_a_jvm_does_not_repeat_is_not_compared(record):
    runs = [record("salted") for _ in range(4)]
    totals = set()
    for new in runs[1:]:
        text = gate(runs[0], new, exit_code=0)
        assert re.search(r"^not compared: \d+ calls and \d+ bytes by the rule java.util.Immutable",
                         text, re.MULTILINE), text
        share, total = re.search(r"^calls: +([\d.]+)% of (\d+)", text, re.MULTILINE).groups()
        # All calls except those of find: parse and main.
        assert round(float(share) * int(total) / 100) == 201, text
        totals.add(total)
    assert len(totals) > 1, totals


@pytest.mark.thorough
def test_profiles_that_can_not_be_compared_are_refused(baseline, record):
    for options, reason in (
            (OPTIONS.replace("live=n", "live=y"), "live=n"),
            (OPTIONS.replace("depth=1024", "depth=8"), "depth=1024"),
            (OPTIONS.replace("cutoff=0", "cutoff=0.01"), "cutoff=0"),
            (OPTIONS.replace(",notes=y", ""), "notes=y"),
            (OPTIONS.replace("heap=sites,live=n,", ""), "only"),
            (OPTIONS + ",exclude=GateWork.added", "exclude="),
            ("cpu=samples,depth=1024,cutoff=0,notes=y", "only")):
        other = record(options=options)
        message = gate(baseline, other, exit_code=2)
        assert message.startswith("hprof: ") and message.count("\n") == 1, message
        assert reason in message, (options, message)
        assert gate(other, baseline, exit_code=2).count("\n") == 1


@pytest.mark.any_jvm
def test_the_command_line_is_checked(baseline, tmp_path):
    assert "two profiles are required" in gate(baseline, exit_code=2)
    assert "more than one file" in gate(baseline, baseline, baseline, exit_code=2)
    assert "--junit requires a value" in gate(baseline, baseline, "--junit", exit_code=2)
    assert "can't read" in gate(tmp_path / "none", baseline, exit_code=2)
    assert "--top" in gate(baseline, baseline, "--top", "many", exit_code=2)
    assert "--classes a;b is invalid" in gate(baseline, baseline, "--classes", "a;b", exit_code=2)
    assert "--classes PATTERN" in gate(baseline, baseline, "--classes", "com.acme.*", exit_code=2)
