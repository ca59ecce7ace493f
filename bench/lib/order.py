"""In which order runs with and without the agent take turns.

One run without the agent is the partner of the run right before it and of the one right after it:
columns come in groups of two with that run in between, and the two change places in every other
round. No run of a pair is ever further from its partner than the next run.
"""

from collections import namedtuple

# A group of runs, one right after the other: columns, and None for the run without the agent.
Turn = namedtuple("Turn", "round program jdk columns")


def in_turn(runs, number):
    """The runs of one group, the other way round in every other one."""
    return runs[::-1] if number % 2 else runs


def groups(columns):
    """The columns two by two; the last may be alone."""
    return [columns[first:first + 2] for first in range(0, len(columns), 2)]


def around_none(group, number):
    """The runs of a group in the round of that number."""
    return in_turn([group[0], None, *group[1:]], number)


def turns(rounds, columns, programs, jdks, runs_on=lambda column, jdk: True):
    """All turns. Within a round, groups of columns take turns, and for each of them programs and
    JDKs, so that a slow change of the machine touches all of them alike. runs_on: whether a
    column can run on a JDK."""
    for number in range(rounds):
        for place in range((len(columns) + 1) // 2):
            for program in programs:
                for jdk in jdks:
                    possible = groups([column for column in columns if runs_on(column, jdk)])
                    if place < len(possible):
                        yield Turn(number, program, jdk, around_none(possible[place], number))
