"""The command line of bench/suite.py, its columns, its programs, and how it takes failures."""

import hashlib
from collections import Counter

import pytest

import suite
from lib.contestants import MODES, contestants
from lib.fetch import Jar, fetch_jar
from lib.hottest import Costs, agreement, common_percent, costs_of, without_price
from lib.measure import Measurement, prepare
from lib.programs import PROGRAMS, fop
from lib.programs.batik import picture
from lib.programs.program import FULL, SMALL
from lib.jdks import Jdk
from lib.workplace import BenchError

PROFILE = b"""JAVA PROFILE 1.0.1, created Tue Nov 24 14:03:00 2026

--------

THREAD START (obj=5000, id = 200001, name="main", group="main")
TRACE 300001:
\ta.B.hot(B.java:1)
TRACE 300002:
\ta.B.hot(B.java:2)
TRACE 300003:
\ta.B.read0(B.java:Native method)
\ta.B.cold(B.java:9)
CPU SAMPLES BEGIN (total = 4) Tue Nov 24 14:03:02 2026
rank   self  accum   count trace method
   1 50.00% 50.00%       2 300001 a.B.hot
   2 25.00% 75.00%       1 300002 a.B.hot
   3 25.00% 100.00%       1 300003 a.B.read0
CPU SAMPLES END
"""


class Absent:
    """A program that can't be fetched."""

    name = "absent"

    def prepare(self, _jdks):
        raise BenchError("no such artifact")


def test_defaults_are_all_programs_and_modes():
    arguments = suite.parse_arguments([])
    assert arguments.programs == PROGRAMS and arguments.options == MODES
    assert (arguments.pairs, arguments.size) == (3, FULL)


def test_quick_is_one_pair_of_few_modes_on_small_inputs():
    arguments = suite.parse_arguments(["--quick", "--programs", "h2,closure"])
    assert [program.name for program in arguments.programs] == ["closure", "h2"]
    assert (arguments.pairs, arguments.size) == (1, SMALL)
    assert len(arguments.options) == 3


@pytest.mark.parametrize("words", [["--programs", "h3"], ["--pairs", "-1"]])
def test_bad_words_are_refused(words):
    with pytest.raises(SystemExit) as ended:
        suite.parse_arguments(words)
    assert ended.value.code == 2


def test_the_agent_before_is_next_to_the_agent():
    found = contestants("new.so", ["cpu=samples", "monitor=y"], before="old.so")
    assert [column.label for column in found] == [
        "cpu=samples before", "cpu=samples", "monitor=y before", "monitor=y"]
    assert [column.words[0].split("=")[0] for column in found] == 2 * [
        "-agentpath:old.so", "-agentpath:new.so"]


def test_peers_have_columns_after_those_of_the_agent():
    found = contestants("new.so", ["cpu=samples"], None, "async.so", True, "a.B::c")
    assert [column.label for column in found] == [
        "cpu=samples", "async-profiler cpu", "async-profiler alloc", "JFR profile",
        "JFR timing a.B::c"]
    assert found[-1].oldest_jdk == 25


def test_peers_do_not_greet_on_the_standard_output():
    """Which is compared with that of a run without them."""
    found = contestants("new.so", ["cpu=samples"], None, "async.so", True, "a.B::c")
    for column in found[1:3]:
        assert ",loglevel=error" in column.words[0]
    for column in found[3:]:
        assert "-Xlog:jfr+startup=error" in column.words


def test_a_column_twice_is_refused():
    with pytest.raises(BenchError, match="columns twice"):
        contestants("new.so", ["monitor=y", "monitor=y"])


def test_a_program_that_cannot_be_fetched_is_reported(capsys):
    ready, missing = prepare([Absent()], [])
    assert not ready and missing == {"absent": "no such artifact"}
    assert "absent: not available: no such artifact" in capsys.readouterr().out
    assert not suite.show_failures(missing, [])


def test_a_failed_run_is_recorded():
    measurement = Measurement(SMALL)
    measurement.fail(PROGRAMS[0], Jdk(17, None), "cpu=times", BenchError("status 1"))
    assert measurement.failures == [{"program": "closure", "jdk": 17, "column": "cpu=times",
                                     "reason": "status 1"}]
    assert not suite.show_failures({}, measurement.failures)
    assert suite.show_failures({}, [])


def test_a_jar_with_another_digest_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.fetch.WORK", tmp_path)
    (tmp_path / "maven").mkdir()
    (tmp_path / "maven" / "a-1-sources.jar").write_bytes(b"other")
    with pytest.raises(BenchError, match="is not the expected file"):
        fetch_jar(Jar("g", "a", "1", hashlib.sha256(b"wanted").hexdigest(), "sources"))
    assert fetch_jar(Jar("g", "a", "1", hashlib.sha256(b"other").hexdigest(), "sources"))


def test_inputs_are_the_same_each_time():
    assert fop.document(2) == fop.document(2)
    assert picture(1) == picture(1) != picture(2)


def test_dates_of_a_pdf_do_not_count():
    one, other = (b"<< /CreationDate (D:" + when + b"Z)\n/ID [<" + when + b">] >> text\n<dc:date>"
                  + when + b"</dc:date><xmp:MetadataDate>" + when + b"</xmp:MetadataDate>"
                  for when in (b"2026", b"2027"))
    assert fop.VARYING.sub(b"", one) == fop.VARYING.sub(b"", other) != one


def test_costs_are_those_of_methods():
    """That of a native method is its caller's."""
    costs = costs_of(PROFILE, "CPU SAMPLES")
    assert costs == (4, {"a.B.hot": 75, "a.B.cold": 25}, {"a.B.cold": 1})
    with pytest.raises(BenchError, match="no section CPU TIME"):
        costs_of(PROFILE, "CPU TIME")


def test_agreement_of_the_hottest_methods():
    shares = costs_of(PROFILE, "CPU SAMPLES").shares
    assert agreement(shares, shares) == (2, 2, pytest.approx(1), pytest.approx(100))


def test_common_time_is_that_of_the_same_methods():
    first, second = Counter(a=60, b=40), Counter(b=10, c=10)
    assert common_percent(first, second) == common_percent(second, first) == pytest.approx(40)
    assert common_percent(first, Counter()) == 0


def test_the_price_of_calls_is_taken_off_their_callers():
    """2 s more than by samples, for 200 million calls: 10 ns each."""
    counted = Costs(4000, Counter(caller=70, callee=20, cheap=10),
                    Counter(caller=150_000_000, cheap=50_000_000))
    shares, price_ns = without_price(counted, 2000)
    assert price_ns == pytest.approx(10)
    assert shares == {"caller": pytest.approx(70 - 37.5), "callee": 20}
    assert without_price(counted, 5000) == (counted.shares, 0)
