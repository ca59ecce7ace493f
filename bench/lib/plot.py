"""The picture of a measurement: a group of dots for each program, a colour for each column. The
column of another agent under the same options has the same colour, and rings in place of dots."""

import math
from html import escape

from lib.contestants import BEFORE
from lib.report import MEAN, spreads

COLOURS = ["#1f5fa8", "#b33a1e", "#2c7a3f", "#7a3f9d", "#a86f00", "#007c86", "#b0306a", "#4d4d4d",
           "#5a6b00", "#3a3fb0", "#8a4b2a", "#006d4f"]
TICKS = [0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000]
DOT = 4
LINE = 11  # of one column of a program
GAP = 10  # between programs
LABELS = 120
PANEL = 420
MARGIN = 20
TITLE = 30
LEGEND_LINE = 18
LEGEND_COLUMN = 270
AXIS = 30


class Scale:
    """Places on a logarithmic axis."""

    def __init__(self, low, high, width):
        """From the last tick that is not above low to the first that is not below high."""
        first = max((tick for tick in TICKS if tick <= low), default=TICKS[0])
        last = min((tick for tick in TICKS if tick >= high), default=TICKS[-1])
        self.ticks = [tick for tick in TICKS if first <= tick <= last]
        self.low = min(low, first)
        self.high = max(high, last, self.low * 1.1)
        self.width = width

    def place(self, value):
        """Of a value."""
        return math.log(value / self.low) / math.log(self.high / self.low) * self.width


def words(x, y, said, anchor="start", more=""):
    """Words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(said)}</text>'


def line(x1, y1, x2, y2, colour, width=1):
    """A line."""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"/>')


def _legend(columns, width):
    """The columns with their colours; the lines and their height."""
    per_line = max(1, width // LEGEND_COLUMN)
    parts = []
    for place, column in enumerate(columns):
        x = MARGIN + place % per_line * LEGEND_COLUMN
        y = TITLE + MARGIN + place // per_line * LEGEND_LINE
        parts.append(_dot(x + DOT, y - 4, columns, column, "/>"))
        parts.append(words(x + 3 * DOT, y, column))
    return parts, -(-len(columns) // per_line) * LEGEND_LINE


def _agents_own(column):
    return column.removesuffix(f" {BEFORE}")


def _colour(columns, column):
    colours = list(dict.fromkeys(map(_agents_own, columns)))
    return COLOURS[colours.index(_agents_own(column)) % len(COLOURS)]


def _dot(x, y, columns, column, end):
    colour = _colour(columns, column)
    fill = colour if column == _agents_own(column) else "#fff"
    return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" fill="{fill}" stroke="{colour}" '
            f'stroke-width="1.5"{end}')


def _panel(jdk, rows, columns, cells, scale, top):
    """Dots of one JDK, from the left edge of the axis on."""
    height = len(rows) * (len(columns) * LINE + GAP)
    parts = [words(0, top - 8, f"JDK {jdk}", more=' font-weight="bold"')]
    for tick in scale.ticks:
        x = scale.place(tick)
        parts.append(line(x, top, x, top + height, "#555" if tick == 1 else "#ccc"))
        parts.append(words(x, top + height + 16, f"{tick:g}", "middle"))
    for number, row in enumerate(rows):
        y = top + number * (len(columns) * LINE + GAP)
        parts.append(line(0, y, scale.width, y, "#ddd"))
        for place, column in enumerate(columns):
            cell = cells.get((jdk, row, column))
            if cell is None:
                continue
            middle = y + GAP / 2 + (place + 0.5) * LINE
            parts.append(line(scale.place(cell.low), middle, scale.place(cell.high), middle,
                              _colour(columns, column), 2))
            said = escape(f"{row}, {column}: {cell.median:.2f}")
            parts.append(_dot(scale.place(cell.median), middle, columns, column,
                              f"><title>{said}</title></circle>"))
    return parts


def plot_svg(result):
    """The time of the runs of a result as SVG."""
    cells = spreads(result["runs"], "seconds")
    jdks = [jdk["version"] for jdk in result["jdks"]]
    rows = [name for name in [*result["programs"], MEAN] if any(key[1] == name for key in cells)]
    columns = result["columns"]
    ends = [end for cell in cells.values() for end in (cell.low, cell.high)]
    scale = Scale(min(ends, default=1), max(ends, default=1), PANEL)
    width = MARGIN + LABELS + len(jdks) * (PANEL + 2 * MARGIN)
    legend, legend_height = _legend(columns, width - 2 * MARGIN)
    top = TITLE + MARGIN + legend_height + 24
    group = len(columns) * LINE + GAP
    height = top + len(rows) * group + AXIS + MARGIN
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
             'fill="#111">', f'<rect width="{width}" height="{height}" fill="#fff"/>',
             words(MARGIN, MARGIN + 4, "Time as a multiple of that without the agent: median, and "
                   "range of the pairs", more=' font-size="15"'), *legend]
    for number, row in enumerate(rows):
        parts.append(words(MARGIN + LABELS - 10, top + (number + 0.5) * group + 4, row, "end"))
    for number, jdk in enumerate(jdks):
        left = MARGIN + LABELS + number * (PANEL + 2 * MARGIN)
        parts.append(f'<g transform="translate({left} 0)">')
        parts += _panel(jdk, rows, columns, cells, scale, top)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>\n"])
