"""What the hprof command does with profiles that it can not read, or not to their end: it exits
with an error and one line that says why, and leaves no output that could be taken for that of the
whole profile. Needs neither a JDK nor the agent."""

import gzip
import subprocess

import pytest

from support import hostile_profiles as hostile
from support.builds import COMMAND
from support.live_run import TIMEOUT_S

pytestmark = pytest.mark.any_jvm

TEXT = (hostile.HEAD + hostile.EXACT + hostile.trace(300001, ["a.B.c(B.java:1)"])
        + hostile.times([(3, 300001, "a.B.c")]) + hostile.samples([(3, 300001, "a.B.c")])
        + hostile.sites([(8, 300001, "C"), (8, 300001, "D")], "allocated")).encode()
BINARY = bytes(hostile.binary_rows_of_one_trace(20))

# Name, contents, what the line says, and whether tables show the part that is whole.
UNREADABLE = {
    "text.cut": (TEXT[:-20], "the file ends inside", True),
    "dos.cut": (TEXT.replace(b"\n", b"\r\n")[:-20], "the file ends inside", True),
    "binary.cut": (BINARY[:-20], "offset", True),
    "text.gz": (gzip.compress(TEXT)[:-20], "unpacked bytes", None),
    "binary.gz": (gzip.compress(BINARY)[:-20], "unpacked bytes", None),
    "malformed": (TEXT.replace(b" 8 1 8 1 300001 D", b" eight"), "malformed row", True),
    "empty": (b"", "is not a profile", False),
    "another": (b"PK\3\4 another file", "is not a profile", False),
    "newer.text": (TEXT.replace(b"1.0.1", b"1.0.9", 1), "is a JAVA PROFILE 1.0.9", False),
    "newer.binary": (BINARY.replace(b"1.0.2", b"1.1.0", 1), "is a JAVA PROFILE 1.1.0", False),
    "missing": (None, "can't read", False),
}
COMMANDS = [
    *[("report", *options) for options in (
        (), ("--json",), ("--traces",), ("--tree",), ("--by", "class"), ("--threads",), ("--collapsed",),
        ("--flame",), ("-o", "x.txt"), ("-o", "x.collapsed"), ("-o", "x.svg"), ("-o", "x.html"),
        ("-o", "x.json"), ("-o", "x.firefox.json"), ("-o", "x.pb.gz"))],
    *[("diff", *options) for options in (
        (), ("--json",), ("-o", "x.txt"), ("-o", "x.collapsed"), ("-o", "x.svg"),
        ("-o", "x.html"))],
    ("check", "--json", "--baseline"), ("check", "--baseline"), ("check", "--junit", "x.xml", "--baseline"),
]


def hprof(directory, *arguments):
    return subprocess.run([COMMAND, *arguments], cwd=directory, capture_output=True, check=False,
                          timeout=TIMEOUT_S, text=True)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = tmp_path_factory.mktemp("unreadable")
    (directory / "good").write_bytes(TEXT)
    (directory / "good.binary").write_bytes(BINARY)
    for name, (contents, _, _) in UNREADABLE.items():
        if contents is not None:
            (directory / name).write_bytes(contents)
    return directory


def orders(command, name):
    """The files: a comparison reads it as the old profile, and as the new one."""
    if command[0] == "diff" or "--baseline" in command:
        return [(name, "good"), ("good", name)]
    return [(name,)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_output_is_taken_for_that_of_the_whole(directory, command):
    for name, (_, reason, shown) in UNREADABLE.items():
        for files in orders(command, name):
            for left in directory.glob("x.*"):
                left.unlink()
            done = hprof(directory, *command, *files)
            case = (command, files, done.returncode, done.stderr, done.stdout[-200:])
            assert done.returncode == (2 if "--baseline" in command else 1), case
            assert done.stderr.startswith("hprof: ") and done.stderr.count("\n") == 1, case
            assert name in done.stderr and reason in done.stderr, case
            outputs = [path.name for path in directory.glob("x.*")]
            tables = command[0] == "report" and command[-1] in ("x.txt", "report", "--traces", "--json")
            if not tables or not shown:
                assert tables or outputs == [], case
                continue
            text = (directory / "x.txt").read_text() if outputs else done.stdout
            assert "SAMPLES" in text, case


@pytest.mark.parametrize("name", ["binary.cut", "binary.gz", "empty", "another", "newer.binary"])
def test_the_check_fails(directory, name):
    done = hprof(directory, "check", name)
    assert done.returncode == 1 and done.stderr.count("\n") <= 1, (name, done)
    assert done.stderr or "error" in done.stdout, (name, done)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_of_whole_profiles_succeeds(directory, command):
    for left in directory.glob("x.*"):
        left.unlink()
    done = hprof(directory, *command, *orders(command, "good")[0])
    lines = done.stderr.splitlines()
    written = f"hprof: wrote {command[-1]}" if "-o" in command else None
    assert done.returncode == 0 and len(lines) == (written is not None), (command, done)
    assert written is None or lines[0].startswith(written)
    if "x." in command[-1] or "x.xml" in command:
        assert len(list(directory.glob("x.*"))) == 1
