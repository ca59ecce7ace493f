"""Reads profile.proto, the format of pprof, from its bytes: the wire format of protobuf and the
field numbers of the published format, without its library.

    profile = pprof_reader.read(open("cpu.pb.gz", "rb").read())
    profile.stacks("cpu")
"""

import gzip
from collections import Counter
from dataclasses import dataclass, field

_VARINT, _BYTES = 0, 2
_PACKED = ("location_ids", "values", "comments")
_REPEATED = (*_PACKED, "types", "samples", "locations", "functions", "strings", "lines", "labels")


class PprofError(Exception):
    """The file breaks the format."""


def _check(good, *words):
    if not good:
        raise PprofError(*words)


def _varint(data, at):
    value = shift = 0
    while True:
        _check(at < len(data) and shift < 64, "varint", at)
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def _fields(data):
    """(number, wire type, value) of each field of a message."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        _check(number > 0 and wire in (_VARINT, _BYTES), "tag", tag)
        value, at = _varint(data, at)
        if wire == _BYTES:
            _check(at + value <= len(data), "length", value)
            value, at = data[at:at + value], at + value
        yield number, wire, value


def _message(data, **names):
    """A dict of the fields name=number."""
    result = {name: [] if name in _REPEATED else 0 for name in names}
    by_number = {number: name for name, number in names.items()}
    for number, wire, value in _fields(data):
        _check(number in by_number, "unknown field", number)
        name = by_number[number]
        if name not in _REPEATED:
            result[name] = value if wire == _BYTES else _signed(value)
        elif wire == _VARINT:
            result[name].append(_signed(value))
        elif name in _PACKED:
            at = 0
            while at < len(value):
                one, at = _varint(value, at)
                result[name].append(_signed(one))
        else:
            result[name].append(value)
    return result


@dataclass
class Sample:
    frames: list  # of (function name, file name, line), innermost first
    values: list
    labels: dict


@dataclass
class Profile:
    types: list = field(default_factory=list)  # of (type, unit)
    samples: list = field(default_factory=list)
    comments: list = field(default_factory=list)
    time_nanos: int = 0
    duration_nanos: int = 0
    period_type: object = None
    period: int = 0
    default_type: str = ""

    def stacks(self, name):
        """The stacks, outermost first, with the sums of their values of that type."""
        at = [kind for kind, _ in self.types].index(name)
        stacks = Counter()
        for sample in self.samples:
            if sample.values[at] != 0:
                stacks[tuple(frame[0] for frame in reversed(sample.frames))] += sample.values[at]
        return stacks


def read(data):
    _check(data[:2] == b"\x1f\x8b", "not compressed")
    raw = _message(gzip.decompress(data), types=1, samples=2, locations=4, functions=5, strings=6,
                   time_nanos=9, duration_nanos=10, period_type=11, period=12, comments=13,
                   default=14)
    strings = [text.decode("utf-8", "strict") for text in raw["strings"]]
    _check(strings[0] == "", "first string", strings[0])

    def text(number):
        _check(0 <= number < len(strings), "string", number)
        return strings[number]

    def value_type(message):
        fields = _message(message, type=1, unit=2)
        return text(fields["type"]), text(fields["unit"])

    functions = {}
    for message in raw["functions"]:
        fields = _message(message, id=1, name=2, filename=4)
        _check(fields["id"] > 0 and fields["id"] not in functions, "function", fields["id"])
        functions[fields["id"]] = text(fields["name"]), text(fields["filename"])
    locations = {}
    for message in raw["locations"]:
        fields = _message(message, id=1, lines=4)
        _check(fields["id"] > 0 and fields["id"] not in locations, "location", fields["id"])
        [line] = [_message(line, function_id=1, line=2) for line in fields["lines"]]
        locations[fields["id"]] = *functions[line["function_id"]], line["line"]

    profile = Profile([value_type(message) for message in raw["types"]])
    for message in raw["samples"]:
        fields = _message(message, location_ids=1, values=2, labels=3)
        _check(len(fields["values"]) == len(profile.types), "values", fields["values"])
        labels = [_message(label, key=1, str=2) for label in fields["labels"]]
        profile.samples.append(Sample([locations[number] for number in fields["location_ids"]],
                                      fields["values"],
                                      {text(one["key"]): text(one["str"]) for one in labels}))
    profile.comments = [text(number) for number in raw["comments"]]
    profile.time_nanos, profile.duration_nanos = raw["time_nanos"], raw["duration_nanos"]
    profile.period_type = value_type(raw["period_type"]) if raw["period_type"] != 0 else None
    profile.period = raw["period"]
    profile.default_type = text(raw["default"])
    return profile
