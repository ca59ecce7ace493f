"""Reads what --json writes: validates it by the published schemas, and prints it again as the text
that hprof would print, so that both can be compared line by line."""

import functools
import json
import re

from support.builds import ROOT

NS_PER_MS = 1000000
NS_PER_US = 1000
NO_LINES = ("Unknown line", "Compiled method")


def strict(schema):
    """The schema without members that it does not name."""
    if isinstance(schema, dict):
        added = {"additionalProperties": False} if "properties" in schema else {}
        return {key: strict(value) for key, value in schema.items()} | added
    return [strict(value) for value in schema] if isinstance(schema, list) else schema


def validator_of(schema):
    """Of a schema that is valid itself. The package is not where the tests of ports run."""
    import jsonschema  # pylint: disable=import-outside-toplevel

    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@functools.cache
def validator(name):
    schema = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text())
    return validator_of(strict(schema))


def no_duplicates(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


def read(data, name):
    """The document, which must be one line of valid UTF-8 that the schema allows."""
    assert data.endswith(b"\n") and data.count(b"\n") == 1
    document = json.loads(data.decode(), object_pairs_hook=no_duplicates)
    validator(name).validate(document)
    assert document["format"] == f"hprof-{name}" and document["version"] == 1
    return document


def parts(printed):
    """What empty lines divide, as lists of lines."""
    return [part.splitlines() for part in printed.rstrip("\n").split("\n\n") if part]


# ---- numbers ----------------------------------------------------------------------------


def share(percent):
    return f" {percent:6.2f}%"


def in_ms(number):
    return f"{number // NS_PER_MS}.{number // NS_PER_US % 1000:03}"


def left_out(table):
    count = table["rows_left_out"]
    return [f"... and {count} more; --top 0 shows all"] if count else []


# ---- the summary ------------------------------------------------------------------------


def facts(document):
    profile = document["profile"]
    lines = [f"{title:9}{profile[key]}" for title, key in (
        ("Program", "program"), ("JVM", "jvm"), ("Options", "options"), ("Created", "created"))
             if key in profile]
    duration = profile.get("duration_ns", 0) // NS_PER_MS
    if duration:
        lines.append(f"Duration {duration // 1000}.{duration % 1000:03} s")
    if profile["has_cut_stacks"]:
        lines.append(f"Stacks   at most {profile['depth']} frames; a higher depth= keeps more")
    return lines


# ---- costs by method --------------------------------------------------------------------


def cost_columns(costs, interval, cost):
    if costs["unit"] == "ns":
        return f" {in_ms(cost):>14}"
    if costs["unit"] == "bytes":
        return f" {cost:13}"
    return f" {cost * interval:14}" if interval else ""


def cost_line(costs, interval, row, rank):
    line = f"{rank:5} " if rank else " " * 6
    line += share(row["self_percent"])
    if costs["unit"] == "samples":
        line += f" {row['low_percent']:6.2f}-{row['high_percent']:6.2f}%"
    line += share(row["total_percent"])
    line += cost_columns(costs, interval, row["self"]) + cost_columns(costs, interval, row["total"])
    line += f" {row.get('count', ''):11} " if "count" in row else " " * 13
    return line + (f"{row['thread']} " if "thread" in row else "") + row["name"]


def costs_heading(costs, interval):
    mark = " " if costs["exact"] else "≈"
    ms = costs["unit"] == "ns" or (costs["unit"] == "samples" and interval)
    line = " rank    self" + ("    95% interval" if costs["unit"] == "samples" else "") + "   total"
    line += f"      {mark}self ms     {mark}total ms" if ms else ""
    line += f"   {mark}self bytes   {mark}total bytes" if costs["unit"] == "bytes" else ""
    return f"{line} {costs['counted']:>11} {costs['by']}"


def costs_title(costs, interval, title):
    total = (f"{in_ms(costs['total'])} ms" if costs["unit"] == "ns"
             else f"{costs['total']} {costs['unit']}")
    of = f" of {interval} ms CPU time" if costs["unit"] == "samples" and interval else ""
    line = f"{title}: {'' if costs['exact'] else '≈ '}{total}{of}"
    if costs["without_stack"]:
        line += f", {costs['without_stack_percent']:.2f}% without a stack"
    for row in costs["rest"]:
        if row["self"]:
            line += f", {row['self_percent']:.2f}% {row['name']}"
    return line


def cost_lines(costs, interval, title):
    rows = [cost_line(costs, interval, row, i + 1) for i, row in enumerate(costs["rows"])]
    rest = [cost_line(costs, interval, row, 0) for row in costs["rest"]]
    return [costs_title(costs, interval, title), costs_heading(costs, interval), *rows, *rest,
            *left_out(costs)]


def costs(document):
    interval = document["profile"].get("interval_ms", 0)
    return [cost_lines(part, interval, part["title"]) for part in document["costs"]]


def states(document):
    part = document["states"]
    lines = [f"TRACE MICROSTATES: {in_ms(part['total'])} ms{', sampled' if part['sampled'] else ''}",
             "   share               ms  state"]
    for row in part["rows"]:
        lines.append(f"{share(row['percent'])} {in_ms(row['total']):>16}  {row['state']:3}  "
                     f"{row['meaning']}")
    if part["rest"]:
        percent = 100 * part["rest"] / part["total"]
        lines.append(f"{share(percent)} {in_ms(part['rest']):>16}       [below the cutoff]")
    return [lines] + [cost_lines({"unit": "ns", **row}, 0, row["state"]) for row in part["rows"]]


# ---- trees ------------------------------------------------------------------------------


def tree_lines(tree):
    """The same without indentation."""
    is_time = tree["unit"] == "ns"
    unit = "ms" if is_time else tree["unit"]
    total = in_ms(tree["total"]) if is_time else tree["total"]
    own = "" if tree["inverted"] else "    self"
    lines = [f"{tree['title']}: {total} {unit}", f"  total{own} {unit:>14} stack"]
    for row in tree["rows"]:
        name = row.get("name", f"({row.get('smaller')} smaller)")
        own = "" if tree["inverted"] else share(row.get("self_percent", 0))
        cost = in_ms(row["total"]) if is_time else row["total"]
        lines.append(f"{share(row['total_percent'])}{own} {cost:>14} {name}")
    return lines


def unindented(line):
    return re.sub(r"^((?: +[\d.]+%){1,2} +[\d.]+ ) *(?:\+ )?", r"\1", line)


def check_depths(tree):
    """Each row is below a caller with at least as much."""
    callers = []
    for row in tree["rows"]:
        del callers[row["depth"]:]
        assert len(callers) == row["depth"]
        assert not callers or callers[-1]["total"] >= row["total"]
        callers.append(row)


# ---- tables -----------------------------------------------------------------------------


def site_columns(row):
    columns = [(row.get("live_bytes"), 12), (row.get("live_objects"), 9),
               (row.get("allocated_bytes"), 13), (row.get("allocated_objects"), 10),
               (row.get("trace"), 7)]
    return "".join(f" {'' if value is None else value:>{width}}" for value, width in columns)


def ranked_columns(row):
    return f" {row.get('count', ''):>11} {row.get('trace', ''):>7}"


def class_columns(row):
    return f" {row['count']:11} {row['cost']:14}"


def table_row(table, row, rank):
    if table["of"] == "lines":
        return "\t" * row.get("indent", 0) + row["line"]
    columns = {"sites": site_columns, "heap": class_columns}.get(table["of"], ranked_columns)
    first = f"{rank:5}" if rank else " " * 5
    return (first + share(row["self_percent"]) + share(row["accumulated_percent"]) + columns(row)
            + " " + row["name"])


def frame_line(frame):
    """Without the line where the profile has none."""
    method = ".".join(frame[key] for key in ("class", "method") if key in frame)
    line = frame.get("line") or ("Native method" if frame.get("native") else "-")
    return f"\t\t{method}({frame.get('file', '-')}:{line})"


def shown_frame(line):
    """A line of text as frame_line() has it."""
    if not line.startswith("\t\t"):
        return line
    line = line.replace("(<Unknown Source>", "(-")
    return re.sub(r":(?:%s)\)$" % "|".join(NO_LINES), ":-)", line)


def stack_lines(row):
    if "frames" not in row:
        return []
    name = f' "{row["thread_name"]}"' if "thread_name" in row else ""
    thread = [f"\t\tthread {row['thread']}{name}"] if "thread" in row else []
    return thread + [frame_line(frame) for frame in row["frames"]]


def table_lines(table):
    """The lines after title and heading."""
    lines = []
    for i, row in enumerate(table["rows"]):
        lines += [table_row(table, row, i + 1), *stack_lines(row)]
    lines += left_out(table)
    for row in table["rest"]:
        lines += [table_row(table, row, 0), *stack_lines(row)]
    return lines


# ---- diff -------------------------------------------------------------------------------


def number(words, unit):
    """A number of the table, with separators; times in milliseconds."""
    digits = words.replace(",", "").lstrip("+")
    return int(digits.replace(".", "")) if unit == "ns" else int(digits)


def diff_rows(lines, unit):
    """(old, new, change in us or the unit, what the change column says, name) of each row."""
    rows = []
    for line in lines:
        if line.startswith(("\t", "...")):
            continue
        columns = line[:47].split()
        rows.append((*[number(word, unit) for word in columns], line[48:57].strip(), line[58:]))
    return rows


def rounded(value, unit):
    return value // 1000 if unit == "ns" else value


STATUS = {"appeared": "new", "vanished": "gone"}


def json_rows(table, unit):
    for row in table["rows"]:
        change = rounded(abs(row["change"]), unit) * (-1 if row["change"] < 0 else 1)
        yield rounded(row["old"], unit), rounded(row["new"], unit), change, row


def check_diff_table(table, lines, unit):
    rows = diff_rows(lines, unit)
    assert len(rows) == len(table["rows"])
    for (old, new, change, row), shown in zip(json_rows(table, unit), rows):
        assert (old, new, change, row["name"]) == (*shown[:3], shown[4])
        if row["status"] in STATUS:
            assert shown[3] == STATUS[row["status"]]
        else:
            assert shown[3].endswith("%")
    assert [line for line in lines if line.startswith("...")] == left_out(table)


# ---- verdicts ---------------------------------------------------------------------------


def verdict(found):
    lines = []
    titles = {"calls": "calls", "allocated-bytes": "allocated bytes"}
    for measure in found["measures"]:
        line = (f"{titles[measure['of']]}: {measure['compared_percent']:5.2f}% of {measure['total']}"
                f" compared, in {measure['contexts']} contexts: {measure['grew']} grew,"
                f" {measure['shrank']} shrank")
        within = measure["grew_within_budget"]
        lines.append(line + (f", {within} grew within their budgets" if within else ""))
    for rule in found["not_compared"]:
        lines.append(f"not compared: {rule['calls']} calls and {rule['bytes']} bytes by the rule "
                     f"{rule['pattern']}")
    for measure in found["measures"]:
        for row in measure["rows"]:
            budget = row.get("budget", {"pattern": "", "amount": 0, "is_percent": True})
            amount = f"+{budget['amount']}{'%' if budget['is_percent'] else ''}"
            of = f"{budget['pattern']} " if budget["pattern"] else ""
            assert row["change"] == row["new"] - row["old"]
            lines += ["", f"{titles[measure['of']]} grew by {row['change']}, from {row['old']} to "
                      f"{row['new']} (budget {of}{amount})", *[f"\t{name}" for name in row["stack"]]]
    return lines + (["passed: nothing grew"] if found["passed"]
                    else ["", "failed: see above what grew"])
