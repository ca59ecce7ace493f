"""JVMs that archive the classes of a program (CDS, AOT cache): they end as without the agent, and
the archive is as usable. HotSpot crashes in it where classes were rewritten."""

import subprocess
import zipfile

import pytest

from support.attach_target import DONE, REFUSED, Target
from support.checks import check

thorough = pytest.mark.thorough
LEFT_OUT = "no calls are counted: this JVM archives its classes ({}) and would crash"
AOT_CACHE = 25  # JDK 24 has it too
PROGRAMS = ("Hello", "Attached", "Truth")


@pytest.fixture(scope="session")
def program_jar(class_path, tmp_path_factory):
    """The programs as a jar: the JVM archives no classes of directories."""
    jar = tmp_path_factory.mktemp("jar") / "programs.jar"
    with zipfile.ZipFile(jar, "w") as written:
        for place in class_path:
            for path in place.glob("*.class"):
                if path.name.split(".")[0].split("$")[0] in PROGRAMS:
                    written.write(path, path.name)
    return jar


@pytest.fixture
def archived(java, program_jar):
    java.class_path = [program_jar]
    return java


def run_java(jdk, directory, *arguments):
    done = subprocess.run([jdk.java, *arguments], cwd=directory, capture_output=True, text=True,
                          input="end\n", timeout=120, check=False)
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


def check_usable(run, program_jar, option, main="Hello"):
    """The program's class comes from the archive, and none of ours does."""
    loaded = run_java(run.jdk, run.directory, option, "-Xlog:class+load", "-cp", program_jar, main)
    check(f" {main} source: shared objects file" in loaded, run, f"{main} is not archived")
    check("Hprof" not in loaded, run, "the archive has a class of the agent")


@pytest.mark.parametrize("mode", [
    "cpu=times", pytest.param("cpu=old", marks=thorough),
    pytest.param("heap=sites,live=n", marks=thorough), pytest.param("cpu=samples", marks=thorough)])
def test_an_aot_configuration_is_recorded_as_without_the_agent(jdk, archived, program_jar, mode):
    if jdk.version < AOT_CACHE:
        pytest.skip("no AOT cache")
    run = archived.run("Hello", mode, java_opts=["-XX:AOTMode=record",
                                                 "-XX:AOTConfiguration=recorded"])
    run_java(jdk, run.directory, "-XX:AOTMode=create", "-XX:AOTConfiguration=recorded",
             "-XX:AOTCache=cache", "-cp", program_jar)
    check_usable(run, program_jar, "-XX:AOTCache=cache")
    left_out = LEFT_OUT.format("-XX:AOTMode=record")
    said = [left_out in text for text in (run.stderr, *run.profile().notes)]
    check(sum(said) == (2 if mode in ("cpu=times", "cpu=old") else 0), run, f"said {said}")


@thorough
@pytest.mark.parametrize("mode", ["cpu=times", "cpu=samples"])
def test_an_aot_cache_is_written_as_without_the_agent(jdk, archived, program_jar, mode):
    if jdk.version < AOT_CACHE:
        pytest.skip("no AOT cache")
    run = archived.run("Hello", mode, java_opts=["-XX:AOTCacheOutput=cache"])
    check_usable(run, program_jar, "-XX:AOTCache=cache")


@pytest.mark.parametrize("option", ["-XX:ArchiveClassesAtExit=archive", pytest.param(
    "-XX:AOTCacheOutput=archive", marks=thorough)])
def test_an_attach_does_not_rewrite_classes_that_are_archived(jdk, archived, program_jar, option):
    name = option.split("=")[0]
    if jdk.version < (AOT_CACHE if "AOT" in name else 13):
        pytest.skip(f"no {name}")
    if not (jdk.home / "lib/server/classes.jsa").exists():
        pytest.skip("this JVM comes without the archive of its own classes")
    target = Target(archived, java_opts=[option])
    for mode, wanted in (("cpu=times", REFUSED), ("cpu=old", REFUSED), ("heap=sites,live=n", DONE),
                         ("stop", DONE), ("cpu=samples", DONE)):
        target.attach(mode if mode == "stop" else f"{mode},file={mode[:5]}", wanted)
        target.command("calls 1000")
    target.live.send_line("end")
    run = target.live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    check(run.stderr.count(LEFT_OUT.format(name)) == 2, run, "the refusal should say why")
    use = "-XX:AOTCache=archive" if "AOT" in name else "-XX:SharedArchiveFile=archive"
    check_usable(run, program_jar, use, "Attached")


def test_the_archive_of_the_jvm_s_own_classes_has_none_of_ours(jdk, archived):
    """Later JVMs refuse to write it with any agent."""
    later = jdk.version > 11
    run = archived.run("Hello", "cpu=times", exit_code=1 if later else 0,
                       java_opts=["-Xshare:dump", "-XX:SharedArchiveFile=archive"])
    if later:
        check("CDS dumping does not support native JVMTI agent" in run.stdout + run.stderr, run,
              "the JVM should refuse")
        return
    check(LEFT_OUT.format("-Xshare:dump") in run.stderr, run, "the agent should say why")
    archive = (run.directory / "archive").read_bytes()
    check(archive and b"HprofTracker" not in archive, run, "the archive is wrong")
