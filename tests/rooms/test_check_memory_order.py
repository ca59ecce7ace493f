"""Tests of check_memory_order.py, on small trees of sources."""

import pathlib
import subprocess
import sys

import pytest

CHECK = pathlib.Path(__file__).with_name("check_memory_order.py")
TABLE = """# Inside

| `elsewhere` | of another section |

## Memory order

Text about `text_alone`.

| part | written |
|---|---|
| `ring`, `low/timer` | `head`, before `unlisted` |
| `flags.stopped` | |

## Later

| `later` |
"""
SOURCES = {
    "low/ring.c": "atomic_store_explicit(&head, 1, memory_order_release);\n",
    "low/timer.h": "struct timer { _Atomic int state; };\n",
    "high/flags.c": "\natomic_bool stopped;\n",
    "high/plain.c": '/* atomic_load() */ const char *text = "atomic_store"; // _Atomic\n',
}


def run(tmp_path, table=TABLE, changes=None):
    """Exit code and lines of the check of SOURCES with changes."""
    for name, text in {**SOURCES, **(changes or {})}.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "inside.md").write_text(table)
    done = subprocess.run([sys.executable, CHECK, "inside.md", "src"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_a_tree_whose_table_is_whole_passes(tmp_path):
    assert run(tmp_path) == (0, ["memory order of src: 0 faults"])


UNNAMED = {
    "an order": ("low/new.c", "\nx = atomic_load_explicit(&y, memory_order_relaxed);",
                 "src/low/new.c:2: atomic_load_explicit"),
    "a fence": ("low/new.c", "atomic_thread_fence(order);", "src/low/new.c:1: atomic_thread_fence"),
    "a declaration": ("low/new.h", "/*\n */\n_Atomic int x;", "src/low/new.h:3: _Atomic"),
    "one of the compiler": ("low/new.c", "__sync_synchronize();",
                            "src/low/new.c:1: __sync_synchronize"),
    "one of Windows": ("low/new.c", "InterlockedExchange(&x, 1);",
                       "src/low/new.c:1: InterlockedExchange"),
    "in a directory below": ("low/deep/er/new.c", "atomic_int x;",
                             "src/low/deep/er/new.c:1: atomic_int"),
    "the name in another section": ("low/elsewhere.c", "atomic_int x;",
                                    "src/low/elsewhere.c:1: atomic_int"),
    "the name after the section": ("low/later.c", "atomic_int x;",
                                   "src/low/later.c:1: atomic_int"),
    "the name in the text": ("low/text_alone.c", "atomic_int x;",
                             "src/low/text_alone.c:1: atomic_int"),
    "the name in another column": ("low/unlisted.c", "atomic_int x;",
                                   "src/low/unlisted.c:1: atomic_int"),
    "the name in another room": ("high/timer.c", "atomic_int x;", "src/high/timer.c:1: atomic_int"),
    "the end of a name": ("low/spring.c", "atomic_int x;", "src/low/spring.c:1: atomic_int"),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_a_unit_that_the_table_does_not_name_fails(tmp_path, name):
    file, text, use = UNNAMED[name]
    unit = file.rpartition(".")[0]
    assert run(tmp_path, changes={file: text}) == \
        (1, [f'{use}, but inside.md, "Memory order", does not name {unit}',
             "memory order of src: 1 faults"])


def test_a_unit_is_reported_once(tmp_path):
    code, lines = run(tmp_path, changes={"low/new.c": "atomic_int x;", "low/new.h": "atomic_int y;"})
    assert (code, len(lines)) == (1, 2)


@pytest.mark.parametrize("row, fault", [
    ("| `gone` |", "no unit gone"),
    ("| `high/ring` |", "no unit high/ring"),
    ("| `flags.running` |", "flags has no running"),
    ("| `flags.stop` |", "flags has no stop"),
])
def test_a_stale_name_of_the_table_fails(tmp_path, row, fault):
    assert run(tmp_path, TABLE.replace("| `flags", f"{row}\n| `flags", 1)) == \
        (1, [f"inside.md:12: {fault}", "memory order of src: 1 faults"])


def test_a_document_without_the_table_fails(tmp_path):
    code, lines = run(tmp_path, TABLE.replace("## Memory order", "## Memory"))
    assert code == 1
    assert lines[0] == 'inside.md: no table in "## Memory order"'
