"""What Jython runs in the benchmark: records and strings, a solver of one-way constraints, queens
on a board, and words of a generated text. Prints sums, which are the same in every run. Imports
sys alone; Python 2.7 and 3."""

import sys


class Record(object):
    """One of two that refer to each other."""

    def __init__(self, following=None, kind=0, number=0, text=""):
        self.following = following
        self.kind = kind
        self.number = number
        self.text = text

    def copy(self):
        return Record(self.following, self.kind, self.number, self.text)


def change(record, step):
    """Copies a record into the one that it refers to, and changes both."""
    following = record.following
    record.following = record.copy()
    record.number = (record.number + 5 + step) % 1009
    following.number = record.number
    following.kind = (record.kind + 1) % 3
    if following.kind == 0:
        following.text = record.text[1:] + record.text[:1]
    record.following = following
    return following


def records(rounds):
    numbers = [[row * column % 17 for column in range(50)] for row in range(50)]
    first = Record(Record(), 0, 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    total = 0
    for step in range(rounds):
        following = change(first, step)
        row = numbers[step % 50]
        row[step % 50] = row[(step + 1) % 50] + following.number % 7
        if first.text > following.text:
            first.text = following.text + first.text[0]
        total = (total + row[step % 50] * following.number + len(first.text)) % 1000003
        first.text = first.text[:26]
    return total


class Variable(object):
    """A value with the constraints that it feeds, and the one that determines it."""

    def __init__(self, value):
        self.value = value
        self.feeds = []
        self.determined_by = None


class Scale(object):
    """target = source * factor + offset"""

    def __init__(self, source, factor, offset, target):
        self.source = source
        self.factor = factor
        self.offset = offset
        self.target = target
        source.feeds.append(self)
        target.determined_by = self

    def execute(self):
        self.target.value = (self.source.value * self.factor + self.offset) % 65521


class Equal(Scale):
    """target = source"""

    def __init__(self, source, target):
        Scale.__init__(self, source, 1, 0, target)

    def execute(self):
        self.target.value = self.source.value


def plan_from(variable):
    """The constraints to execute after a change of the variable, in order."""
    plan, todo = [], list(variable.feeds)
    while todo:
        constraint = todo.pop()
        plan.append(constraint)
        todo.extend(constraint.target.feeds)
    return plan


def constraints(rounds):
    first = last = Variable(1)
    ends = []
    for number in range(120):
        target = Variable(0)
        if number % 3:
            Equal(last, target)
        else:
            Scale(last, number + 2, 7, target)
        branch = Variable(0)
        Scale(target, 3, number, branch)
        ends.append(branch)
        last = target
    total = 0
    for step in range(rounds):
        first.value = step
        for constraint in plan_from(first):
            constraint.execute()
        total = (total + sum([end.value for end in ends])) % 1000003
    return total


def queens(size, row=0, columns=0, left=0, right=0):
    """Number of ways to put the queens of the rows that are left."""
    if row == size:
        return 1
    count = 0
    for column in range(size):
        bit = 1 << column
        if not (columns & bit or left & (1 << (row + column))
                or right & (1 << (row - column + size))):
            count += queens(size, row + 1, columns | bit, left | (1 << (row + column)),
                            right | (1 << (row - column + size)))
    return count


def words(count):
    """Counts the words of a generated text, and sorts them by their numbers."""
    syllables = ["ka", "to", "mi", "re", "sun", "lo", "pa", "dre", "vi", "no"]
    state, text = 1, []
    for _ in range(count):
        state = (state * 69069 + 1) % 4294967296
        number = state // 65536
        text.append(syllables[number % 10] + syllables[number // 10 % 10]
                    + syllables[number // 1000 % 3])
    counts = {}
    for word in " ".join(text).split(" "):
        counts[word] = counts.get(word, 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(["%s %d" % pair for pair in ranked[:8]])


def main():
    rounds = int(sys.argv[1])
    for turn in range(rounds):
        print("%d %d %d %d %s" % (turn, records(40000), constraints(150), queens(7),
                                  words(20000)))


main()
