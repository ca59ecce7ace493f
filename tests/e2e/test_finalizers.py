"""A class whose finalize() is empty has no finalizers for the JVM, under the agent, too
(EmptyFinalizer.java)."""

import pytest

from support.checks import check
from support.times_checks import calls_of

OBJECTS = 1000


@pytest.mark.parametrize("options", ["cpu=times,cutoff=0", "cpu=times,msa=y", "cpu=old", "heap=sites",
                                     "heap=sites,live=n", "cpu=samples"])
def test_an_empty_finalizer_stays_none(run_java, options):
    run = run_java("EmptyFinalizer", options, OBJECTS)
    truth = run.truth
    check(truth["unfinalized.collected"] == OBJECTS, run, "objects were kept for a finalizer")
    check(truth["finalized.collected"] == 0, run, "one collection collected finalized objects")
    check(truth["finalized"] == OBJECTS, run, "finalizers did not run")


def test_finalizers_that_do_something_are_counted(run_java):
    run = run_java("EmptyFinalizer", "cpu=times,cutoff=0", OBJECTS)
    profile = run.profile()
    for method, count in (("EmptyFinalizer$Finalized.finalize", OBJECTS),
                          ("EmptyFinalizer$Disabled.finalize", 0),
                          ("EmptyFinalizer$Disabled.<init>", OBJECTS)):
        check(calls_of(profile, method) == count, run, f"{calls_of(profile, method)} calls of {method}")
