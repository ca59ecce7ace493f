"""Which calls are made to fail: one of each number where they are few, chosen ones where
they are many."""

import random
import struct
from dataclasses import dataclass

GROUPS = ["malloc", "write", "open", "mmap", "ftruncate", "ioctl", "pthread_create",
          "perf_event_open", "timer_create", "send", "read"]  # as in failing_calls.c
REPORT_BYTES = 65536
SITES_MAX = 1024
EACH_UP_TO = 50  # numbers that are all taken
SPREAD = 20  # and so many of those above, evenly


@dataclass(frozen=True)
class Point:
    jdk: str
    mode: str
    call: str
    at: int
    onward: bool

    @property
    def key(self):
        return "/".join([self.jdk, self.mode, self.call, str(self.at),
                         "onward" if self.onward else "once"])


@dataclass
class Report:
    """What the preloaded library counted."""
    counts: dict
    fired: int
    place: int
    sites: list  # (first call, last call) of each place that allocates

    @classmethod
    def read(cls, data):
        numbers = struct.unpack(f"<{len(GROUPS) + 2 + 3 * SITES_MAX}Q",
                                data[:8 * (len(GROUPS) + 2 + 3 * SITES_MAX)])
        count = len(GROUPS)
        rows = zip(*[iter(numbers[count + 2:])] * 3)
        return cls(dict(zip(GROUPS, numbers[:count])), numbers[count], numbers[count + 1],
                   [(first, last) for place, first, last in rows if place])


def _numbers(count, sites):
    """Numbers of the calls to fail, of a group of count calls."""
    chosen = set(range(1, min(count, EACH_UP_TO) + 1))
    if count > EACH_UP_TO:
        chosen.update(count * step // SPREAD for step in range(1, SPREAD + 1))
    for first, last in sites:
        chosen.update({first, (first + last) // 2, last})
    return sorted(number for number in chosen if 1 <= number <= count)


def all_points(jdk, mode, report, denied=""):
    """Of each group except the denied one each number, once, and from it on; where calls are
    many, from the first of each site on and from spread ones."""
    points = []
    for call in GROUPS:
        if call == denied:
            continue
        count = report.counts[call]
        sites = report.sites if call == "malloc" else []
        points += [Point(jdk, mode, call, at, False) for at in _numbers(count, sites)]
        if call == "malloc":
            onward = {first for first, _ in sites} | {
                count * step // SPREAD for step in range(1, SPREAD + 1)}
        else:
            onward = _numbers(count, [])
        points += [Point(jdk, mode, call, at, True) for at in sorted(onward) if at >= 1]
    return points


def sample(points, count, seed):
    """count of the points: as many of each call of each mode as of the others."""
    chance = random.Random(seed)
    strata = {}
    for point in points:
        strata.setdefault((point.mode, point.call), []).append(point)
    waiting = list(strata.values())
    for stratum in waiting:
        chance.shuffle(stratum)
    chosen = []
    while waiting and len(chosen) < count:
        chance.shuffle(waiting)
        chosen += [stratum.pop() for stratum in waiting]
        waiting = [stratum for stratum in waiting if stratum]
    return chosen[:count]
