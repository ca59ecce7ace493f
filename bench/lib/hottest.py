"""What counting does to the truth: the hottest methods by samples and by counted times."""

import re
import sys
from collections import Counter, namedtuple

from lib.contestants import agent_contestant
from lib.figures import spearman
from lib.measure import ProgramRun
from lib.report import table_text
from lib.workplace import ROOT, BenchError

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
# pylint: disable-next=import-error,wrong-import-position
from readers import hprof_text  # noqa: E402

TOP = 10
SAMPLES = "cpu=samples,depth=1,cutoff=0,interval=1"
TIMES = "cpu=times,cutoff=0,depth=1"
TITLES = {SAMPLES: "CPU SAMPLES", TIMES: "CPU TIME"}
# Hidden classes have another name in every run.
HIDDEN = re.compile(r"(?:[+/.]0x[0-9a-f]+|\$\$Lambda.*(?=\.))")

Agreement = namedtuple("Agreement", "overlap of spearman")


def self_shares(data, title):
    """{method: its per cent of the last section with the title}"""
    sections = hprof_text.parse(data, cutoff=0).titled(title)
    if not sections:
        raise BenchError(f"the profile has no section {title}")
    shares = Counter()
    for row in sections[-1].rows:
        if not row.trace.stackless:
            shares[HIDDEN.sub("", row.method)] += row.self_percent
    return shares


def top(shares):
    """The hottest methods; of equal ones, those whose names come first."""
    return sorted(shares, key=lambda method: (-shares[method], method))[:TOP]


def agreement(first, second):
    """How the hottest methods of two profiles agree."""
    tops = top(first), top(second)
    union = sorted({*tops[0], *tops[1]})
    rank = spearman([first[method] for method in union], [second[method] for method in union])
    return Agreement(len(set(tops[0]) & set(tops[1])), max(map(len, tops)), rank)


def _profile(program, jdk, size, library, options):
    """Shares of a run, and the digest of what the program put out."""
    run = ProgramRun(program, jdk, size, agent_contestant(library, options).words)
    try:
        return self_shares((run.directory / "profile.txt").read_bytes(),
                           TITLES[options]), run.digest
    except hprof_text.FormatError as error:
        raise BenchError(f"the profile of {options} breaks the format: {error}") from error


def compare(program, jdk, size, library):
    """The record of a program on a JDK."""
    (first, counted, second), digests = zip(*(_profile(program, jdk, size, library, options)
                                              for options in (SAMPLES, TIMES, SAMPLES)))
    if len(set(digests)) > 1:
        raise BenchError("the output differs between runs")
    found = {"program": program.name, "jdk": jdk.version,
             "samples": [[method, round(first[method], 2)] for method in top(first)],
             "times": [[method, round(counted[method], 2)] for method in top(counted)]}
    for name, other in (("counted", counted), ("noise", second)):
        pair = agreement(first, other)
        found[name] = {"overlap": pair.overlap, "of": pair.of,
                       "spearman": pair.spearman and round(pair.spearman, 3)}
    return found


def _words(pair):
    rank = "-" if pair["spearman"] is None else f"{pair['spearman']:.2f}"
    return f"{rank}, {pair['overlap']} of {pair['of']}"


def hottest_text(found):
    """The table, and for each program the methods at the top of both."""
    counted, noise = "samples and times", "samples and samples"
    cells = {}
    for entry in found:
        row = f"{entry['program']}, JDK {entry['jdk']}"
        cells[row, counted], cells[row, noise] = _words(entry["counted"]), _words(entry["noise"])
    rows = list(dict.fromkeys(row for row, _ in cells))
    parts = [f"Hottest {TOP} methods: rank correlation over the union, and how many are in both\n"
             + table_text(rows, [counted, noise], cells)]
    for entry in found:
        parts.append(f"{entry['program']}, JDK {entry['jdk']}: samples | times\n" + "\n".join(
            f"  {sample[1]:6.2f}% {sample[0]:<60} | {time[1]:6.2f}% {time[0]}"
            for sample, time in zip(entry["samples"], entry["times"])))
    return "\n\n".join(parts)
