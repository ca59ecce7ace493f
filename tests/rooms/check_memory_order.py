#!/usr/bin/env python3
"""Checks the table of who orders memory how: check_memory_order.py DOCUMENT SRC

The section "Memory order" of the document has a table whose first column names units of SRC (a
unit is a .c file and the header of the same name): `room/unit`, or `unit` in all rooms, or
`unit.member`. Reports, with file and line, each unit that uses atomic operations or fences and that
the table does not name; and, with the table's line, each unit or member that is no longer there.
"""

import argparse
import pathlib
import re
import sys

HEADING = "## Memory order"
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
ATOMIC = re.compile(r"\b(_Atomic|atomic_\w+|memory_order_\w+|__atomic_\w+|__sync_\w+"
                    r"|ATOMIC_\w+|Interlocked\w+|MemoryBarrier)\b")
NAME = re.compile(r"`([^`]+)`")


def unit_of(path):
    return path.rpartition(".")[0]


def texts(src):
    """File and text of each source, without comments and strings, with all lines."""
    for path in sorted(path for suffix in "ch" for path in src.rglob(f"*.{suffix}")):
        text = NO_CODE.sub(lambda match: "\n" * match[0].count("\n"), path.read_text())
        yield path.relative_to(src).as_posix(), text


def table_names(document):
    """(line number, unit, member or "") of each name in the table's first column."""
    inside = False
    for number, line in enumerate(document.read_text().splitlines(), 1):
        if line.startswith("## "):
            inside = line == HEADING
        elif inside and line.startswith("|"):
            for name in NAME.findall(line.split("|")[1]):
                yield number, *name.partition(".")[::2]


def is_named(unit, name):
    return f"/{unit}".endswith(f"/{name}")


def stale(document, units):
    for number, name, member in table_names(document):
        of_name = [text for unit, text in units.items() if is_named(unit, name)]
        if not of_name:
            yield f"{document}:{number}: no unit {name}"
        elif not any(re.search(rf"\b{re.escape(member)}\b", text) for text in of_name):
            yield f"{document}:{number}: {name} has no {member}"


def check(document, src):
    units, first_use = {}, {}
    for file, text in texts(src):
        unit = unit_of(file)
        units[unit] = units.get(unit, "") + text
        match = ATOMIC.search(text)
        if match:
            line = text.count("\n", 0, match.start()) + 1
            first_use.setdefault(unit, f"{src}/{file}:{line}: {match[0]}")
    names = [name for _, name, _ in table_names(document)]
    if not names:
        return [f"{document}: no table in \"{HEADING}\""]
    return [f"{use}, but {document}, \"{HEADING[3:]}\", does not name {unit}"
            for unit, use in first_use.items()
            if not any(is_named(unit, name) for name in names)] + list(stale(document, units))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("src", type=pathlib.Path)
    arguments = parser.parse_args()
    faults = check(arguments.document, arguments.src)
    print("\n".join([*faults, f"memory order of {arguments.src}: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
