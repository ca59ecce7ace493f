"""The tables of a measurement's runs, and their text."""

from lib.figures import Spread, geometric_mean, spread

MEAN = "geometric mean"


def ratios(runs, metric):
    """{(jdk, program, column): ratios of runs with the column to the run without an agent in the
    same turn}"""
    partners = {run["turn"]: run for run in runs if run["column"] is None}
    found = {}
    for run in runs:
        partner = partners.get(run["turn"])
        if run["column"] is not None and partner and metric in run:
            key = run["jdk"], run["program"], run["column"]
            found.setdefault(key, []).append(run[metric] / partner[metric])
    return found


def spreads(runs, metric):
    """{(jdk, program, column): Spread}, with the geometric mean of the programs' medians as one
    more program."""
    table = {key: spread(values) for key, values in ratios(runs, metric).items()}
    medians = {}
    for (jdk, _, column), cell in table.items():
        medians.setdefault((jdk, column), []).append(cell.median)
    for (jdk, column), values in medians.items():
        mean = geometric_mean(values)
        table[jdk, MEAN, column] = Spread(mean, mean, mean, len(values))
    return table


def cell_text(cell):
    """The median, and the range where there is one."""
    if cell.low == cell.high:
        return f"{cell.median:.2f}"
    return f"{cell.median:.2f} ({cell.low:.2f}-{cell.high:.2f})"


def table_text(rows, columns, cells):
    """A table of {(row, column): words} in the form of the documents."""
    lines = [["", *columns]]
    lines += [[row, *(cells.get((row, column), "-") for column in columns)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ["| " + " | ".join(word.ljust(width) for word, width in zip(line, widths)) + " |"
            for line in lines]
    return "\n".join([text[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|",
                      *text[1:]])


METRICS = [("seconds", "time"), ("cpu", "CPU time"), ("rss_mb", "peak memory"),
           ("p99_ms", "99th percentile")]


def report_text(result):
    """All tables of a result: a JDK and a metric each."""
    parts = []
    for jdk in result["jdks"]:
        for metric, title in METRICS:
            found = {(program, column): cell_text(cell)
                     for (version, program, column), cell in spreads(result["runs"], metric).items()
                     if version == jdk["version"]}
            rows = [name for name in [*result["programs"], MEAN] if any(
                row == name for row, _ in found)]
            if metric == "p99_ms":
                rows = [row for row in rows if row != MEAN]
            columns = [name for name in result["columns"] if any(
                column == name for _, column in found)]
            if rows:
                parts.append(f"JDK {jdk['version']}, {title}: ratio to no agent, median "
                             f"(least-most)\n"
                             + table_text(rows, columns, found))
    return "\n\n".join(parts)
