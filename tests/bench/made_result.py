"""A result of bench/suite.py whose tables are known."""

COLUMNS = ["cpu=samples", "heap=sites <&>"]
PROGRAMS = {"h2": "1.0", "http": "the JDK's"}


def run(turn, program, jdk, column, seconds, **more):
    """One run's record."""
    return {"turn": turn, "round": 0, "program": program, "jdk": jdk, "column": column,
            "load": 0.1, "seconds": seconds, "wall": seconds, "user": seconds, "system": 0.0,
            "cpu": seconds, "rss_mb": 100.0, **more}


def made_result():
    """Two programs on two JDKs: h2 takes 1.1, 1.2 and 1.4, and 4 times as long, http 4 times."""
    runs = []
    for jdk in (17, 25):
        for ratio in (1.4, 1.1, 1.2):
            turn = len(runs)
            runs += [run(turn, "h2", jdk, COLUMNS[0], 10 * ratio), run(turn, "h2", jdk, None, 10.0),
                     run(turn, "h2", jdk, COLUMNS[1], 40.0)]
        turn = len(runs)
        runs += [run(turn, "http", jdk, None, 5.0, p99_ms=2.0),
                 run(turn, "http", jdk, COLUMNS[1], 20.0, p99_ms=5.0)]
    return {"form": 1, "machine": {}, "agents": {}, "size": "full", "pairs": 3, "columns": COLUMNS,
            "programs": PROGRAMS, "jdks": [{"version": 17, "runtime": "17.0.1+1"},
                                           {"version": 25, "runtime": "25+1"}],
            "unavailable": {}, "failures": [], "runs": runs}
