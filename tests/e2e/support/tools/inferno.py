"""inferno-flamegraph: the flame graph that it draws of collapsed stacks."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass

from support.command import LIMIT_S
from support.tools import fetched

_SVG = "{http://www.w3.org/2000/svg}"
_COST = "{http://github.com/jonhoo/inferno}"
_ROW_HEIGHT = 16


@dataclass
class Graph:
    total: int
    stacks: Counter  # of names, outermost first
    colours: dict    # of names: (red, green, blue)


def draw(data):
    done = subprocess.run([fetched("inferno/bin/inferno-flamegraph"), "--colors", "java", "--minwidth", "0"],
                          input=data, capture_output=True, check=False, timeout=LIMIT_S)
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    boxes = []
    for group in ElementTree.fromstring(done.stdout).iter(f"{_SVG}g"):
        title, box = group.find(f"{_SVG}title"), group.find(f"{_SVG}rect")
        if title is None:
            continue
        name = re.fullmatch(r"(.*) \([\d,]+ samples, [\d.]+%\)", title.text)[1]
        boxes.append((int(box.get("y")), int(box.get(f"{_COST}x")), int(box.get(f"{_COST}w")), name,
                      tuple(map(int, re.findall(r"\d+", box.get("fill"))))))
    return _graph(boxes)


def _graph(boxes):
    """The stack of a box is that of the box below it, its caller's, with its own name."""
    boxes.sort(key=lambda box: -box[0])
    assert boxes[0][3] == "all"
    stacks, colours = Counter(), {}
    rows = {boxes[0][0]: [(boxes[0][1], boxes[0][2], ())]}
    for y, start, width, name, colour in boxes[1:]:
        [below] = [stack for first, room, stack in rows[y + _ROW_HEIGHT]
                   if first <= start and start + width <= first + room]
        stack = (*below, name)
        rows.setdefault(y, []).append((start, width, stack))
        stacks[stack] += width
        if below:
            stacks[below] -= width
        colours[name] = colour
    return Graph(boxes[0][2], +stacks, colours)
