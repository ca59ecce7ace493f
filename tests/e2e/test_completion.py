"""Completion of the hprof command: the words that bash offers, and that both shells know every
subcommand and option."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from support.builds import ROOT
from support.command import LIMIT_S, subcommands

COMPLETIONS = ROOT / "completions"
pytestmark = [pytest.mark.any_jvm,
              pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")]

# What readline does: it calls the function that complete registered for the command.
SCRIPT = r"""
source "$1"
registered=$(complete -p hprof) || exit 1
[[ $registered == *"-F _hprof "* ]] || exit 2
COMP_LINE=$2 COMP_POINT=${#2}
_hprof 2>/dev/null
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
"""


def complete(line, directory=ROOT):
    done = subprocess.run(["bash", "--norc", "-c", SCRIPT, "-", COMPLETIONS / "hprof.bash", line],
                          capture_output=True, text=True, timeout=LIMIT_S, cwd=directory, check=False)
    assert done.returncode == 0 and done.stderr == "", (done.returncode, done.stderr)
    return done.stdout.splitlines()


def agent_options():
    """Those that the agent's help lists: name to values, None where any value goes."""
    table = (ROOT / "src" / "options" / "option_table.c").read_text()
    options = {}
    for row in re.findall(r"\{\.name = \"(.*?)\}", table, re.DOTALL):
        name = row.split('"', 1)[0]
        if "SECTION_NONE" in row or "SECTION_OBSOLETE" in row:
            continue
        values = re.search(r'\.values = "(.*?)"', row).group(1)
        options[name] = values.split("|") if "|" in values else None if values else []
    assert len(options) > 20, options
    return options


def test_bash_offers_every_subcommand():
    assert sorted(complete("hprof ")) == sorted(subcommands())


def test_bash_offers_the_options_of_each_subcommand():
    for name, options in subcommands().items():
        if options and name != "--version":
            assert sorted(complete(f"hprof {name} -")) == sorted(options), name


def test_bash_offers_every_option_of_the_agent_and_its_values():
    for name, values in agent_options().items():
        if name == "stop":
            assert complete("hprof attach 1 sto") == ["stop"]
            assert complete("hprof run sto") == []
        elif values == []:
            assert name in complete(f"hprof run {name}")
        else:
            assert f"{name}=" in complete(f"hprof run {name}")
            if values is not None:
                assert complete(f"hprof run {name}=") == values


def test_bash_completes_the_last_of_several_options():
    # What follows the last = is replaced, so the candidates begin there.
    assert complete("hprof run cpu=samples,dep") == ["samples,depth="]
    assert complete("hprof attach 1 depth=30,cpu=t") == ["times"]
    assert complete("hprof run cpu=times,include=a,inc") == ["a,include="]
    assert "samples,cpu=" not in complete("hprof run cpu=samples,")


def test_bash_completes_files(tmp_path):
    (tmp_path / "main file.hprof").touch()
    for line in ("hprof report ma", "hprof check ma", "hprof report --flame -o ma",
                 "hprof run cpu=samples,file=ma", "hprof run cpu=samples -- java ma",
                 "hprof run -o ma", "hprof attach -o ma", "hprof attach --libpath ma"):
        assert complete(line, tmp_path) == ["main file.hprof"], line
    assert complete(f"hprof listen unix:{tmp_path}/ma") == [f"{tmp_path}/main file.hprof"]


def test_bash_offers_modes():
    modes = re.findall(r"\.word = \"(\w+)\"",
                       (ROOT / "src" / "session" / "profile_modes.c").read_text())
    assert len(modes) == 7
    for line in ("hprof run -e ", "hprof attach -d 30 -e "):
        assert complete(line) == modes, line
    assert complete("hprof attach 4711 -e al") == ["alloc"]
    assert (COMPLETIONS / "_hprof").read_text().count(f":mode:({' '.join(modes)})'") == 2


def test_bash_counts_words_that_are_no_options():
    assert complete("hprof run -e cpu -o a.txt dep") == ["depth="]
    assert complete("hprof run -e cpu -o a.txt depth=1 ") == ["--"]
    assert complete("hprof run -o a.txt -- ja") == ["java"]
    assert complete("hprof attach -d 30 4711 sto") == ["stop"]


def test_bash_leaves_java_its_own_words():
    assert complete("hprof run cpu=samples ") == ["--"]
    assert complete("hprof run cpu=samples -- ja") == ["java"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_bash_offers_running_jvms(tmp_path):
    """HotSpot's files are stood in for: a process that lives, and one that does not."""
    script = (COMPLETIONS / "hprof.bash").read_text()
    assert "/tmp/hsperfdata_*/" in script
    directory = tmp_path / "hsperfdata_me"
    directory.mkdir()
    (directory / str(os.getpid())).touch()
    (directory / "4194305").touch()  # above the highest process ID of Linux
    (directory / "notes").touch()
    changed = tmp_path / "hprof.bash"
    changed.write_text(script.replace("/tmp/hsperfdata_*/", f"{tmp_path}/hsperfdata_*/"))
    done = subprocess.run(["bash", "--norc", "-c", SCRIPT, "-", changed, "hprof attach "],
                          capture_output=True, text=True, timeout=LIMIT_S, check=True)
    assert done.stdout.split() == [str(os.getpid())]


def test_zsh_knows_every_subcommand_and_option():
    text = (COMPLETIONS / "_hprof").read_text()
    assert text.startswith("#compdef hprof\n")
    for name, options in subcommands().items():
        assert f"'{name}:" in text, name
        for option in options:
            assert re.search(rf"[)'*]{option}\[", text), (name, option)
    for name, values in agent_options().items():
        assert re.search(rf"['*\"]{name}\[", text), name
        if values and name != "format":
            assert re.search(rf"{name}\[[^\]]*\]:\w+:\({' '.join(values)}\)", text), name


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_can_parse_its_file():
    subprocess.run(["zsh", "-n", COMPLETIONS / "_hprof"], timeout=LIMIT_S, check=True)
