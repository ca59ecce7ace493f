"""Classes that others redefine and retransform: while a profile runs, and after it has ended, the
program runs the code that it would run without the agent. The attached modes rewrite classes."""

import functools
import os
import struct
import zipfile

import pytest

from support.attach_target import Target
from support.builds import compile_here
from support.checks import check
from support.times_checks import calls_of

BASE = 7_000_000_000
CALLS = 3  # of Versioned.version by the command version
thorough = pytest.mark.thorough
MODES = ["cpu=times,cutoff=0", pytest.param("heap=sites,live=n", marks=thorough)]

# A method that is full: no mode can add code to it.
FULL = """
class Versioned extends VersionedSuper {{
    static long version() {{
        int i = 0;
        {fill}
        return new long[] {{7_000_000_070L}}[0] + i;
    }}
}}
"""
STEP = "i++; i--;"  # six bytes
FILL = 10_916


def write_versions(directory, class_path, jdk):
    """Class files of Versioned, each named by its number."""
    (path,) = [found for place in class_path if (found := place / "Versioned.class").exists()]
    first = path.read_bytes()
    ten = struct.pack(">q", BASE + 10)
    assert first.count(ten) == 1
    for number in range(20, 70, 10):
        changed = first.replace(ten, struct.pack(">q", BASE + number))
        (directory / str(number)).write_bytes(changed)
    compile_here(jdk, directory / "full", {"Versioned.java": FULL.format(fill=STEP * FILL)}, 11,
                 os.pathsep.join(map(str, class_path)))
    (directory / "full" / "Versioned.class").rename(directory / "70")


@pytest.fixture(scope="session")
def versions(class_path, tmp_path_factory):
    """versions(jdk): a directory with the versions, and a jar that names the agent."""
    @functools.cache
    def make(jdk):
        directory = tmp_path_factory.mktemp("versions")
        write_versions(directory, class_path, jdk)
        with zipfile.ZipFile(directory / "agent.jar", "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n"
                         "Premain-Class: Redefined\nCan-Redefine-Classes: true\n"
                         "Can-Retransform-Classes: true\n")
        return directory
    return make


@pytest.fixture
def program(jdk, java, versions):
    given = versions(jdk)
    directory = java.directory / "redefined"
    directory.mkdir()
    for number in range(20, 80, 10):
        (directory / str(number)).symlink_to(given / str(number))
    # Otherwise jcmd asks for it by SIGQUIT, again if the JVM is slow; one that comes when it has its
    # answer makes the JVM print its threads.
    listens = "-XX:+StartAttachListener"
    return Target(java, main="Redefined", directory=directory,
                  java_opts=[f"-javaagent:{given / 'agent.jar'}", listens])


def shows(program, wanted, when):
    program.command("version")
    seen = program.number("did version")
    if seen != wanted:
        program.live.kill()
    check(seen == wanted, program.live.run, f"{when}: version {seen} runs, it is {wanted}")


def follow(program, steps):
    """Each step is a command, or "attach OPTIONS", "stop", or the version that runs now."""
    done = []
    for step in steps:
        if isinstance(step, int):
            shows(program, step, " / ".join(done))
        elif step == "stop" or step.startswith("attach "):
            program.attach(step.removeprefix("attach "))
        else:
            program.command(step)
        done.append(str(step))


@pytest.mark.parametrize("mode", [*MODES, pytest.param("cpu=old", marks=thorough)])
def test_a_redefined_class_keeps_its_newest_version(program, mode):
    options = [f"{mode},file={name}" for name in "ab"]
    follow(program, [
        "redefine 20", f"attach {options[0]}", 20, "redefine 30", 30, "redefine 40", 40,
        "retransform", 40, "stop", 40, "retransform", 40, "redefine 50", 50, "retransform", 50,
        f"attach {options[1]}", 50, "redefine 60", "redefine 20", 20, "stop", 20,
        "retransform", 20])
    program.end()
    if mode.startswith("cpu=times"):
        for options, shown in zip(options, (4, 2)):
            seen = calls_of(program.profile(options), "Versioned.version")
            check(seen == CALLS * shown, program.live.run, f"{options}: {seen} calls counted")


@pytest.mark.parametrize("mode", MODES)
def test_a_redefinition_that_fails_changes_nothing(program, mode):
    follow(program, [
        f"attach {mode},file=a", "fail 20", 10, "super", "stop", 10,
        "redefine 30", "fail 20", "super", f"attach {mode},file=b", 30, "fail 40", "stop", 30,
        "fail 50", "super", "retransform", 30])
    program.end()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("first", ["theirs", "ours"])
def test_another_agent_s_transformer_has_its_effect_on_the_newest_version(jdk, program, mode,
                                                                           first):
    if jdk.version == 11 and "heap" in mode:
        pytest.skip("nothing is rewritten, and the JVM alone brings the old version back")
    attach = f"attach {mode},file=a"
    follow(program, [*(["transformer", attach] if first == "theirs" else [attach, "transformer"]),
                     "mark 1", "retransform", 11, "redefine 20", 21, "stop", 21,
                     "redefine 30", 31, "retransform", 31, f"attach {mode},file=b", 31,
                     "retransform", 31, "redefine 40", 41, "stop", 41])
    program.end()


@pytest.mark.parametrize("first", ["theirs", "ours"])
def test_a_transformer_that_changes_nothing_does_not_bring_old_code_back(program, first):
    attach = "attach cpu=times,file=a"
    follow(program, [*(["transformer", attach] if first == "theirs" else [attach, "transformer"]),
                     "redefine 20", 20, "mark 0", "retransform", 20, "stop", 20,
                     "retransform", 20, "redefine 30", "retransform", 30])
    program.end()


def test_other_agents_keep_changing_classes_that_we_never_rewrote(program):
    follow(program, ["transformer", "attach cpu=times,include=java.util.*,file=a", "redefine 20",
                     20, "mark 1", "retransform", 21, "stop", 21, "mark 2", "retransform", 22])
    program.end()


@pytest.mark.parametrize("mode", MODES)
def test_a_version_that_cannot_be_rewritten_stays(program, mode):
    follow(program, [f"attach {mode},file=a", "redefine 70", 70, "stop", 70,
                     f"attach {mode},file=b", 70, "retransform", 70, "redefine 20", 20,
                     "redefine 70", "stop", 70])
    program.end()
