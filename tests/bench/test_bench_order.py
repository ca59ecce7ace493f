"""In which order runs take turns."""

from collections import Counter

from lib.order import around_none, turns


def runs_of(rounds, columns, runs_on=lambda column, jdk: True):
    return list(turns(rounds, columns, ["p", "q"], [17, 25], runs_on))


def test_two_columns_are_around_one_run_without_an_agent():
    assert around_none(["a", "b"], 0) == ["a", None, "b"]
    assert around_none(["a", "b"], 1) == ["b", None, "a"]


def test_a_last_column_is_in_a_pair_in_alternating_order():
    assert around_none(["a"], 0) == ["a", None]
    assert around_none(["a"], 1) == [None, "a"]


def test_each_column_runs_once_in_each_round_on_each_jdk():
    found = Counter((turn.round, turn.program, turn.jdk, column)
                    for turn in runs_of(3, ["a", "b", "c"]) for column in turn.columns if column)
    assert len(found) == 3 * 2 * 2 * 3
    assert set(found.values()) == {1}


def test_each_run_with_a_column_is_next_to_the_one_without():
    for turn in runs_of(4, ["a", "b", "c", "d", "e"]):
        none = turn.columns.index(None)
        assert all(abs(place - none) == 1 for place, column in enumerate(turn.columns) if column)


def test_programs_and_jdks_take_turns_within_a_group_of_columns():
    order = [(turn.program, turn.jdk) for turn in runs_of(1, ["a", "b", "c"])]
    assert order == 2 * [("p", 17), ("p", 25), ("q", 17), ("q", 25)]


def test_a_column_is_left_out_where_it_cannot_run():
    found = runs_of(1, ["a", "new"], lambda column, jdk: column != "new" or jdk >= 25)
    assert {turn.jdk: turn.columns for turn in found} == {17: ["a", None], 25: ["a", None, "new"]}
