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
SAMPLES = "cpu=samples,depth=2,cutoff=0,interval=1,native=y"
TIMES = "cpu=times,cutoff=0,depth=2"
TITLES = {SAMPLES: "CPU SAMPLES", TIMES: "CPU TIME"}
# Hidden classes have another name in every run.
HIDDEN = re.compile(r"(?:[+/.]0x[0-9a-f]+|\$\$Lambda.*(?=\.))")

Agreement = namedtuple("Agreement", "overlap of spearman common")

# The section's total, and by method its per cent of that, and the calls, or samples, of what it
# calls.
Costs = namedtuple("Costs", "total shares made")


def costs_of(data, title):
    """Those of the last section with the title."""
    sections = hprof_text.parse(data, cutoff=0, native=True).titled(title)
    if not sections:
        raise BenchError(f"the profile has no section {title}")
    costs = Costs(sections[-1].total, Counter(), Counter())
    for row in sections[-1].rows:
        if row.trace.stackless:
            continue
        first, *callers = row.trace.frames
        # Counted times have that of a native method in its caller.
        owner = callers[0] if callers and first.line == hprof_text.NATIVE_METHOD else first
        costs.shares[HIDDEN.sub("", owner.name)] += row.self_percent
        for caller in callers:
            costs.made[HIDDEN.sub("", caller.name)] += row.count
    return costs


def without_price(counted, sampled_ms):
    """The shares of counted costs when a price is taken off for each call, from the method that makes
    it, and the price: what counting has added to the CPU time, by call, in nanoseconds."""
    added_ms = max(0, counted.total - sampled_ms)
    calls = sum(counted.made.values())
    price_ms = added_ms / calls if calls else 0
    left = {method: share - 100 * price_ms * counted.made[method] / counted.total
            for method, share in counted.shares.items()}
    return Counter({method: share for method, share in left.items() if share > 0}), 1e6 * price_ms


def top(shares):
    """The hottest methods; of equal ones, those whose names come first."""
    return sorted(shares, key=lambda method: (-shares[method], method))[:TOP]


def agreement(first, second):
    """How the hottest methods of two profiles agree."""
    tops = top(first), top(second)
    union = sorted({*tops[0], *tops[1]})
    rank = spearman([first[method] for method in union], [second[method] for method in union])
    return Agreement(len(set(tops[0]) & set(tops[1])), max(map(len, tops)), rank,
                     common_percent(first, second))


def common_percent(first, second):
    """How much of the time both profiles give to the same methods, of all of it."""
    sums = sum(first.values()), sum(second.values())
    if not all(sums):
        return 0
    return 100 * sum(min(first[method] / sums[0], second[method] / sums[1]) for method in first)


def _profile(program, jdk, size, library, options):
    """Costs of a run, and the digest of what the program put out."""
    run = ProgramRun(program, jdk, size, agent_contestant(library, options).words)
    try:
        return costs_of((run.directory / "profile.txt").read_bytes(), TITLES[options]), run.digest
    except hprof_text.FormatError as error:
        raise BenchError(f"the profile of {options} breaks the format: {error}") from error


def compare(program, jdk, size, library):
    """The record of a program on a JDK."""
    (first, counted, second), digests = zip(*(_profile(program, jdk, size, library, options)
                                              for options in (SAMPLES, TIMES, SAMPLES)))
    if len(set(digests)) > 1:
        raise BenchError("the output differs between runs")
    less, price_ns = without_price(counted, first.total)
    found = {"program": program.name, "jdk": jdk.version, "price_ns": round(price_ns, 2),
             "samples": [[method, round(first.shares[method], 2)] for method in top(first.shares)],
             "times": [[method, round(counted.shares[method], 2)] for method in top(counted.shares)]}
    for name, shares in (("counted", counted.shares), ("less", less), ("noise", second.shares)):
        pair = agreement(first.shares, shares)
        found[name] = {"overlap": pair.overlap, "of": pair.of, "common": round(pair.common, 1),
                       "spearman": pair.spearman and round(pair.spearman, 3)}
    return found


def _words(pair):
    rank = "-" if pair["spearman"] is None else f"{pair['spearman']:.2f}"
    return f"{pair['common']:.0f}%, {pair['overlap']} of {pair['of']}, {rank}"


def hottest_text(found):
    """The table, and for each program the methods at the top of both."""
    columns = {"counted": "samples and times", "less": "samples and times less a price",
               "noise": "samples and samples"}
    cells = {}
    for entry in found:
        row = f"{entry['program']}, JDK {entry['jdk']} ({entry['price_ns']:.1f} ns)"
        cells.update({(row, columns[name]): _words(entry[name]) for name in columns})
    rows = list(dict.fromkeys(row for row, _ in cells))
    parts = [f"Time at the same methods; hottest {TOP} methods: how many are in both, and rank "
             "correlation over the union; in brackets the price of a call\n"
             + table_text(rows, list(columns.values()), cells)]
    for entry in found:
        parts.append(f"{entry['program']}, JDK {entry['jdk']}: samples | times\n" + "\n".join(
            f"  {sample[1]:6.2f}% {sample[0]:<60} | {time[1]:6.2f}% {time[0]}"
            for sample, time in zip(entry["samples"], entry["times"])))
    return "\n\n".join(parts)
