"""The ways to load the agent at start-up, and that the program behaves the same with it."""

import pytest

from support.checks import check, check_cpu, check_same_output, samples


@pytest.mark.parametrize("how", [pytest.param("agentpath", marks=pytest.mark.asan), "agentlib",
                                 pytest.param("tool_options", marks=pytest.mark.asan)])
def test_the_agent_loads(run_java, how):
    run = run_java("Hello", "cpu=samples", how=how)
    check(run.stdout.startswith("line 0 of stdout"), run, "the program did not run")
    check(len(run.profile().sections) == 1, run, "one section wanted")


def test_the_agent_loads_by_xrun_where_the_jvm_has_it(run_java):
    run = run_java("Hello", "cpu=samples", how="xrun", exit_code=None)
    said = run.stdout + run.stderr
    if run.exit_code and ("Unrecognized option" in said or "-Xrun" in said):
        pytest.skip("this JVM has no -Xrun any more: " + said.splitlines()[0])
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    check(len(run.profile().sections) == 1, run, "one section wanted")


@pytest.mark.parametrize("options", [
    "cpu=samples", "cpu=samples,interval=1,depth=64", "cpu=samples,engine=clock",
    "cpu=samples,format=b,thread=y"])
def test_a_program_s_own_output_is_the_same_with_and_without(run_java, options):
    plain = run_java("Hello", None)
    run = run_java("Hello", options + ",verbose=n")
    check_same_output(run, plain)


def test_verbose_y_is_the_default_and_prints_on_stderr_only(run_java):
    plain = run_java("Hello", None)
    run = run_java("Hello", "cpu=samples")
    check_same_output(run, plain, streams=("stdout",))
    check(len(run.agent_lines) == 2, run,
          "one line at the start and one for the dump wanted")


def test_a_sleeping_program_is_not_disturbed_and_costs_no_samples(run_java):
    """The timers' signals must not end sleeps early, and sleep is no CPU time. A timer of perf does not
    run while the system switches to the thread and from it, which is a part of these short turns: a
    sample comes up to two intervals of CPU time after the last one, and what is more than a whole one
    is carried over. So up to three are those of what runs next."""
    run = run_java("SleepThenExit", "cpu=samples,interval=1,cutoff=0,depth=8", 1500, "clock")
    check("slept" in run.truth, run, "the program did not sleep to its end")
    check_cpu(run, "nap", samples(run.profile(), "SleepThenExit.nap"), run.truth["nap.cpu_ns"],
              unknown=3)


@pytest.mark.any_jvm
def test_two_jvms_at_once_with_force_n_keep_out_of_each_other_s_way(java, tmp_path):
    first = java.start("Burn", "cpu=samples,force=n", 300, directory=tmp_path)
    second = java.start("Burn", "cpu=samples,force=n", 300, directory=tmp_path)
    runs = [first.finish(), second.finish()]
    files = sorted(tmp_path.iterdir())
    check(len(files) == 2, runs[1], f"two files wanted: {[p.name for p in files]}")
    for path in files:
        check(len(runs[0].profile(path).sections) == 1, runs[0], f"{path.name}: one section wanted")


@pytest.mark.thorough
def test_two_jvms_at_once_with_percent_p_have_a_file_each(java, tmp_path):
    lives = [java.start("Burn", "cpu=samples,file=%p.txt", 300, directory=tmp_path)
             for _ in range(2)]
    for live in lives:
        run = live.finish()
        path = tmp_path / f"{run.truth['pid']}.txt"
        check(len(run.profile(path).sections) == 1, run, "one section wanted")


@pytest.mark.emulated
@pytest.mark.asan
def test_the_exit_code_is_the_program_s(run_java):
    run_java("Burn", "cpu=samples", 50, 42, exit_code=42)
