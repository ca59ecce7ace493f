"""Reads profiles in the JSON formats of speedscope and of the Firefox Profiler, and checks what
these formats promise: columns of one length, indexes in their tables, times in order.

Both return a list of Thread.
"""

import json
from collections import Counter
from dataclasses import dataclass


@dataclass
class Thread:
    name: str
    unit: str
    samples: list  # of (stack of names, outermost first; weight)
    frames: set    # of (name, file or None, line or None)
    times: list    # of the samples; empty if the format has none

    def stacks(self):
        stacks = Counter()
        for stack, weight in self.samples:
            stacks[stack] += weight
        return stacks


def _load(data):
    """Strict: text must be UTF-8, and names in an object unique."""
    def unique(pairs):
        assert len(dict(pairs)) == len(pairs), [name for name, _ in pairs]
        return dict(pairs)
    return json.loads(data.decode("utf-8", "strict"), object_pairs_hook=unique)


def speedscope(data):
    top = _load(data)
    assert top["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert top["exporter"] == "hprof"
    frames = top["shared"]["frames"]
    assert all(set(frame) <= {"name", "file"} and frame["name"] != "" for frame in frames)
    assert len({frame["name"] for frame in frames}) == len(frames)
    threads = []
    for profile in top["profiles"]:
        assert set(profile) == {"type", "name", "unit", "startValue", "endValue", "samples",
                                "weights"}
        assert profile["type"] == "sampled" and profile["startValue"] == 0
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(isinstance(weight, int) and weight > 0 for weight in profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"]
        used = {number for stack in profile["samples"] for number in stack}
        assert all(0 <= number < len(frames) for number in used)
        samples = [(tuple(frames[number]["name"] for number in stack), weight)
                   for stack, weight in zip(profile["samples"], profile["weights"])]
        threads.append(Thread(profile["name"], profile["unit"], samples,
                              {(frames[number]["name"], frames[number].get("file"), None)
                               for number in used}, []))
    return threads


def _columns(table, *optional, **ranges):
    """Checks a table: name=range is that of a column's indexes, None for any values; columns that
    are optional may have null."""
    assert set(table) == {*ranges, "length"}, (set(table), set(ranges))
    for name, limit in ranges.items():
        assert len(table[name]) == table["length"], name
        for value in table[name]:
            assert limit is None or (value is None and name in optional) or value in limit, \
                (name, value)
    return table


def _firefox_thread(thread, strings, categories):
    texts = range(len(strings))
    funcs = _columns(thread["funcTable"], "fileName", name=texts, isJS=[False],
                     relevantForJS=[False], resource=[-1], fileName=texts, lineNumber=[None],
                     columnNumber=[None])
    frames = _columns(thread["frameTable"], "line", address=[-1], inlineDepth=[0],
                      category=range(categories), subcategory=[0], func=range(funcs["length"]),
                      nativeSymbol=[None], innerWindowID=[0], line=range(1, 1 << 31),
                      column=[None])
    stacks = _columns(thread["stackTable"], "prefix", frame=range(frames["length"]),
                      prefix=range(thread["stackTable"]["length"]))
    paths = []
    for frame, prefix in zip(stacks["frame"], stacks["prefix"]):
        assert prefix is None or prefix < len(paths), "a prefix must come before its stack"
        name = strings[funcs["name"][frames["func"][frame]]]
        paths.append((*(paths[prefix] if prefix is not None else ()), name))
    assert len(set(zip(stacks["frame"], stacks["prefix"]))) == stacks["length"]

    samples = dict(thread["samples"])
    unit = samples.pop("weightType")
    _columns(samples, stack=range(stacks["length"]), time=None, weight=None)
    assert all(weight > 0 for weight in samples["weight"])
    assert samples["time"] == sorted(samples["time"]) and min(samples["time"], default=0) >= 0
    files = [None if number is None else strings[number] for number in funcs["fileName"]]
    return Thread(thread["name"], unit,
                  [(paths[stack], weight)
                   for stack, weight in zip(samples["stack"], samples["weight"])],
                  {(strings[funcs["name"][func]], files[func], line)
                   for func, line in zip(frames["func"], frames["line"])}, samples["time"])


def firefox(data):
    top = _load(data)
    meta = top["meta"]
    assert meta["preprocessedProfileVersion"] == 56 and meta["interval"] > 0
    assert [one["color"] for one in meta["categories"]].count("grey") == 1
    strings = top["shared"]["stringArray"]
    assert all(isinstance(text, str) for text in strings)
    for thread in top["threads"]:
        for table in ("markers", "resourceTable", "nativeSymbols"):
            assert thread[table]["length"] == 0
    tids = [thread["tid"] for thread in top["threads"]]
    assert len(set(tids)) == len(tids)
    return [_firefox_thread(thread, strings, len(meta["categories"])) for thread in top["threads"]]
