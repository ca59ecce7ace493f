"""Batik, which draws generated pictures: paths, gradients, patterns, masks and filters. No text,
which would need the fonts of the machine."""

import math
import random

from lib.programs.program import FULL, SMALL, Program, digest_of_files
from lib.programs.xmlgraphics import BATIK, SHARED, class_path
from lib.workplace import WORK

SEED = 1
PICTURES = {FULL: 5, SMALL: 1}
SIDE = 1000
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}"
 xmlns:xlink="http://www.w3.org/1999/xlink"><defs>
<radialGradient id="light"><stop offset="0" stop-color="#fff"/>
<stop offset="1" stop-color="#2060a0"/></radialGradient>
<pattern id="grid" width="14" height="14" patternUnits="userSpaceOnUse">
<path d="M0 0L14 14M14 0L0 14" stroke="#703010"/></pattern>
<filter id="soft"><feGaussianBlur stdDeviation="6"/><feOffset dx="5" dy="5" result="shadow"/>
<feMerge><feMergeNode in="shadow"/><feMergeNode in="SourceGraphic"/></feMerge></filter>
<filter id="cloud"><feTurbulence baseFrequency="0.02" numOctaves="4"/>
<feComposite operator="in" in2="SourceGraphic"/></filter>
</defs>
"""
FILLS = ["url(#light)", "url(#grid)", "#208040", "#c0c020", "none"]


def blob(chance):
    """A closed curve."""
    x, y = chance.uniform(0, SIDE), chance.uniform(0, SIDE)
    size, corners = chance.uniform(20, 140), chance.randint(4, 14)
    points = []
    for corner in range(corners * 2):
        angle, radius = math.pi * corner / corners, size * chance.uniform(0.5, 1)
        points.append(f"{x + radius * math.cos(angle):.2f} {y + radius * math.sin(angle):.2f}")
    return f"M{points[0]}Q" + " ".join([*points[1:], points[0]]) + "Z"


def picture(number):
    """The same picture for the same number."""
    chance = random.Random(SEED + number)
    parts = [HEAD]
    for shape in range(250):
        effect = {0: ' filter="url(#soft)"', 20: ' filter="url(#cloud)"'}.get(shape % 40, "")
        parts.append(f'<path d="{blob(chance)}" fill="{chance.choice(FILLS)}" stroke="#102030" '
                     f'stroke-width="{chance.uniform(0.5, 4):.2f}" '
                     f'opacity="{chance.uniform(0.4, 1):.2f}"{effect}/>\n')
    return "".join([*parts, "</svg>\n"])


class Batik(Program):
    """The pictures as PNG files."""

    name = "batik"
    version = BATIK.version

    def prepare(self, jdks):
        class_path(SHARED)
        for size, count in PICTURES.items():
            directory = self._directory(size)
            directory.mkdir(parents=True, exist_ok=True)
            for number in range(count):
                (directory / f"{number}.svg").write_text(picture(number), encoding="ascii")

    @staticmethod
    def _directory(size):
        return WORK / f"pictures-{size}"

    def arguments(self, size):
        return ["-Djava.awt.headless=true", "-cp", class_path(SHARED),
                "org.apache.batik.apps.rasterizer.Main", "-scriptSecurityOff", "-m", "image/png",
                "-d", ".", *[str(self._directory(size) / f"{number}.svg")
                             for number in range(PICTURES[size])]]

    def digest(self, directory):
        return digest_of_files(directory, "*.png")
