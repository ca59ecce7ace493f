"""Apache FOP at work on a generated document: chapters of text with tables and footnotes."""

import random
import re

from lib.fetch import Jar
from lib.programs.program import FULL, SMALL, Program, digest_of_files
from lib.programs.xmlgraphics import GROUP, SHARED, class_path
from lib.workplace import WORK

JARS = [
    Jar(GROUP, "fop", "2.10",
        "0f31365cadf3b051b905d8d7f80da6eb9403d4b6702a9f95aea8450515f282c4"),
    Jar(GROUP, "fop-core", "2.10",
        "631f0fda234adf445331d446ddf07897f7ce4d3d666790af40a8017de66a178c"),
    Jar(GROUP, "fop-events", "2.10",
        "a8639022c421b40aec991cb5bf359f9282ecb17f48e30bb98e4f4b372b29a1ef"),
    Jar(GROUP, "fop-util", "2.10",
        "d218fa8b77cf56484183fec27e8a441d1d2520d771085441dbc159f07578fe9e"),
    Jar("org.apache.pdfbox", "fontbox", "2.0.27",
        "dc7429868aaf3d313c524b9aab846a405e89ca4927f35762ca4d1a60bce1d7f4"),
    *SHARED,
]
SEED = 1
CHAPTERS = {FULL: 60, SMALL: 6}
WORDS = ("agent branch class delta engine field graph heap index joint kernel label memory node "
         "object parser queue record sample thread unit value walker yield zone").split()
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set>
<fo:simple-page-master master-name="page" page-width="210mm" page-height="297mm" margin="20mm">
<fo:region-body margin-bottom="12mm"/><fo:region-after extent="8mm"/>
</fo:simple-page-master></fo:layout-master-set>
<fo:page-sequence master-reference="page"><fo:static-content flow-name="xsl-region-after">
<fo:block text-align="center"><fo:page-number/></fo:block></fo:static-content>
<fo:flow flow-name="xsl-region-body" font-family="Times" font-size="10pt">
"""
TAIL = "</fo:flow></fo:page-sequence></fo:root>\n"
# What differs between two runs that write the same.
VARYING = re.compile(rb"/(?:CreationDate|ModDate) \([^)]*\)|/ID \[[^\]]*\]"
                     rb"|<(dc:date|xmp:\w+Date)>[^<]*</\1>")


def text(chance, count):
    """A number of words."""
    return " ".join(chance.choice(WORDS) for _ in range(count))


def table(chance):
    """Of five columns, with a border."""
    rows = "".join("<fo:table-row>" + "".join(
        f'<fo:table-cell border="0.5pt solid black" padding="1mm"><fo:block>{text(chance, 3)}'
        "</fo:block></fo:table-cell>" for _ in range(5)) + "</fo:table-row>" for _ in range(12))
    return ('<fo:table table-layout="fixed" width="100%" space-before="4mm"><fo:table-body>'
            f"{rows}</fo:table-body></fo:table>\n")


def document(chapters):
    """The same document for the same number of chapters."""
    chance = random.Random(SEED)
    parts = [HEAD]
    for number in range(1, chapters + 1):
        parts.append(f'<fo:block font-size="16pt" break-before="page" id="c{number}">{number} '
                     f'{text(chance, 4)}, page <fo:page-number-citation ref-id="c{number}"/>'
                     "</fo:block>\n")
        for _ in range(8):
            parts.append('<fo:block text-align="justify" hyphenate="false" space-before="3mm">'
                         f"{text(chance, 90)}<fo:footnote><fo:inline>*</fo:inline>"
                         f"<fo:footnote-body><fo:block>{text(chance, 9)}</fo:block>"
                         f"</fo:footnote-body></fo:footnote> {text(chance, 40)}</fo:block>\n")
        parts.append(table(chance))
    return "".join([*parts, TAIL])


class Fop(Program):
    """The document as a PDF."""

    name = "fop"
    version = JARS[0].version

    def prepare(self, jdks):
        class_path(JARS)
        for size in CHAPTERS:
            self._document(size).write_text(document(CHAPTERS[size]), encoding="utf-8")

    @staticmethod
    def _document(size):
        return WORK / f"document-{size}.fo"

    def arguments(self, size):
        return ["-Djava.awt.headless=true", "-cp", class_path(JARS), "org.apache.fop.cli.Main",
                "-q", "-fo", str(self._document(size)), "-pdf", "out.pdf"]

    def digest(self, directory):
        return digest_of_files(directory, "out.pdf", lambda content: VARYING.sub(b"", content))
