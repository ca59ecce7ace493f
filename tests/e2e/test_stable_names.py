"""Names of hidden and generated classes: a program has the same names in every report of every
run, although the JVM gives these classes other addresses and numbers."""

import re

import pytest

from support.checks import RUN_NUMBERS
from support.command import collapsed, hprof
from support.runner import Runner
from test_exports import formats

OPTIONS = "heap=sites,live=n,depth=64,cutoff=0,lineno=n"
MADE = "StableNames$Made"


@pytest.fixture(scope="module")
def runs(jdk, class_path, tmp_path_factory):
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("names"))
    yield [runner.run("StableNames", f"{OPTIONS},format={kind},verbose=n", *arguments)
           for arguments in ((), ("shifted",)) for kind in "ab"]
    runner.close()


def made(run):
    """The stacks of the program's own objects below the method that makes them."""
    return {stack.partition(";StableNames.work;")[2]: cost for stack, cost in
            collapsed("--filter", r"^StableNames\$Made$", run.output).items()
            if stack.endswith(";" + MADE)}


def test_stacks_are_the_same_in_every_run(runs):
    text, binary, shifted_text, shifted_binary = map(made, runs)
    assert len(text) >= 6 and "StableNames$1.get;" + MADE in text
    assert any("$$Lambda." in stack for stack in text)
    assert any("$Proxy.get;" in stack for stack in text)
    assert text == shifted_text == binary == shifted_binary
    # The files have what the JVM reported.
    raw = [set(re.findall(r"[\w.$]*\$Proxy\d+|[\w.$]*\$\$Lambda[$\d]*/0x\w+",
                          run.output.read_text(errors="replace"))) for run in runs[0::2]]
    assert raw[0] and raw[0] != raw[1]


@pytest.mark.any_jvm
def test_every_report_has_stable_names(runs, tmp_path):
    for run in runs[2:]:
        for number, view in enumerate((["--traces"], ["--by", "method"], ["--by", "class"],
                                       ["--by", "package"], ["--by", "line"], ["--tree"], [])):
            said = hprof("report", "--top", 0, *view, run.output).stdout.decode()
            assert not RUN_NUMBERS.search(said), (number, RUN_NUMBERS.search(said))
        for suffix in (".collapsed", ".svg", ".json", ".firefox.json"):
            path = tmp_path / f"{run.output.name}{suffix}"
            if suffix.endswith(".json") and suffix not in formats():
                continue
            hprof("report", "-o", path, run.output)
            assert not RUN_NUMBERS.search(path.read_text()), suffix
