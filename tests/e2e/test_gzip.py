"""file=NAME.gz: the same profile, compressed, and readable whenever the JVM is killed."""

import gzip
import os
import signal
import subprocess
import zlib

import pytest

from support.checks import check, check_cpu, samples

pytestmark = pytest.mark.any_jvm


def gunzip(run):
    """The file by gzip(1), which must find it whole, and by zlib; both the same."""
    shown = subprocess.run(["gzip", "-dc", run.output], capture_output=True, check=False)
    check(shown.returncode == 0 and not shown.stderr, run, f"gzip says {shown.stderr!r}")
    check(gzip.decompress(run.output.read_bytes()) == shown.stdout, run, "zlib reads another file")
    return shown.stdout


@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.asan),
                                     pytest.param("b", marks=pytest.mark.thorough)])
def test_a_gz_name_compresses(run_java, format_):
    run = run_java("Burn", f"cpu=samples,cutoff=0,depth=16,format={format_},file=x.gz", 700)
    data = gunzip(run)
    profile = run.parse(data)
    check(len(profile.sections) == 1, run, f"{len(profile.sections)} sections, should be 1")
    check_cpu(run, "Burn.work", samples(profile, "Burn.work"), run.truth["work.cpu_ns"])
    check(run.output.stat().st_size < len(data) * 0.7, run,
          f"{run.output.stat().st_size} bytes of {len(data)}")
    check(run.output.stat().st_mode & 0o777 == 0o600, run, "mode is not 600")


def test_without_the_gz_nothing_is_compressed(run_java):
    run = run_java("Hello", "cpu=samples,file=x.gzip")
    check(run.output.read_bytes().startswith(b"JAVA PROFILE"), run, "compressed")


def test_force_n_compresses_by_the_name_that_was_given(java, tmp_path):
    (tmp_path / "x.gz").write_text("precious")
    run = java.run("Hello", "cpu=samples,force=n,file=x.gz", directory=tmp_path)
    check((tmp_path / "x.gz").read_text() == "precious", run, "the old file was touched")
    run.parse(gzip.decompress((tmp_path / "x.gz.1").read_bytes()))


@pytest.mark.asan
def test_a_pipe_gets_it_compressed_too(java, tmp_path):
    fifo = tmp_path / "pipe.gz"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    run = java.run("Hello", "cpu=samples,file=pipe.gz", directory=tmp_path)
    data = b"".join(iter(lambda: os.read(reader, 65536), b""))
    os.close(reader)
    run.parse(gzip.decompress(data))


@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.thorough),
                                     pytest.param("b", marks=pytest.mark.asan)])
def test_a_killed_jvm_leaves_a_whole_file_with_the_samples_up_to_a_second_before(java, format_):
    live = java.start("Phases", f"cpu=samples,cutoff=0,depth=8,format={format_},file=x.gz", 400)
    live.wait_stdout("over=6")
    live.signal(signal.SIGKILL)
    run = live.finish()
    check(run.exit_code == -signal.SIGKILL, run, "the test failed to kill it")
    profile = run.parse(gunzip(run))
    for number in range(4):  # over for 1.2 s and more
        check_cpu(run, f"phase{number}", samples(profile, f"Phases.phase{number}"),
                  run.truth[f"phase{number}.cpu_ns"])


def test_a_file_cut_anywhere_gives_all_members_before_the_cut(run_java):
    run = run_java("ManyThreads", "cpu=samples,format=b,file=x.gz", 300, 50, 1000, 1000)
    packed = run.output.read_bytes()
    whole = gzip.decompress(packed)
    for length in range(0, len(packed), max(1, len(packed) // 200)):
        unpacked, rest = b"", packed[:length]
        while rest:
            member = zlib.decompressobj(31)
            unpacked += member.decompress(rest)
            rest = member.unused_data if member.eof else b""
        check(whole.startswith(unpacked), run, f"cut at {length}")
