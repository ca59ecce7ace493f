#!/usr/bin/env python3
"""Checks which room (directory) of src/ includes which: check_rooms.py RULES SRC

Reports, with file and line, each include that RULES does not allow; each directory of SRC
without a rule; each circle of units (a unit is a .c file and the header of the same name)
that RULES does not list; and each listed circle that is gone. With --objects, the same of what
the object files of SRC use of one another, as the linker sees it: a header that declares what
several units define hides no circle then. With --table, prints the rooms with their files and
lines instead.
"""

import argparse
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'\s*#\s*include\s+(?:"(?P<own>[^"]+)"|(?P<system><[^>]+>))')


class Rules:
    """The rules file: rooms in order with what they may include, headers for some rooms only, and
    permitted circles."""

    def __init__(self, path):
        self.allowed = {}
        self.only = {}
        self.circles = set()
        self.faults = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            name, colon, rest = line.partition("#")[0].partition(":")
            name, words = name.strip(), rest.split()
            if not name:
                continue
            if not colon or " " in name:
                self.faults.append(f"{path}:{number}: should be \"room: what it may include\"")
            elif name == "circle":
                self.circles.add(frozenset(words))
            elif name == "only":
                self.add_only(f"{path}:{number}", words)
            else:
                self.add_room(f"{path}:{number}", name, words)
        self.system = {word for words in self.allowed.values() for word in words if word[0] == "<"}

    def add_room(self, place, room, words):
        if room in self.allowed:
            self.faults.append(f"{place}: {room} has a line already")
        for word in words:
            if word[0] != "<" and word.split("/")[0] not in self.allowed:
                self.faults.append(f"{place}: {room} names {word}, which no line above has")
        self.allowed[room] = frozenset(words)

    def add_only(self, place, words):
        self.faults += [f"{place}: no line above has {word}" for word in words
                        if word.split("/")[0] not in self.allowed]
        self.only[words[0]] = frozenset(words[1:])

    def permits(self, room, included):
        """Whether a file of the room may include that: a path in src, or <header>."""
        if included[0] == "<":
            return included not in self.system or included in self.allowed.get(room, ())
        other = included.split("/")[0]
        if other == room:
            return True
        return (bool({other, included} & self.allowed.get(room, frozenset()))
                and room in self.only.get(included, {room}))

    def permits_room(self, room, other):
        """Whether it may include anything of the other."""
        return other == room or other in {word.split("/")[0] for word in self.allowed.get(room, ())}


def unit_of(path):
    return path.rpartition(".")[0]


def sources(src):
    return sorted(path for suffix in "ch" for path in src.rglob(f"*.{suffix}"))


def includes(src):
    """(file, line number, included) of each include: a path in src, or <header>."""
    for path in sources(src):
        file = path.relative_to(src).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and (match["system"] or (src / match["own"]).is_file()):
                yield file, number, match["system"] or match["own"]


def symbols_of(objects):
    """Unit, symbol and nm's type of each symbol that the linker joins object files by."""
    names = {str(path): unit for unit, path in objects.items()}
    done = subprocess.run(["nm", "-A", "-P", *names], capture_output=True,
                          text=True, check=True)
    for line in done.stdout.splitlines():
        file, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        if kind.isupper():
            yield names[file], symbol, kind


def uses_of(objects):
    """By unit, the units that define a symbol that its object file does not, and that symbol."""
    defined, undefined = {}, []
    for unit, symbol, kind in symbols_of(objects):
        if kind == "U":
            undefined.append((unit, symbol))
        else:
            defined[symbol] = unit
    uses = {}
    for unit, symbol in undefined:
        if symbol in defined:
            uses.setdefault(unit, {}).setdefault(defined[symbol], symbol)
    return uses


def check_objects(rules, src, objects):
    """Faults of the object files in the directory that have a source in src."""
    found = {path.relative_to(objects).with_suffix("").as_posix(): path
             for path in sorted(objects.rglob("*.o"))}
    found = {unit: path for unit, path in found.items() if (src / f"{unit}.c").is_file()}
    if not found:
        return [f"{objects}: no object file of {src}"]
    uses = uses_of(found)
    faults = [f"{src}/{unit}.c: may not use {symbol} of {other}"
              for unit, others in sorted(uses.items()) for other, symbol in sorted(others.items())
              if not rules.permits_room(unit.split("/")[0], other.split("/")[0])]
    return faults + sorted("circle of object files: " + " ".join(sorted(circle))
                           for circle in circles_of(uses)
                           if not any(circle <= listed for listed in rules.circles))


def circles_of(graph):
    """Sets of units that reach each other."""
    def reached_from(start):
        reached, waiting = set(), [start]
        while waiting:
            for unit in graph.get(waiting.pop(), ()):
                if unit not in reached:
                    reached.add(unit)
                    waiting.append(unit)
        return reached

    reached = {unit: reached_from(unit) for unit in graph}
    return {frozenset(other for other in reached[unit] if unit in reached.get(other, ()))
            for unit in graph if unit in reached[unit]}


def check(rules, src):
    faults = list(rules.faults)
    graph = {}
    for room in sorted(path.name for path in src.iterdir() if path.is_dir()):
        if room not in rules.allowed:
            faults.append(f"{src}/{room}: the rules have no line for this room")
    for file, number, included in includes(src):
        if not rules.permits(file.split("/")[0], included):
            faults.append(f"{src}/{file}:{number}: may not include {included}")
        if included[0] != "<" and unit_of(included) != unit_of(file):
            graph.setdefault(unit_of(file), set()).add(unit_of(included))
    circles = circles_of(graph)
    faults += sorted("circle of units: " + " ".join(sorted(circle))
                     for circle in circles - rules.circles)
    faults += sorted("listed circle that is none: " + " ".join(sorted(circle))
                     for circle in rules.circles - circles)
    return faults


def print_table(rules, src):
    print(f"{'room':<10} {'files':>5} {'lines':>6}  may include")
    for room, allowed in rules.allowed.items():
        files = sources(src / room)
        lines = sum(len(path.read_text().splitlines()) for path in files)
        print(f"{room:<10} {len(files):>5} {lines:>6}  {' '.join(sorted(allowed))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--objects", type=pathlib.Path)
    parser.add_argument("rules", type=pathlib.Path)
    parser.add_argument("src", type=pathlib.Path)
    arguments = parser.parse_args()
    rules = Rules(arguments.rules)
    if arguments.table:
        print_table(rules, arguments.src)
        return 0
    faults = check(rules, arguments.src)
    if arguments.objects:
        faults += check_objects(rules, arguments.src, arguments.objects)
    print("\n".join([*faults, f"rooms of {arguments.src}: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
