"""Tests of check_rooms.py, on small trees of sources."""

import pathlib
import subprocess
import sys

import pytest

CHECK = pathlib.Path(__file__).with_name("check_rooms.py")
RULES = """
low:
middle: low <jvmti.h>   # comment
high:   middle/door.h low
"""
SOURCES = {
    "low/verbs.h": "",
    "low/verbs.c": '#include "low/verbs.h"\n#include <stdio.h>\n',
    "middle/door.h": '#include <jvmti.h>\n#include "low/verbs.h"\n',
    "middle/room.h": "",
    "high/user.c": '#include "middle/door.h"\n#include "low/verbs.h"\n',
}


def run(tmp_path, rules=RULES, changes=None):
    """Exit code and lines of the check of SOURCES with changes."""
    for name, text in {**SOURCES, **(changes or {})}.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "rules").write_text(rules)
    done = subprocess.run([sys.executable, CHECK, "rules", "src"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_a_tree_that_keeps_the_rules_passes(tmp_path):
    assert run(tmp_path) == (0, ["rooms of src: 0 faults"], "")


FAULTS = {
    "up": ({"low/verbs.c": '\n#include "middle/room.h"\n'},
           "src/low/verbs.c:2: may not include middle/room.h"),
    "another header of a room": ({"high/user.c": '#  include  "middle/room.h"\n'},
                                 "src/high/user.c:1: may not include middle/room.h"),
    "a header of the JVM": ({"high/user.c": "#include <jvmti.h>\n"},
                            "src/high/user.c:1: may not include <jvmti.h>"),
    "a header's include": ({"low/verbs.h": '#include "high/own.h"\n', "high/own.h": ""},
                           "src/low/verbs.h:1: may not include high/own.h"),
    "in a directory below": ({"low/deep/er.c": '#include "high/own.h"\n', "high/own.h": ""},
                             "src/low/deep/er.c:1: may not include high/own.h"),
    "a room without a line": ({"cellar/wine.c": ""},
                              "src/cellar: the rules have no line for this room"),
    "a circle": ({"low/a.h": '#include "low/b.h"\n', "low/b.c": '#include "low/a.h"\n',
                  "low/b.h": ""}, "circle of units: low/a low/b"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_fails_the_check_and_is_named(tmp_path, name):
    changes, line = FAULTS[name]
    assert run(tmp_path, changes=changes) == (1, [line, "rooms of src: 1 faults"], "")


def test_a_circle_may_be_listed(tmp_path):
    changes = {"low/a.h": '#include "low/b.h"\n', "low/b.h": '#include "low/a.h"\n'}
    assert run(tmp_path, RULES + "circle: low/b low/a\n", changes)[0] == 0


def test_a_listed_circle_that_is_gone_fails(tmp_path):
    assert run(tmp_path, RULES + "circle: low/b low/a\n")[1][0] == \
        "listed circle that is none: low/a low/b"


@pytest.mark.parametrize("room, code", [("middle", 0), ("high", 1)])
def test_a_header_may_be_for_some_rooms_only(tmp_path, room, code):
    changes = {f"{room}/user.c": '#include "low/engine.h"\n', "low/engine.h": "",
               "low/engine.c": '#include "low/engine.h"\n'}
    assert run(tmp_path, RULES + "only: low/engine.h middle\n", changes)[0] == code


# No unit includes a header of another: the includes show nothing of this.
OBJECT_FAULTS = {
    "none": ({}, None),
    "a circle": ({"low/a.c": "int b(void); int a(void) { return b(); }",
                  "low/b.c": "int a(void); int b(void) { return a(); }"},
                 "circle of object files: low/a low/b"),
    "by data": ({"low/a.c": "extern int b; int *a(void) { return &b; }",
                 "low/b.c": "int *a(void); int b; int c(void) { return *a(); }"},
                "circle of object files: low/a low/b"),
    "of three": ({"low/a.c": "int b(void); int a(void) { return b(); }",
                  "low/b.c": "int c(void); int b(void) { return c(); }",
                  "low/c.c": "int a(void); int c(void) { return a(); }"},
                 "circle of object files: low/a low/b low/c"),
    "up": ({"low/a.c": "int b(void); int a(void) { return b(); }",
            "high/b.c": "int b(void) { return 1; }"},
           "src/low/a.c: may not use b of high/b"),
    "another's static": ({"low/a.c": "int b(void); int a(void) { return b(); }",
                          "low/b.c": "static int a(void) { return 1; } int b(void) { return a(); }"},
                         None),
}


def run_objects(tmp_path, changes, rules=RULES):
    run(tmp_path, rules, changes)
    for name in changes:
        target = tmp_path / "objects" / name.replace(".c", ".o")
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", "-O0", "-c", "-o", target, tmp_path / "src" / name], check=True)
    done = subprocess.run([sys.executable, CHECK, "--objects", "objects", "rules", "src"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("name", OBJECT_FAULTS)
def test_what_object_files_use_is_checked(tmp_path, name):
    changes, fault = OBJECT_FAULTS[name]
    changes = {"middle/own.c": "int own(void) { return 1; }", **changes}
    expected = (0, ["rooms of src: 0 faults"]) if fault is None else \
        (1, [fault, "rooms of src: 1 faults"])
    assert run_objects(tmp_path, changes) == expected


def test_a_listed_circle_of_includes_permits_that_of_object_files(tmp_path):
    run(tmp_path, changes={"low/a.h": '#include "low/b.h"\n', "low/b.h": '#include "low/a.h"\n'})
    changes, _ = OBJECT_FAULTS["a circle"]
    assert run_objects(tmp_path, changes, RULES + "circle: low/b low/a\n") == \
        (0, ["rooms of src: 0 faults"])


def test_a_directory_without_object_files_fails(tmp_path):
    (tmp_path / "objects").mkdir()
    assert run_objects(tmp_path, {}) == \
        (1, ["objects: no object file of src", "rooms of src: 1 faults"])


@pytest.mark.parametrize("line, fault", [
    ("attic: roof\n", "attic names roof, which no line above has"),
    ("low: \n", "low has a line already"),
    ("only: cellar/wine.h low\n", "no line above has cellar/wine.h"),
    ("nothing\n", 'should be "room: what it may include"'),
])
def test_a_wrong_line_of_the_rules_fails(tmp_path, line, fault):
    code, lines, _ = run(tmp_path, RULES + line)
    assert code == 1
    assert lines[0] == f"rules:5: {fault}"
