"""Failed tests: how runners of tests record them, and what the checks make of a record.

HPROF_CHECK_FAILURES names a directory. Each runner of tests (support/run.sh, pytest by
pytest_failures.py, the drivers in faults and stress) writes two files into it for a failed test:

    NAME.sh     runs that test again, alone, from anywhere: environment, directory, command
    NAME.txt    the test's name on the first line, then all that it printed

It then ends with exit code 0: whoever has set the variable judges. Without the variable, runners
end with an exit code as ever.
"""

import os
import re
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "HPROF_CHECK_FAILURES"
REASON_MOST = 200  # characters of a reason, in a line of the summary

# What is never run again, as chance is no excuse for it, in order of precedence.
FINAL = [(kind, re.compile(pattern, re.M)) for kind, pattern in (
    ("sanitizer", r"(Address|Thread|Leak|UndefinedBehavior)Sanitizer\b|: runtime error: "),
    ("crash", r"fatal error has been detected by the Java Runtime|\bhs_err_pid"
              r"|[Rr]eceived signal \d+|\bSIG(SEGV|BUS|ILL|FPE|ABRT|SYS)\b|Segmentation fault"
              r"|core dumped|Unhandled (page fault|exception)|uncaught target signal"
              r"|(\bexit code |\breturncode=|^E +assert \(?)-(4|6|7|8|11|31)\b"
              r"|\bexit code (13[2456]|139|159)\b|: dead: |^worker '\w+' crashed"),
    ("hang", r"still running after|Test timeout expired|takes too long|\bended after \d+ s"
             r"|\bTimeoutExpired\b|: hung: |was not answered"),
    ("output", r"the program's output differs|: other output: |\bexit code -?\d+, should be"),
)]

# Where a test's own words of its failure are: the first line of the first kind that there is.
REASONS = [re.compile(pattern, re.M) for pattern in (
    r"^E +(?:\w*Error: |\w*Exception: |Failed: )?(.*\S)",     # pytest, an assertion
    r"^[^\s:]+\.[ch]:\d+:[FE]:[^:]*:([^:]*):\d+: (.*\S)",      # Check: the test, and its words
    r"^([^\s:]+\.[ch]:\d+: .*\S)",                             # ports/check
    r"^(?!\[gw\d+\] )(.*\S)",                                 # xdist begins with the worker's name
)]


@dataclass
class Failure:
    """A failed test."""
    test: str
    text: str
    again: Path  # the script that runs it again

    @property
    def kind(self):
        """Of FINAL, or None: it may have failed by chance."""
        return kind_of(self.text)

    @property
    def reason(self):
        """In one line."""
        return reason_of(self.text)


def _said(text):
    """The text without the lines of source code in a traceback of pytest."""
    return "\n".join(line for line in text.splitlines() if not line.startswith((" ", ">", "\t")))


def kind_of(text):
    said = _said(text)
    return next((kind for kind, pattern in FINAL if pattern.search(said)), None)


def reason_of(text):
    """The line that says why: of a final kind its evidence, else the test's own words."""
    said = _said(text)
    for kind, pattern in FINAL[:2]:
        if found := pattern.search(said):
            line = said[said.rfind("\n", 0, found.start()) + 1:].split("\n", 1)[0]
            return _one_line(f"{kind}: {line}")
    for pattern in REASONS:
        if found := pattern.search(said):
            return _one_line(": ".join(found.groups()))
    return "no words"


def _one_line(text):
    text = " ".join(text.split())
    return text if len(text) <= REASON_MOST else text[:REASON_MOST - 3] + "..."


def are_recorded():
    """Whether runners record failed tests, for others to judge."""
    return bool(os.environ.get(VARIABLE))


def record(test, text, command, directory):
    """Writes the two files of a failed test: command, a list of words, runs it again."""
    where = Path(os.environ[VARIABLE])
    handle, path = tempfile.mkstemp(".txt", _file_name(test), where)
    with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{test}\n{text}\n")
    lines = [f"export {name}={shlex.quote(value)}" for name, value in sorted(os.environ.items())
             if re.fullmatch(r"\w+", name) and name != VARIABLE and not name.startswith("PYTEST_")]
    lines += [f"cd {shlex.quote(str(directory))} || exit", f"exec {shlex.join(map(str, command))}"]
    Path(path).with_suffix(".sh").write_text("\n".join(lines) + "\n", encoding="utf-8",
                                             errors="surrogateescape")


def _file_name(test):
    return re.sub(r"\W+", "_", test)[-80:].strip("_") + "."


def read(directory):
    """The failures that were recorded there, by name of the test."""
    found = []
    for path in directory.glob("*.txt"):
        test, _, text = path.read_text(encoding="utf-8", errors="replace").partition("\n")
        found.append(Failure(test, text, path.with_suffix(".sh")))
    return sorted(found, key=lambda failure: failure.test)
